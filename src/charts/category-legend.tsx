/** The categories by colour, texture and name. */
import './category-legend.css';
import { type ReactNode, useId } from 'react';
import type { Category } from '#engine/model/annotation.ts';
import { byLook, CategoryPatterns, categoryFill } from './category-patterns.tsx';

/** More of them are folded where they would take several lines. */
const MAX_SHORT = 3;

export function CategoryLegend({ categories }: { readonly categories: readonly Category[] }): ReactNode {
  const id = useId();
  const looks = byLook(categories);
  const list = (
    <ul className="category-legend">
      {looks.map((alike) => {
        const [first] = alike;
        return (
          <li key={first}>
            <svg width={12} height={10} aria-hidden="true">
              <CategoryPatterns prefix={`${id}-${first}`} categories={[first!]} />
              <rect width={12} height={10} fill={categoryFill(`${id}-${first}`, first!)} />
            </svg>
            <span>
              {alike.map((category, at) => (
                <span key={category} data-term={category}>
                  {at === 0 ? category : `, ${category}`}
                </span>
              ))}
            </span>
          </li>
        );
      })}
    </ul>
  );
  if (looks.length <= MAX_SHORT) return list;
  return (
    <>
      <details className="legend-fold">
        <summary data-term="category">Colours</summary>
      </details>
      {list}
    </>
  );
}
