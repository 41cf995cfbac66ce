/** The title of a column of figures. */
import type { ReactNode } from 'react';
import type { TermName } from '#wording/terms.ts';

export function ColumnTitle({
  className = 'px-2',
  term,
  children,
}: {
  readonly className?: string;
  /** The entry of `src/wording/terms.ts` that explains it. */
  readonly term?: TermName;
  readonly children: string;
}): ReactNode {
  return (
    <th scope="col" data-term={term} className={`${className} font-semibold`}>
      {children}
    </th>
  );
}
