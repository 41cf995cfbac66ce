/** A page for development: every chart and view, from the samples, in the theme that `?theme=` names. It is not part of the build. */
import { type ReactNode, StrictMode, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { causeSteps, waterfallEnds } from '#charts/cause-steps.ts';
import { FitWidth } from '#charts/fit-width.tsx';
import { createSayValue } from '#charts/row-value.ts';
import { Waterfall } from '#charts/waterfall.tsx';
import { analyze } from '#engine/analysis/analyze.ts';
import { bytesSource } from '#engine/bytes/source.ts';
import { type Cause, compareProfile } from '#engine/cost/compare.ts';
import { buildFieldTree } from '#engine/cost/field-tree.ts';
import { bytesIn, type FieldProfile, type LedgerCells, type Profile, sumCells } from '#engine/cost/profile.ts';
import { readPayloads } from '#engine/frame/payload.ts';
import { rowIn, type SideRow } from '#engine/inspect/encoded-message.ts';
import { type Inspected, inspect } from '#engine/inspect/inspect.ts';
import { deriveLayouts } from '#engine/native/derive.ts';
import { NATIVE_PROFILES } from '#engine/native/profiles.ts';
import { compileSchema } from '#engine/schema/compile.ts';
import { shortNameOf } from '#engine/schema/names.ts';
import { FieldDetail } from '#views/field-detail/field-detail.tsx';
import { FieldTable } from '#views/field-table/field-table.tsx';
import { firstView } from '#views/field-table/visible-rows.ts';
import { HexPair } from '#views/hex/hex-pair.tsx';
import { MessageTree } from '#views/tree/message-tree.tsx';
import './theme.css';

interface Sample {
  readonly id: string;
  readonly title: string;
  readonly file: string;
  readonly framing: string;
  readonly schemas: readonly string[];
  readonly type: string;
  readonly nativeProfile: string;
}

interface Specimen {
  readonly sample: Sample;
  readonly profile: Profile;
  readonly first: Inspected;
}

const SCHEMAS: Readonly<Record<string, string>> = import.meta.glob('/schemas/**/*.proto', {
  query: '?raw',
  import: 'default',
  eager: true,
});

async function readSample(sample: Sample): Promise<Specimen> {
  const bytes = new Uint8Array(await (await fetch(`/samples/${sample.file}`)).arrayBuffer());
  const { registry } = compileSchema(
    sample.schemas.map((path) => ({ path, content: SCHEMAS[`/schemas/${path}`] ?? '' })),
  );
  const type = registry.messages.get(sample.type);
  const nativeProfile = NATIVE_PROFILES.find(({ id }) => id === sample.nativeProfile)!;
  const choice = { textEncoding: 'binary', framing: sample.framing };
  const {
    profiles: [profile],
  } = await analyze(bytesSource(sample.file, bytes), choice, { type, nativeProfile });
  let payload = new Uint8Array();
  await readPayloads(bytesSource(sample.file, bytes), choice, (message, borrowed) => {
    if (message.ordinal === 0) payload = borrowed.slice();
  });
  return { sample, profile: profile!, first: inspect(payload, { type, layoutOf: deriveLayouts(nativeProfile) }) };
}

const PARAMS = new URLSearchParams(location.search);

function Gallery({ specimens }: { readonly specimens: readonly Specimen[] }): ReactNode {
  const which = PARAMS.get('show') ?? 'all';
  const shows = (name: string) => which === 'all' || which === name;
  return (
    <main>
      {shows('waterfall') &&
        specimens.map((specimen) => <WaterfallSpecimen key={specimen.sample.id} specimen={specimen} />)}
      {shows('table') &&
        specimens.map(({ sample, profile }) => (
          <TableSpecimen key={sample.id} title={sample.title} profile={profile} />
        ))}
      {shows('bytes') && specimens.map((specimen) => <BytesSpecimen key={specimen.sample.id} specimen={specimen} />)}
      {shows('large') && <LargeSpecimen />}
      {shows('many') && <TableSpecimen title="Field table: 5,000 fields" profile={manyFields(5000)} />}
    </main>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <section className="specimen">
      <h1>{title}</h1>
      {children}
    </section>
  );
}

function WaterfallSpecimen({ specimen: { sample, profile } }: { readonly specimen: Specimen }): ReactNode {
  const [cause, setCause] = useState<Cause | null>('flags');
  return (
    <Section title={sample.title}>
      <FitWidth>
        {(width, id) => (
          <Waterfall
            id={id}
            {...waterfallEnds(profile)}
            steps={causeSteps(compareProfile(profile))}
            width={width}
            selected={cause}
            onSelect={setCause}
          />
        )}
      </FitWidth>
    </Section>
  );
}

function BytesSpecimen({ specimen: { sample, profile, first } }: { readonly specimen: Specimen }): ReactNode {
  const [selection, setSelection] = useState<SideRow | null>({ encoding: 'protobuf', row: 9 });
  const [hovered, setHovered] = useState<SideRow | null>(null);
  const sayValue = useMemo(() => createSayValue(first), [first]);
  const writers = new Map(profile.fields.map(({ path, writer }) => [path, writer]));
  const { protobuf, native } = first;
  return (
    <Section title={sample.title}>
      <div style={{ height: 520 }}>
        <HexPair
          protobuf={protobuf}
          native={native}
          selection={selection}
          hovered={hovered}
          onSelect={setSelection}
          onHover={setHovered}
          sayValue={sayValue}
          writerOf={(path) => writers.get(path) ?? null}
        />
      </div>
      {[protobuf, ...(native === null ? [] : [native])].map((side) => {
        const { encoding } = side.table;
        return (
          <div key={encoding} style={{ height: 420, marginTop: 16 }}>
            <MessageTree
              side={side}
              label={encoding === 'protobuf' ? 'Protobuf' : 'Native'}
              type={shortNameOf(sample.type)}
              selected={rowIn(side, selection, protobuf, native)}
              hovered={rowIn(side, hovered, protobuf, native)}
              onSelect={(row) => setSelection({ encoding, row })}
              onHover={(row) => setHovered(row === null ? null : { encoding, row })}
              sayValue={sayValue}
            />
          </div>
        );
      })}
    </Section>
  );
}

/** Ten megabytes in one message, half of them small records. */
function LargeSpecimen(): ReactNode {
  const [first] = useState(() => {
    const bytes = new Uint8Array(10 << 20);
    for (let at = 0; at < 5 << 20; at += 4) bytes.set([0x0a, 0x02, 0x08, at & 0x7f], at);
    bytes.set([0x12, 0xfa, 0xff, 0xbf, 0x02], 5 << 20);
    return inspect(bytes, { type: undefined, layoutOf: deriveLayouts(NATIVE_PROFILES[0]!) });
  });
  const sample = {
    id: 'large',
    title: 'A message of 10 MB',
    file: '',
    framing: '',
    schemas: [],
    type: '',
    nativeProfile: '',
  };
  const profile = { fields: [] as readonly FieldProfile[] } as Profile;
  return <BytesSpecimen specimen={{ sample, profile, first }} />;
}

function TableSpecimen({ title, profile }: { readonly title: string; readonly profile: Profile }): ReactNode {
  const [view, setView] = useState(() => firstView(buildFieldTree(profile)));
  const [selected, setSelected] = useState<string | null>(profile.fields[9]?.path ?? null);
  const [hovered, setHovered] = useState<string | null>(null);
  return (
    <Section title={title}>
      <div style={{ height: 560 }}>
        <FieldTable
          profile={profile}
          compares={profile.pair[1] !== null}
          view={view}
          onView={setView}
          selected={selected}
          hovered={hovered}
          onSelect={setSelected}
          onHover={setHovered}
        />
      </div>
      {selected !== null && <FieldDetail profile={profile} path={selected} />}
    </Section>
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
        fullName: `demo.Many.${name}`,
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
      ledgers: {
        protobuf: { tag, length: isMessage ? presence : 0, value },
        opensearch: { flag: 1000, count: 0, length: 0, type: 0, value: isMessage ? 0 : presence * 8 },
      },
      absent: 0,
      names: {},
      widths: {
        tag: [tag],
        length: isMessage ? [presence] : null,
        value: isMessage ? null : [presence],
      },
      size: { min: 1, max: 10 },
      waste: { overlong: 0, negative: 0, defaults: 0 },
      utf16: 0,
      writers: [],
      types: [],
    });
    if (isMessage) stack.push(path);
  }
  const ledger = (id: string, own: LedgerCells) => ({
    ...{ label: id, refused: null, losses: [], own: { '': own } },
    bytes: fields.reduce((sum, field) => sum + bytesIn(field, id), sumCells(own)),
  });
  return {
    type: 'demo.Many',
    pair: ['protobuf', 'opensearch'],
    messages: 1000,
    ledgers: { protobuf: ledger('protobuf', { unattributed: 1234 }), opensearch: ledger('opensearch', {}) },
    header: null,
    unattributed: 1234,
    fields,
  };
}

const theme = PARAMS.get('theme');
if (theme !== null) document.documentElement.dataset['theme'] = theme;

const { samples }: { readonly samples: readonly Sample[] } = await (await fetch('/samples/index.json')).json();
const asked = PARAMS.get('sample') ?? 'opensearch-search-hits';
const specimens = await Promise.all(samples.filter(({ id }) => asked === 'all' || id === asked).map(readSample));

createRoot(document.getElementById('gallery')!).render(
  <StrictMode>
    <Gallery specimens={specimens} />
  </StrictMode>,
);
