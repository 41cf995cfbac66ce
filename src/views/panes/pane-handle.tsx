/** The movable border between two panes: drag it, or use the arrow keys when it has the focus. */
import type { ReactNode } from 'react';
import { Separator } from 'react-resizable-panels';

export const PaneHandle = ({
  label,
  vertical = false,
  isHidden = false,
}: {
  /** The name of the pane that it resizes. It is a title, because a label would be content outside of landmarks. */
  readonly label: string;
  /** It is between panes side by side. */
  readonly vertical?: boolean;
  readonly isHidden?: boolean;
}): ReactNode => (
  <Separator
    title={`Resize ${label}`}
    disabled={isHidden}
    className={`${isHidden ? 'hidden' : ''} relative bg-rule outline-none hover:bg-accent focus-visible:bg-accent focus-visible:ring-1 focus-visible:ring-accent data-[separator=active]:bg-accent ${vertical ? 'w-px' : 'h-px'}`}
  />
);
