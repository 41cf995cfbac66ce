/** A modal dialog, open as long as it is mounted. A press beside it closes it: Safari has no `closedby` yet. */
import { type PointerEvent, type ReactNode, useEffect, useRef } from 'react';

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
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal();
    // The focus may be at its end.
    dialog.current?.scrollTo(0, 0);
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={labelledBy}
      onClose={onClose}
      onPointerDown={(event) => {
        if (isBeside(event)) dialog.current?.close();
      }}
      className={className}
    >
      {children}
    </dialog>
  );
}

/** Its backdrop is a part of it, too. */
function isBeside({ currentTarget, clientX, clientY }: PointerEvent<HTMLDialogElement>): boolean {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}
