/** The compressed saving without each field, one field at a time, with its noise. */

import { type ReactNode, useMemo } from 'react';
import { partsOf, totalOf } from '#engine/cost/bit-parts.ts';
import type { Profile } from '#engine/cost/profile.ts';
import { useActions, useApp } from '#state/context.tsx';
import { shownBits } from '#state/measured/shown-bits.ts';
import { shownSaved } from '#state/measured/shown-saved.ts';
import { useSavings } from '#state/measured/use-savings.ts';
import { bytesOfBits, formatCount } from '#wording/number-text.ts';
import { SAVED_NOTES } from '#wording/saved-notes.ts';
import { savedBand, savedTitle } from '#wording/saved-words.ts';

export function Savings({ profile }: { readonly profile: Profile }): ReactNode {
  const answer = useApp(shownSaved);
  const bits = useApp(shownBits);
  const selected = useApp(({ view }) => view.selection.path);
  const { selectPath } = useActions();
  const { isRunning, progress, hasFailed, measure, cancel } = useSavings();
  const paths = useMemo(
    () => profile.fields.filter(({ occurrences }) => occurrences > 0).map(({ path }) => path),
    [profile],
  );
  const saved = [...(answer?.saved ?? [])].sort(([, a], [, b]) => b.bytes - a.bytes);
  const missing = paths.filter((path) => !answer?.saved.has(path));
  const paid = useMemo(
    () => new Map(bits?.fields.map((field) => [field.path, totalOf(partsOf(field.paid))] as const)),
    [bits],
  );
  return (
    <section aria-label="Saved if removed" className="basis-full border-t border-rule pt-1">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 className="text-base font-semibold" data-term="label-saved">
          Saved if removed
        </h2>
        <p className="min-w-0 flex-1 basis-80 text-ink-muted">
          {answer ? savedTitle(answer) : SAVED_NOTES.method} {SAVED_NOTES.noSum}
        </p>
        {isRunning ? (
          <span>
            <progress value={progress?.done} max={progress?.total} aria-label={SAVED_NOTES.progress} />{' '}
            {progress ? `${formatCount(progress.done)} of ${formatCount(progress.total)} fields` : 'Measuring…'}{' '}
            <button type="button" className="control control-framed" onClick={cancel}>
              Cancel
            </button>
          </span>
        ) : (
          missing.length > 0 &&
          answer !== null && (
            <button type="button" className="control control-framed" onClick={() => measure(missing)}>
              Measure {missing.length === 1 ? 'the one field' : `all ${formatCount(missing.length)} fields`}
            </button>
          )
        )}
      </div>
      {hasFailed && <p className="text-ink-muted">{SAVED_NOTES.failed}</p>}
      {answer === null && <p className="text-ink-muted">{SAVED_NOTES.noMessage}</p>}
      {saved.length > 0 && (
        <div className="mt-1 max-h-64 overflow-auto">
          <table className="w-full">
            <thead>
              <tr className="text-right text-ink-muted">
                <th scope="col" data-term="table-without" className="text-left font-normal">
                  Without
                </th>
                <th scope="col" data-term="table-saved-bytes" className="px-2 font-normal">
                  Saves, bytes
                </th>
                <th scope="col" data-term="table-saved-noise" className="px-2 font-normal">
                  Behind noise
                </th>
                <th scope="col" data-term="table-saved-paid" className="pl-2 font-normal">
                  The field itself pays
                </th>
              </tr>
            </thead>
            <tbody>
              {saved.map(([path, one]) => (
                <tr key={path} className={`text-right ${path === selected ? 'bg-selected' : 'hover:bg-hover'}`}>
                  <th scope="row" className="text-left font-normal break-all">
                    <button type="button" className="text-left" onClick={() => selectPath(path)}>
                      {path}
                    </button>
                  </th>
                  <td className="px-2">{one.isMeasurable ? formatCount(one.bytes) : 'not measurable'}</td>
                  <td className="px-2 text-ink-muted">{savedBand(one)}</td>
                  <td className="pl-2 text-ink-muted">{paid.has(path) ? bytesOfBits(paid.get(path)!) : ''}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
