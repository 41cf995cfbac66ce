/** The cost of a schema by type: an icicle of its types, and a table of the largest. */

import { type ReactNode, useMemo, useState } from 'react';
import { CategoryLegend } from '#charts/category-legend.tsx';
import { addedProfiles } from '#state/added-profiles.ts';
import { fragmentOf, goTo } from '#state/addresses/place.ts';
import { useApp } from '#state/context.tsx';
import type { Shelf } from '#state/explore.ts';
import { EXPLORER_NOTES } from '#wording/explorer-notes.ts';
import { formatCount, formatPercent, shareOf } from '#wording/number-text.ts';
import { IciclePane } from '../icicle/icicle-pane.tsx';
import { Segments } from '../verdict/segments.tsx';
import { typeAddress } from './addresses.ts';
import { bytesOf, type CostOfType, costTree, declaredCosts, measuredCosts, packageAt } from './cost-tree.ts';
import { QualifiedName } from './qualified-name.tsx';
import { Link, PageSection } from './symbol-head.tsx';
import { useAnswer } from './use-answer.ts';

/** The maximum of listed types; the picture has all of them. */
const LISTED = 12;
const FIGURES = ['tag', 'length', 'value'] as const;

const MEASURES = { measured: 'in the messages', declared: 'each field once' } as const;
type Measure = keyof typeof MEASURES;

const SAYS: Readonly<Record<Measure, string>> = {
  measured: EXPLORER_NOTES.measuredMap,
  declared: EXPLORER_NOTES.declaredMap,
};

export function CostMap({ shelf }: { readonly shelf: Shelf }): ReactNode {
  const { answer: types } = useAnswer('typeCosts', { shelf });
  const profiles = useApp(addedProfiles);
  const [chosen, setChosen] = useState<Measure | null>(null);
  const [root, setRoot] = useState<string | null>(null);
  const [hovered, setHovered] = useState<string | null>(null);
  const measured = useMemo(() => measuredCosts(profiles), [profiles]);
  const measure = measured.length > 0 ? (chosen ?? 'measured') : 'declared';
  const costs = useMemo(
    () => (measure === 'measured' ? measured : declaredCosts(types ?? [])),
    [measure, measured, types],
  );
  const tree = useMemo(() => costTree(costs, types ?? []), [costs, types]);
  if (types === null)
    return (
      <PageSection title={EXPLORER_NOTES.map}>
        <p className="text-ink-muted">{EXPLORER_NOTES.noMap}</p>
      </PageSection>
    );
  if (types === undefined) return <div className="cost-map-room" />;
  if (tree.bytes === 0) return null;
  const go = (path: string): void => {
    if (packageAt(path) === null) goTo({ at: 'type', name: path });
    else setRoot(path);
  };
  return (
    <PageSection title={EXPLORER_NOTES.map}>
      <div className="my-2 flex flex-wrap items-center gap-x-3 gap-y-1">
        {measured.length > 0 && <Segments label="Measured by" words={MEASURES} chosen={measure} onChoose={setChosen} />}
        <p className="text-ink-muted">{SAYS[measure]}</p>
        {root !== null && (
          <button type="button" className="control" onClick={() => setRoot(null)}>
            ← All packages
          </button>
        )}
        <span className="ml-auto">
          <CategoryLegend categories={FIGURES} />
        </span>
      </div>
      <IciclePane
        tree={tree}
        root={root}
        onRoot={setRoot}
        selected={null}
        hovered={hovered}
        onSelect={go}
        onHover={setHovered}
        label={EXPLORER_NOTES.mapOfTypes}
        elsewhere={EXPLORER_NOTES.mapTable}
      />
      <Largest costs={costs} whole={tree.bytes} />
    </PageSection>
  );
}

function Largest({ costs, whole }: { readonly costs: readonly CostOfType[]; readonly whole: number }): ReactNode {
  const sorted = costs
    .map((cost) => ({ ...cost, bytes: bytesOf(cost.own) }))
    .filter(({ bytes }) => bytes > 0)
    .sort((a, b) => b.bytes - a.bytes);
  return (
    <div className="field-list-frame mt-3">
      <table className="field-list" aria-label="The largest types">
        <thead>
          <tr>
            <th scope="col">Type</th>
            {FIGURES.map((category) => (
              <th key={category} scope="col" className="is-figure is-part" data-term={category}>
                {category}
              </th>
            ))}
            <th scope="col" className="is-figure" data-term="table-type-bytes">
              bytes
            </th>
            <th scope="col" className="is-figure" data-term="table-type-share">
              of all
            </th>
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, LISTED).map(({ fullName, own, bytes }) => (
            <tr key={fullName}>
              <th scope="row">
                <Link to={typeAddress(fullName)}>
                  <QualifiedName name={fullName} />
                </Link>
              </th>
              {FIGURES.map((category) => (
                <td key={category} className="is-figure is-part">
                  {formatCount(own.find((segment) => segment.category === category)?.bytes ?? 0)}
                </td>
              ))}
              <td className="is-figure">{formatCount(bytes)}</td>
              <td className="is-figure">{formatPercent(shareOf(bytes, whole))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {sorted.length > LISTED && (
        <p className="mt-1 text-ink-muted">
          and {formatCount(sorted.length - LISTED)} more;{' '}
          <Link to={fragmentOf({ at: 'costly' })}>{EXPLORER_NOTES.costlyFields}</Link>
        </p>
      )}
    </div>
  );
}
