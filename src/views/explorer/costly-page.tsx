/** Fields whose declaration is inefficient, by reason. */

import { type ReactNode, useState } from 'react';
import { parentOf } from '#engine/schema/names.ts';
import { addedProfiles } from '#state/added-profiles.ts';
import { useApp } from '#state/context.tsx';
import type { CostFindingCode, CostlyField } from '#state/explore.ts';
import { EXPLORER_NOTES, guessedFinding } from '#wording/explorer-notes.ts';
import { formatCount } from '#wording/number-text.ts';
import { typeAddress } from './addresses.ts';
import { measuredFields } from './measured-fields.ts';
import { QualifiedName } from './qualified-name.tsx';
import { Link } from './symbol-head.tsx';
import { useAnswer } from './use-answer.ts';

/** The maximum of listed fields; more are counted. */
const LISTED = 300;

const KINDS: Readonly<Record<CostFindingCode, string>> = {
  negative: EXPLORER_NOTES.negative,
  unpacked: 'Repeated, not packed',
  tag: EXPLORER_NOTES.wideTags,
  'large-varint': EXPLORER_NOTES.largeVarints,
  map: 'Maps',
  nesting: 'Nested deep',
  'text-id': EXPLORER_NOTES.textIds,
  timestamp: 'Timestamps as messages',
  wrapper: 'Wrappers',
  group: 'Groups',
};

export function CostlyPage(): ReactNode {
  const [code, setCode] = useState<CostFindingCode>('negative');
  const shelf = useApp(({ session }) => (session.schemaFiles.length > 0 ? 'loaded' : 'bundled'));
  const { answer } = useAnswer('costlyFields', { shelf, code, limit: LISTED });
  const profiles = useApp(addedProfiles);
  const bytesOf = (fullName: string, number: number): number | null =>
    measuredFields(profiles, parentOf(fullName)).get(number)?.captured ?? null;
  const isMeasured = profiles.length > 0;
  const count = answer?.counts[code] ?? 0;
  const bytesBy = new Map(
    isMeasured ? answer?.fields.map((field) => [field, bytesOf(field.fullName, field.number)]) : [],
  );
  const mostExpensiveFirst = (answer?.fields ?? []).toSorted((a, b) => (bytesBy.get(b) ?? -1) - (bytesBy.get(a) ?? -1));
  return (
    <article className="px-5 pt-4 pb-10">
      <h1 className="text-lg font-semibold tracking-tight">Costly by declaration</h1>
      <p className="max-w-2xl text-ink-muted">{EXPLORER_NOTES.costly}</p>
      <div role="radiogroup" aria-label="Why" className="mt-2 flex flex-wrap gap-0.5">
        {(Object.keys(KINDS) as CostFindingCode[])
          .filter((kind) => kind === code || (answer?.counts[kind] ?? 0) > 0)
          .map((kind) => (
            <label key={kind} className="scope-choice">
              <input
                type="radio"
                name="costly-kind"
                className="sr-only"
                checked={kind === code}
                onChange={() => setCode(kind)}
              />
              {KINDS[kind]} {formatCount(answer?.counts[kind] ?? 0)}
            </label>
          ))}
      </div>
      {answer && count === 0 && <p className="mt-3">{EXPLORER_NOTES.noneCostly}</p>}
      {answer && answer.fields.length > 0 && (
        <div className="field-list-frame">
          <table className="field-list mt-2" aria-label="Costly fields">
            <thead>
              <tr>
                <th scope="col" className="is-figure" data-term="table-number">
                  №
                </th>
                <th scope="col">Field</th>
                <th scope="col">Type</th>
                {isMeasured && (
                  <th scope="col" className="is-figure" data-term="declared-measured">
                    Measured self
                  </th>
                )}
              </tr>
            </thead>
            {bySentence(mostExpensiveFirst).map(([sentence, fields]) => (
              <tbody key={sentence}>
                <tr className="is-sentence">
                  <th scope="rowgroup" colSpan={isMeasured ? 4 : 3}>
                    {sentence}
                  </th>
                </tr>
                {fields.map((field) => {
                  const { fullName, number, type } = field;
                  const bytes = bytesBy.get(field) ?? null;
                  return (
                    <tr key={fullName}>
                      <td className="is-figure">{number}</td>
                      <th scope="row">
                        <Link to={typeAddress(fullName)}>
                          <QualifiedName name={fullName} />
                        </Link>
                      </th>
                      <td className="font-mono text-2xs">{type}</td>
                      {isMeasured && <td className="is-figure">{bytes === null ? '·' : formatCount(bytes)}</td>}
                    </tr>
                  );
                })}
              </tbody>
            ))}
          </table>
        </div>
      )}
      {answer && count > answer.fields.length && (
        <p className="mt-1 text-ink-muted">and {formatCount(count - answer.fields.length)} more</p>
      )}
    </article>
  );
}

/** Groups fields by reason. */
function bySentence(fields: readonly CostlyField[]): readonly (readonly [string, readonly CostlyField[]])[] {
  const groups = new Map<string, CostlyField[]>();
  for (const field of fields) {
    const sentence = field.isGuess ? guessedFinding(field.message) : field.message;
    const known = groups.get(sentence);
    if (known) known.push(field);
    else groups.set(sentence, [field]);
  }
  return [...groups];
}
