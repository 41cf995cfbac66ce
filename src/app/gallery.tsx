/** A page for development: every chart and view, from fixtures, in the theme that `?theme=` names. Not part of the build. */
import { type ReactNode, StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { causeSteps } from '#charts/cause-steps.ts';
import { FitWidth } from '#charts/fit-width.tsx';
import { Waterfall } from '#charts/waterfall.tsx';
import { type Cause, compareProfile } from '#engine/cost/compare.ts';
import type { FieldProfile, Profile } from '#engine/cost/profile.ts';
import { FieldDetail } from '#views/field-detail/field-detail.tsx';
import { FieldTable } from '#views/field-table/field-table.tsx';
import { buildFieldTree } from '#views/field-table/field-tree.ts';
import { firstView } from '#views/field-table/visible-rows.ts';
import openSearchHits from '../../fixtures/charts/opensearch-hits.profile.json?raw';

const hits: Profile = JSON.parse(openSearchHits);

function Gallery(): ReactNode {
  const which = new URLSearchParams(location.search).get('show') ?? 'all';
  const shows = (name: string) => which === 'all' || which === name;
  return (
    <>
      {shows('waterfall') && <WaterfallSpecimen />}
      {shows('table') && <TableSpecimen title="Field table: OpenSearch hits" profile={hits} />}
      {shows('many') && <TableSpecimen title="Field table: 5,000 fields" profile={manyFields(5000)} />}
    </>
  );
}

function Specimen({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <section className="specimen">
      <h1>{title}</h1>
      {children}
    </section>
  );
}

function WaterfallSpecimen(): ReactNode {
  const [cause, setCause] = useState<Cause | null>('flags');
  return (
    <Specimen title="Waterfall">
      <FitWidth>
        {(width) => (
          <Waterfall
            native={hits.bytes.native}
            protobuf={hits.bytes.protobuf}
            steps={causeSteps(compareProfile(hits))}
            width={width}
            selected={cause}
            onSelect={setCause}
          />
        )}
      </FitWidth>
    </Specimen>
  );
}

function TableSpecimen({ title, profile }: { readonly title: string; readonly profile: Profile }): ReactNode {
  const [view, setView] = useState(() => firstView(buildFieldTree(profile)));
  const [selected, setSelected] = useState<string | null>(profile.fields[9]?.path ?? null);
  const [hovered, setHovered] = useState<string | null>(null);
  return (
    <Specimen title={title}>
      <div style={{ height: 560 }}>
        <FieldTable
          profile={profile}
          view={view}
          onView={setView}
          selected={selected}
          hovered={hovered}
          onSelect={setSelected}
          onHover={setHovered}
        />
      </div>
      {selected !== null && <FieldDetail profile={profile} path={selected} />}
    </Specimen>
  );
}

/** A profile of `count` fields, four levels deep, its figures drawn from a fixed sequence. */
function manyFields(count: number): Profile {
  let seed = 7;
  const next = (below: number) => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
  const fields: FieldProfile[] = [];
  const stack: string[] = [];
  for (let index = 0; index < count; index++) {
    while (stack.length > 0 && next(12) === 0) stack.pop();
    const parent = stack.at(-1) ?? '';
    const isMessage = stack.length < 4 && next(9) === 0;
    const name = `${isMessage ? 'group' : 'field'}_${index}`;
    const path = parent === '' ? name : `${parent}.${name}`;
    const presence = next(1000);
    const value = isMessage ? 0 : presence * (1 + next(10));
    const tag = presence * (index < 15 ? 1 : 2);
    fields.push({
      path,
      parent,
      name,
      number: 1 + (index % 300),
      declared: {
        type: isMessage ? 'demo.Group' : 'int64',
        kind: isMessage ? 'message' : 'int64',
        cardinality: 'singular',
        presence: 'explicit',
        packed: false,
      },
      writer: isMessage ? 'optional fields' : 'optional Long',
      occurrences: presence,
      elements: presence,
      packedRuns: 0,
      parents: 1000,
      presence,
      protobuf: { tag, length: isMessage ? presence : 0, value },
      native: { flag: 1000, count: 0, length: 0, type: 0, value: isMessage ? 0 : presence * 8 },
      absent: 0,
      widths: {
        tag: [tag],
        length: isMessage ? [presence] : null,
        value: isMessage ? null : [presence],
      },
      size: { min: 1, max: 10 },
      waste: { overlong: 0, negative: 0, defaults: 0 },
    });
    if (isMessage) stack.push(path);
  }
  const sum = (of: (field: FieldProfile) => number) => fields.reduce((total, field) => total + of(field), 0);
  return {
    type: 'demo.Many',
    nativeProfile: 'opensearch',
    messages: 1000,
    bytes: {
      protobuf: sum(({ protobuf: { tag, length, value } }) => tag + length + value) + 1234,
      native: sum(({ native: { flag, value } }) => flag + value),
    },
    unattributed: 1234,
    fields,
  };
}

const theme = new URLSearchParams(location.search).get('theme');
if (theme !== null) document.documentElement.dataset['theme'] = theme;

createRoot(document.getElementById('gallery')!).render(
  <StrictMode>
    <Gallery />
  </StrictMode>,
);
