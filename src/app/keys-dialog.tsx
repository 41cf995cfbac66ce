/** The list of keyboard shortcuts; `?` opens it. */
import { type ReactNode, useEffect, useId, useRef } from 'react';

const KEYS: readonly (readonly [string, readonly (readonly [readonly string[], string])[]])[] = [
  [
    'Anywhere',
    [
      [['Esc'], 'one step back: selection, cause, zoom, one message, panel'],
      [['Ctrl', 'V'], 'open what was copied: hex, base64, a schema'],
    ],
  ],
  [
    'Outside text and the table',
    [
      [['?'], 'this list'],
      [['i'], 'input'],
      [['s'], 'schema'],
      [['m'], 'messages'],
      [['l'], 'share: a link or a file'],
      [['t'], 'types: the schema explorer'],
      [['/'], 'filter the fields, search the types'],
    ],
  ],
  [
    'Table and trees',
    [
      [['↑', '↓'], 'walk the rows'],
      [['→', '←'], 'open and fold'],
      [['Home', 'End'], 'first and last row'],
      [['Enter'], 'select; once more, zoom into it'],
      [['a', '…', 'z'], 'filter the fields'],
    ],
  ],
  [
    'Messages',
    [
      [['↑', '↓'], 'walk the list, opening each'],
      [['Shift', '↓'], 'choose a range to add up'],
      [['Space'], 'choose one more, or one less'],
      [['Enter'], 'add up this message, or this group, alone'],
    ],
  ],
  [
    'Bytes',
    [
      [['↑', '↓'], 'walk the records'],
      [['Tab'], 'to the other encoding'],
    ],
  ],
];

export function KeysDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      onClose={onClose}
      aria-labelledby={id}
      closedby="any"
      className="m-auto max-w-[calc(100vw-2rem)] border border-rule-strong p-5 backdrop:bg-black/30"
    >
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
    </dialog>
  );
}
