/** Faults of the data, their meaning, and their places; a click selects the bytes. */

import { type ReactNode, useMemo } from 'react';
import type { Diagnostic } from '#engine/model/diagnostic.ts';
import { useActions } from '#state/context.tsx';
import { FirstLoss } from '#views/message/first-loss.tsx';
import { MESSAGE_NOTES } from '#wording/message-notes.ts';
import { formatCount } from '#wording/number-text.ts';
import { visible } from '#wording/visible.ts';
import { alike, countWords } from './alike.ts';

const MARKS: Readonly<Record<Diagnostic['severity'], { readonly sign: string; readonly tone: string }>> = {
  error: { sign: 'error', tone: 'text-bad' },
  warning: { sign: 'warning', tone: 'text-warn' },
  info: { sign: 'note', tone: 'text-ink-muted' },
};

/** More than this are counted, not listed. */
const SHOWN = 500;

export function FindingList({ findings }: { readonly findings: readonly Diagnostic[] }): ReactNode {
  const groups = useMemo(() => alike(findings.slice(0, SHOWN)), [findings]);
  if (findings.length === 0) return <p className="p-4 text-ink-muted">{MESSAGE_NOTES.noFindings}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: findings of packets have no button, and are scrolled with keys
    <section aria-label="What is wrong" tabIndex={0} className="h-full overflow-auto">
      <ul aria-label="Findings">
        {groups.map((group) => {
          const [{ severity, code, message }] = group;
          const { sign, tone } = MARKS[severity];
          return (
            <li key={`${severity} ${code} ${message}`} className="border-b border-rule px-4 py-2">
              <p className="flex items-baseline gap-2">
                <span className={`font-medium ${tone}`}>{sign}</span>
                {group.length > 1 && <span className="text-ink-muted">{countWords(group)}</span>}
                <code className="ml-auto font-mono text-2xs text-ink-muted">{code}</code>
              </p>
              <p>{visible(message)}</p>
              <ul className="flex flex-wrap gap-x-3">
                {group.map((finding, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a place is its position in the list
                  <li key={at} className="flex flex-wrap items-center gap-1">
                    {finding.lost ? <FirstLoss lost={finding.lost} /> : <Place finding={finding} />}
                  </li>
                ))}
              </ul>
            </li>
          );
        })}
      </ul>
      {findings.length > SHOWN && (
        <p className="px-4 py-2 text-ink-muted">and {formatCount(findings.length - SHOWN)} more</p>
      )}
    </section>
  );
}

/** Where it is; a button where that can be shown. */
function Place({ finding }: { readonly finding: Diagnostic }): ReactNode {
  const { selectSpan, showPanel, openSchemaFile } = useActions();
  const { space, ordinal, start, file } = finding;
  const go =
    space === 'message' && ordinal !== undefined
      ? () => void selectSpan(ordinal, start)
      : space === 'schema' && file !== undefined
        ? () => {
            void openSchemaFile(file);
            showPanel('schema');
          }
        : null;
  const words = visible(placeOf(finding));
  return go ? (
    <button type="button" className="py-0.5 text-left text-accent hover:underline" onClick={go}>
      {words}
    </button>
  ) : (
    <span className="block py-0.5 text-ink-muted">{words}</span>
  );
}

function placeOf({ space, ordinal, start, end, file, line, column }: Diagnostic): string {
  // Findings that are only counted have no place.
  if (space === 'capture' && end === 0) return '';
  if (space === 'schema')
    return file === undefined ? 'schema' : `${file}${line === undefined ? '' : `:${line}:${column ?? 1}`}`;
  const span =
    end > start + 1 ? `bytes ${formatCount(start)} to ${formatCount(end - 1)}` : `byte ${formatCount(start)}`;
  return space === 'message' && ordinal !== undefined ? `message ${formatCount(ordinal)}, ${span}` : span;
}
