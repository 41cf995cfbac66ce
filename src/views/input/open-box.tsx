/** Paste, pick or drop. Files can be dropped anywhere in the window; this box has the hint. */
import { type ReactNode, useId, useRef, useState } from 'react';
import { useActions } from '#state/context.tsx';
import { INPUT_NOTES } from '#wording/input-notes.ts';
import { KeyLogNote } from './key-log-note.tsx';

/**
 * A pasted text of at least this many characters is read at once: a browser needs many seconds to lay out millions of
 * them.
 */
const MAX_SHOWN = 100_000;

/** The browser's own dialog for files. */
export function OpenFiles(): ReactNode {
  const { openFiles } = useActions();
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" className="control control-framed" onClick={() => picker.current?.click()}>
        Choose files…
      </button>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label="Files to open"
        onChange={(event) => {
          void openFiles([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </>
  );
}

/** All files of a folder: schemas are loaded, messages are one input. */
function OpenFolder(): ReactNode {
  const { openFolder } = useActions();
  return (
    <button type="button" className="control control-framed" onClick={() => void openFolder(null)}>
      Choose a folder…
    </button>
  );
}

export function OpenBox({ rows = 4 }: { readonly rows?: number }): ReactNode {
  const { openText } = useActions();
  const [text, setText] = useState('');
  const id = useId();
  const open = (): void => {
    void openText(text);
    setText('');
  };
  return (
    <div className="flex flex-col gap-2">
      <label htmlFor={id} className="sr-only">
        {INPUT_NOTES.textBox}
      </label>
      <textarea
        id={id}
        rows={rows}
        spellCheck={false}
        className="field resize-y py-1 font-mono text-2xs"
        placeholder={`${INPUT_NOTES.paste}\n0a 03 66 6f 6f 10 96 01`}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData('text/plain');
          if (pasted.length <= MAX_SHOWN) return;
          event.preventDefault();
          const { selectionStart, selectionEnd } = event.currentTarget;
          void openText(text.slice(0, selectionStart) + pasted + text.slice(selectionEnd));
          setText('');
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) open();
        }}
      />
      <div className="flex flex-wrap items-center gap-2">
        <button type="button" className="control control-framed" disabled={text.trim() === ''} onClick={open}>
          Read text
        </button>
        <OpenFiles />
        <OpenFolder />
        <span className="text-ink-muted">{INPUT_NOTES.dropAnywhere}</span>
      </div>
      <KeyLogNote />
    </div>
  );
}
