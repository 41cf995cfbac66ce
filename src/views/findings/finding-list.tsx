/** Faults of the data, their places, and their meaning; a click selects the bytes. */

import type { ReactNode } from 'react';
import type { Diagnostic } from '#engine/model/diagnostic.ts';
import { useActions } from '#state/context.tsx';
import { MESSAGE_NOTES } from '#wording/message-notes.ts';
import { formatCount } from '#wording/number-text.ts';

const MARKS: Readonly<Record<Diagnostic['severity'], { readonly sign: string; readonly tone: string }>> = {
  error: { sign: 'error', tone: 'text-bad' },
  warning: { sign: 'warning', tone: 'text-warn' },
  info: { sign: 'note', tone: 'text-ink-muted' },
};

/** More than this are counted, not listed. */
const SHOWN = 500;

export function FindingList({ findings }: { readonly findings: readonly Diagnostic[] }): ReactNode {
  const { selectSpan, showPanel, openSchemaFile } = useActions();
  if (findings.length === 0) return <p className="p-4 text-ink-muted">{MESSAGE_NOTES.noFindings}</p>;
  const follow = ({ space, ordinal, start, file }: Diagnostic): (() => void) | null => {
    if (space === 'message' && ordinal !== undefined) return () => void selectSpan(ordinal, start);
    if (space === 'schema' && file !== undefined) {
      return () => {
        void openSchemaFile(file);
        showPanel('schema');
      };
    }
    return null;
  };
  return (
    <div className="h-full overflow-auto">
      <ul aria-label="Findings">
        {findings.slice(0, SHOWN).map((finding, index) => {
          const go = follow(finding);
          const { sign, tone } = MARKS[finding.severity];
          const row = (
            <>
              <span className="flex flex-wrap gap-x-2 text-ink-muted">
                <span className={tone}>{sign}</span>
                <span>{placeOf(finding)}</span>
                <code className="font-mono text-2xs leading-5">{finding.code}</code>
              </span>
              <span className="block">{finding.message}</span>
            </>
          );
          const look = 'block w-full px-4 py-1.5 text-left';
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: findings have no identity but their place in the list
            <li key={index} className="border-b border-rule">
              {go ? (
                <button type="button" className={`${look} hover:bg-hover`} onClick={go}>
                  {row}
                </button>
              ) : (
                <div className={look}>{row}</div>
              )}
            </li>
          );
        })}
      </ul>
      {findings.length > SHOWN && (
        <p className="px-4 py-2 text-ink-muted">and {formatCount(findings.length - SHOWN)} more</p>
      )}
    </div>
  );
}

function placeOf({ space, ordinal, start, end, file, line, column }: Diagnostic): string {
  if (space === 'schema')
    return file === undefined ? 'schema' : `${file}${line === undefined ? '' : `:${line}:${column ?? 1}`}`;
  const span =
    end > start + 1 ? `bytes ${formatCount(start)} to ${formatCount(end - 1)}` : `byte ${formatCount(start)}`;
  return space === 'message' && ordinal !== undefined ? `message ${formatCount(ordinal)}, ${span}` : span;
}
