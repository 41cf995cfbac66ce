/** The list of keyboard shortcuts; `?` opens it. */
import { type ReactNode, useId } from 'react';
import { Modal } from '#views/modal/modal.tsx';
import { KEYS } from '#wording/keyboard-words.ts';

export function KeysDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const id = useId();
  return (
    <Modal labelledBy={id} onClose={onClose} className="m-auto max-w-[calc(100vw-2rem)] p-5">
      <h2 id={id} className="mb-3 text-base font-semibold">
        Keys
      </h2>
      <div className="grid gap-x-10 gap-y-4 sm:grid-cols-2">
        {KEYS.map(([where, keys]) => (
          <section key={where}>
            <h3 className="panel-title mb-1">{where}</h3>
            <dl className="grid grid-cols-[5.5rem_1fr] items-baseline gap-y-1">
              {keys.map(([chord, what]) => (
                <div key={what} className="contents">
                  <dt className="flex gap-1">
                    {chord.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <form method="dialog" className="mt-4 flex justify-end">
        <button type="submit" className="control control-framed">
          Close
        </button>
      </form>
    </Modal>
  );
}
