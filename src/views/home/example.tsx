/** A real, interactive analysis on the home page: its answer and its picture; one click opens all of it. */

import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { CategoryLegend } from '#charts/category-legend.tsx';
import { findNode, type IcicleNode } from '#charts/icicle-geometry.ts';
import { icicleTree } from '#charts/icicle-tree.ts';
import { describeSegments } from '#engine/cost/ledger-segments.ts';
import type { Profile } from '#engine/cost/profile.ts';
import { useActions } from '#state/context.tsx';
import type { Sample } from '#state/opening/shipped.ts';
import { compositionOf } from '#wording/composition-words.ts';
import { HOME_NOTES } from '#wording/home-notes.ts';
import { formatBytes, formatCount, formatPercent, shareOf } from '#wording/number-text.ts';
import { IciclePane } from '../icicle/icicle-pane.tsx';
import { Phrases } from '../verdict/verdict.tsx';

export function Example({ sample }: { readonly sample: Sample }): ReactNode {
  const { exampleProfile } = useActions();
  const [profile, setProfile] = useState<Profile | null>(null);
  useEffect(() => {
    let isStill = true;
    // If it cannot be loaded, the page still has its samples.
    void exampleProfile(sample).then((found) => isStill && setProfile(found));
    return () => {
      isStill = false;
    };
  }, [exampleProfile, sample]);
  return profile && <Figure profile={profile} sample={sample} />;
}

function Figure({ profile, sample }: { readonly profile: Profile; readonly sample: Sample }): ReactNode {
  const { openSample, selectPath } = useActions();
  const tree = useMemo(() => icicleTree(profile), [profile]);
  const [root, setRoot] = useState<string | null>(null);
  const [selected, setSelected] = useState<string | null>(null);
  const [hovered, setHovered] = useState<string | null>(null);
  const path = hovered ?? selected;
  const node = path === null ? null : findNode(tree, path)?.at(-1);
  const open = (): void =>
    void openSample(sample).then(() => {
      if (selected !== null) selectPath(selected);
    });
  return (
    <section aria-labelledby="example" className="home-example">
      <h2 id="example">
        <Phrases phrases={compositionOf(profile)} />
      </h2>
      <p className="home-example-field">
        {node ? (
          <>
            <strong>{node.name}</strong> {factsOf(node, tree)}
          </>
        ) : (
          HOME_NOTES.example
        )}
      </p>
      <IciclePane
        tree={tree}
        root={root}
        onRoot={setRoot}
        selected={selected}
        hovered={hovered}
        onSelect={setSelected}
        onHover={setHovered}
        elsewhere={HOME_NOTES.table}
      />
      <div className="flex items-center pt-2">
        <CategoryLegend categories={['tag', 'length', 'value']} />
        <button type="button" className="control ml-auto text-accent" onClick={open}>
          {selected === null ? 'Open this analysis' : HOME_NOTES.openAtField} →
        </button>
      </div>
    </section>
  );
}

const factsOf = ({ bytes, own }: IcicleNode, whole: IcicleNode): string =>
  `${formatBytes(bytes)}, ${formatPercent(shareOf(bytes, whole.bytes))}; its own: ${describeSegments(own, formatCount) || 'none'}`;
