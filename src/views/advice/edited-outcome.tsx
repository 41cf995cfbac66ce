/** The paired fields of an edited schema, the values without a field in it, and what the edits break. */

import type { ReactNode } from 'react';
import type { FieldChange } from '#engine/schema/compare/compare-fields.ts';
import type { Applied } from '#state/advice-actions.ts';
import { lostValues, pairedFields } from '#wording/advice-notes.ts';
import { compatibilityText } from '#wording/advice-words.ts';

type Edited = NonNullable<Applied['edited']>;

export function EditedOutcome({ edited }: { readonly edited: Edited }): ReactNode {
  const { lost, comparison } = edited;
  const fields = comparison.types.flatMap((type) =>
    type.fields.map((field) => ({ type: type.after ?? type.before, field })),
  );
  return (
    <>
      {lost.length > 0 && <p className="text-bad">{lostValues(lost)}</p>}
      <Mapping edited={edited} />
      {fields.length > 0 && (
        <ul aria-label="What the edits change" className="advice-changes">
          {fields.map(({ type, field }) => (
            <li key={`${type} ${field.before?.name} ${field.after?.name}`}>
              <code>{declarations(field)}</code>: {compatibilityText(field.sides)}
              {field.reasons.map(({ message }) => ` · ${message}`)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const declarations = ({ before, after }: FieldChange): string =>
  [before, after]
    .flatMap((side) => (side === undefined ? [] : [`${side.type} ${side.name} = ${side.number}`]))
    .join(' → ');

/** Most fields are paired with themselves. */
function Mapping({ edited: { pairs, lost } }: { readonly edited: Edited }): ReactNode {
  const moved = pairs.filter(({ before, after }) => before !== after);
  const all = new Set([...lost, ...pairs.map(({ before }) => before)]);
  return (
    <>
      <p>{pairedFields(pairs.length - moved.length, moved.length, all.size)}</p>
      {moved.length > 0 && (
        <table className="advice-table" aria-label="Fields that were paired">
          <thead>
            <tr>
              <th scope="col">Before</th>
              <th scope="col">After</th>
              <th scope="col" data-term="table-paired-by">
                Paired by
              </th>
            </tr>
          </thead>
          <tbody>
            {moved.map(({ before, after, by }) => (
              <tr key={`${before} ${after}`}>
                <th scope="row">{before}</th>
                <td>{after}</td>
                <td>{by}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
