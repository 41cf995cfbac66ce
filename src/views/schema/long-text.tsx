/** A text with a line that is too long for the editor, in parts. */
import { type ReactNode, useState } from 'react';
import { shownCharacters, tooLongLine } from '#wording/schema-panel-notes.ts';

/**
 * The maximum of characters in a line: Monaco does not colour longer lines, and takes seconds to lay out one of 2
 * million.
 */
const LONGEST_LINE = 20_000;
/** Characters that are shown at once. */
const PART = 20_000;

export function hasLongLine(text: string): boolean {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const stop = end < 0 ? text.length : end;
    if (stop - start > LONGEST_LINE) return true;
    start = stop + 1;
  }
  return false;
}

export function LongText({ text }: { readonly text: string }): ReactNode {
  const [shown, setShown] = useState(PART);
  return (
    <div className="h-full overflow-auto">
      <p className="border-b border-rule px-3 py-1 text-ink-muted">{tooLongLine(LONGEST_LINE)}</p>
      <pre className="px-10 py-2 font-mono text-xs leading-5 whitespace-pre-wrap break-all">{text.slice(0, shown)}</pre>
      {shown < text.length && (
        <p className="px-10 pb-2 text-ink-muted">
          {shownCharacters(shown, text.length)}{' '}
          <button type="button" className="control" onClick={() => setShown(shown + PART)}>
            Show more
          </button>
        </p>
      )}
    </div>
  );
}
