/** A modal dialog, open as long as it is mounted. A press beside it closes it: Safari has no `closedby` yet. */
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';

interface ModalProps {
  /** The id of its heading. */
  readonly labelledBy: string;
  /** Called when it is closed. */
  readonly onClose: () => void;
  readonly className: string;
  readonly children: ReactNode;
}

export function Modal({ labelledBy, onClose, className, children }: ModalProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const pressedBeside = useRef(false);
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal();
    // The focus may be at its end.
    dialog.current?.scrollTo(0, 0);
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, too
    <dialog
      ref={dialog}
      aria-labelledby={labelledBy}
      onClose={onClose}
      // The release counts as well: a press inside that ends beside it selects text.
      onPointerDown={(event) => {
        pressedBeside.current = isBeside(event);
      }}
      onClick={(event) => {
        if (pressedBeside.current && isBeside(event)) dialog.current?.close();
      }}
      className={className}
    >
      {children}
    </dialog>
  );
}

/** Its backdrop is a part of it, too. */
function isBeside({ currentTarget, clientX, clientY }: MouseEvent<HTMLDialogElement>): boolean {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}
