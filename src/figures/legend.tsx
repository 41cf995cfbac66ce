/** The categories that a picture uses: colour, texture and name. */
import type { ReactElement } from 'react';
import { categoryFill } from '#charts/category-patterns.tsx';
import type { Category } from '#engine/model/annotation.ts';

export const LEGEND_HEIGHT = 22;

/** `id`: prefix of the patterns that the picture has. */
export function Legend({
  id,
  categories,
  y,
}: {
  readonly id: string;
  readonly categories: readonly Category[];
  readonly y: number;
}): ReactElement {
  let x = 0;
  return (
    <g fontSize={11} fill="var(--ink-muted)">
      {categories.map((category) => {
        const at = x;
        x += 20 + category.length * 6.2 + 8;
        return (
          <g key={category} transform={`translate(${at} ${y})`}>
            <rect width={12} height={9} y={1} fill={categoryFill(id, category)} />
            <text x={17} y={9}>
              {category}
            </text>
          </g>
        );
      })}
    </g>
  );
}
