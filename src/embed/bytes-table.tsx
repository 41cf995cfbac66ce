/** The bytes of an excerpt as a plain table, one row per span of the picture, for screen readers and keyboards. */
import type { ReactNode } from 'react';
import { hexPair } from '#charts/hex-lines.ts';
import type { Excerpt } from '#engine/inspect/excerpt.ts';
import { placedSegments, rangeWords, sideWord } from '#wording/excerpt-words.ts';
import { formatCount } from '#wording/number-text.ts';

export const BytesTable = ({ excerpt }: { readonly excerpt: Excerpt }): ReactNode =>
  excerpt.sides.map((side) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a stretch that scrolls must be reached by keyboard
    <section key={side.encoding} className="embed-table" aria-label={`${sideWord(side)} bytes`} tabIndex={0}>
      <table>
        <caption>
          {sideWord(side)}, {rangeWords(side)}
        </caption>
        <thead>
          <tr>
            <th scope="col">offset</th>
            <th scope="col">field</th>
            <th scope="col">bytes</th>
            <th scope="col">what they say</th>
          </tr>
        </thead>
        <tbody>
          {placedSegments(side).map(({ start, bytes, path, category, words, isLit }) => (
            <tr key={start} aria-current={isLit ? 'true' : undefined}>
              <th scope="row">{formatCount(start)}</th>
              <td>{path}</td>
              <td>
                <code>
                  {Array.from(side.bytes.subarray(start - side.start, start - side.start + bytes), hexPair).join(' ')}
                </code>
              </td>
              <td>{words || category}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  ));
