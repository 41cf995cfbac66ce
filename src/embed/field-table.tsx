/** The fields of a profile as a plain table: every figure of the picture, for who reads it by ear or by keyboard. */
import type { ReactNode } from 'react';
import { bytesIn, cellsIn, type Profile } from '#engine/cost/profile.ts';
import { formatCount, formatPercent, formatSigned, shareOf } from '#wording/number-text.ts';

export function FieldTable({ profile }: { readonly profile: Profile }): ReactNode {
  const [first, second] = profile.pair;
  const both = second !== null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a stretch that scrolls must be reached by keyboard
    <section className="embed-table" aria-label="Fields" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">field</th>
            <th scope="col">present</th>
            <th scope="col">tag</th>
            <th scope="col">length</th>
            <th scope="col">value</th>
            <th scope="col">protobuf</th>
            {both && <th scope="col">native</th>}
            {both && <th scope="col">difference</th>}
          </tr>
        </thead>
        <tbody>
          {profile.fields.map((field) => {
            const { path, parents, presence } = field;
            const { tag = 0, length = 0, value = 0 } = cellsIn(field, first);
            const ours = bytesIn(field, first);
            const theirs = bytesIn(field, second);
            return (
              <tr key={path}>
                <th scope="row">{path}</th>
                <td>{parents === 0 ? '' : formatPercent(shareOf(presence, parents))}</td>
                <td>{formatCount(tag)}</td>
                <td>{formatCount(length)}</td>
                <td>{formatCount(value)}</td>
                <td>{formatCount(ours)}</td>
                {both && <td>{formatCount(theirs)}</td>}
                {both && <td>{formatSigned(ours - theirs)}</td>}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
