/** The title of a column of figures. */
import type { ReactNode } from 'react';

export function ColumnTitle({
  className = 'px-2',
  children,
}: {
  readonly className?: string;
  readonly children: string;
}): ReactNode {
  return (
    <th scope="col" className={`${className} font-semibold`}>
      {children}
    </th>
  );
}
