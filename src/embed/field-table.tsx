/** The fields of a profile as a plain table with every number of the picture, for screen readers and keyboards. */
import { type ReactNode, useState } from 'react';
import { bytesIn, cellsIn, type Profile } from '#engine/cost/profile.ts';
import { tableCategories } from '#figures/profile-table.ts';
import { EMBED_NOTES } from '#wording/embed-notes.ts';
import { formatCount, formatPercent, formatSigned, shareOf } from '#wording/number-text.ts';
import { firstName, sideName } from '#wording/side-words.ts';

/** A table of all fields that a link may have takes more memory than its page: 450 MiB for 9,000 of them. */
const ROWS_AT_ONCE = 500;

export function EmbedFieldTable({ profile }: { readonly profile: Profile }): ReactNode {
  const [first, second] = profile.pair;
  const both = second !== null;
  const cells = tableCategories(profile, first);
  const [shown, setShown] = useState(ROWS_AT_ONCE);
  const left = profile.fields.length - shown;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a stretch that scrolls must be reached by keyboard
    <section className="embed-table" aria-label="Fields" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">field</th>
            <th scope="col">present</th>
            {cells.map((category) => (
              <th key={category} scope="col">
                {category}
              </th>
            ))}
            <th scope="col">{firstName(profile)}</th>
            {both && <th scope="col">{sideName(profile)}</th>}
            {both && <th scope="col">difference</th>}
          </tr>
        </thead>
        <tbody>
          {profile.fields.slice(0, shown).map((field) => {
            const { path, parents, presence } = field;
            const own = cellsIn(field, first);
            const ours = bytesIn(field, first);
            const theirs = bytesIn(field, second);
            return (
              <tr key={path}>
                <th scope="row">{path}</th>
                <td>{parents === 0 ? '' : formatPercent(shareOf(presence, parents))}</td>
                {cells.map((category) => (
                  <td key={category}>{formatCount(own[category] ?? 0)}</td>
                ))}
                <td>{formatCount(ours)}</td>
                {both && <td>{formatCount(theirs)}</td>}
                {both && <td>{formatSigned(ours - theirs)}</td>}
              </tr>
            );
          })}
        </tbody>
      </table>
      {left > 0 && (
        <button type="button" onClick={() => setShown(shown + ROWS_AT_ONCE)}>
          {EMBED_NOTES.moreFields(Math.min(left, ROWS_AT_ONCE), left)}
        </button>
      )}
    </section>
  );
}
