/** The categories by colour, texture and name. */
import './category-legend.css';
import { type ReactNode, useId } from 'react';
import { CATEGORIES, type Category } from '#engine/model/annotation.ts';
import { CategoryPatterns, categoryFill } from './category-patterns.tsx';

/** More of them are folded where they would take several lines. */
const MAX_SHORT = 3;

export function CategoryLegend({ categories = CATEGORIES }: { readonly categories?: readonly Category[] }): ReactNode {
  const id = useId();
  const list = (
    <ul className="category-legend">
      {categories.map((category) => (
        <li key={category} data-term={category}>
          <svg width={12} height={10} aria-hidden="true">
            <CategoryPatterns prefix={`${id}-${category}`} categories={[category]} />
            <rect width={12} height={10} fill={categoryFill(`${id}-${category}`, category)} />
          </svg>
          {category}
        </li>
      ))}
    </ul>
  );
  if (categories.length <= MAX_SHORT) return list;
  return (
    <>
      <details className="legend-fold">
        <summary data-term="category">Colours</summary>
      </details>
      {list}
    </>
  );
}
