/** The categories by colour, texture and name. */
import { type ReactNode, useId } from 'react';
import { CATEGORIES, type Category } from '#engine/model/annotation.ts';
import { CategoryPatterns, categoryFill } from './category-patterns.tsx';

export function CategoryLegend({ categories = CATEGORIES }: { readonly categories?: readonly Category[] }): ReactNode {
  const id = useId();
  return (
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
}
