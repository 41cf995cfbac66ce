/** The categories that a picture uses: colour, texture and name. */
import type { ReactElement } from 'react';
import { categoryFill } from '#charts/category-patterns.tsx';
import type { Category } from '#engine/model/annotation.ts';

export interface Legend {
  readonly height: number;
  readonly draw: (top: number) => ReactElement;
}

/** In as many lines as the width needs. @param id prefix of the patterns that the picture has */
export function legendOf(id: string, categories: readonly Category[], width: number): Legend {
  let x = 0;
  let y = 6;
  const items = categories.map((category) => {
    const own = 20 + category.length * 6.2;
    if (x + own > width) {
      x = 0;
      y += 16;
    }
    const item = { category, x, y };
    x += own + 8;
    return item;
  });
  return {
    height: y + 16,
    draw: (top) => (
      <g fontSize={11} fill="var(--ink-muted)">
        {items.map((item) => (
          <g key={item.category} transform={`translate(${item.x} ${top + item.y})`}>
            <rect width={12} height={9} y={1} fill={categoryFill(id, item.category)} />
            <text x={17} y={9}>
              {item.category}
            </text>
          </g>
        ))}
      </g>
    ),
  };
}
