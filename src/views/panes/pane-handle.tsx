/** The rule between two panes, which moves: by dragging, or by arrow keys once it has the focus. */
import type { ReactNode } from 'react';
import { Separator } from 'react-resizable-panels';

export const PaneHandle = ({
  label,
  vertical = false,
}: {
  /** The pane that it makes larger and smaller. A title names it and, unlike a label, is not content outside of landmarks. */
  readonly label: string;
  /** It stands between panes side by side. */
  readonly vertical?: boolean;
}): ReactNode => (
  <Separator
    title={`Resize ${label}`}
    className={`relative bg-rule outline-none hover:bg-accent focus-visible:bg-accent focus-visible:ring-1 focus-visible:ring-accent data-[separator=active]:bg-accent ${vertical ? 'w-px' : 'h-px'}`}
  />
);
