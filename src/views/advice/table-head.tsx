/** The header of a table of advice: the subject of a row, then its figures. */
import type { ReactNode } from 'react';

export function TableHead({
  first,
  figures,
}: {
  readonly first: string;
  readonly figures: readonly string[];
}): ReactNode {
  return (
    <thead>
      <tr>
        <th scope="col">{first}</th>
        {figures.map((figure) => (
          <th key={figure} scope="col" className="is-figure">
            {figure}
          </th>
        ))}
      </tr>
    </thead>
  );
}
