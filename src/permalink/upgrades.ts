/**
 * An older version's data → the newest version's, one version at a time. No upgrader is ever removed:
 * `fixtures/permalinks.txt` holds links of every version, and all of them still open.
 */

import { isObject } from './columns.ts';

/** Changes a part of an object, if both are objects. */
const within = (of: unknown, name: string, change: (part: Unchecked) => unknown): unknown =>
  isObject(of) && isObject(of[name]) ? { ...of, [name]: change(of[name]) } : of;

/** Changes the profile of the figures, and that of A. */
const withProfiles = (shared: unknown, change: (profile: Unchecked) => unknown): unknown =>
  ['data', 'baseline'].reduce((of, name) => within(of, name, (side) => within(side, 'profile', change)), shared);

/**
 * Versions 1 and 2 had two ledgers, protobuf's and the native one, and no others. In version 1, fields about captures
 * were optional, and there were no excerpts. Until version 2 let the reader choose a question, the comparison with
 * native was the only one.
 */
function fromVersion1Or2(shared: unknown): unknown {
  const ofData = within(shared, 'data', (data) =>
    data['kind'] === 'profile' ? { layers: null, excerpt: null, ...data } : data,
  );
  return within(
    withProfiles(ofData, (profile) => ({ ledgers: {}, ...profile })),
    'view',
    (view) => ({ types: {}, scope: ALL_MESSAGES, shown: null, question: 'native', ...view }),
  );
}

/** Version 3 did not have the coverage of its figures, nor the missing traffic of a capture. */
const fromVersion3 = (shared: unknown): unknown =>
  within(shared, 'source', (source) => ({ coverage: null, losses: [], ...source }));

/** Version 4 had two ledgers as fields, `protobuf` and `native`, and all others by their ids. */
const fromVersion4 = (shared: unknown): unknown => withProfiles(shared, ledgersById);

/** Version 5 called protobuf's rows `wire`, and the text encoding of the input `dress`. */
const fromVersion5 = (shared: unknown): unknown =>
  within(within(shared, 'view', viewOfVersion6), 'data', dataOfVersion6);

/** Until version 6 the native profile `opensearch` was also the value of views in which none was chosen. */
const fromVersion6 = (shared: unknown): unknown =>
  within(shared, 'view', (view) => (view['nativeProfile'] === 'opensearch' ? { ...view, nativeProfile: null } : view));

/**
 * Until version 7 a group held the error responses of its action, too, and compressed sizes were of protobuf and the
 * native form, also where other encodings were compared.
 */
function fromVersion7(shared: unknown): unknown {
  const withErrors = (key: unknown): readonly unknown[] =>
    typeof key === 'string' && key.startsWith('opensearch response ') ? [key, `${key} error`] : [key];
  const ofPair = within(shared, 'data', (data) =>
    isObject(data['profile']) && data['profile']['other'] ? { ...data, compressed: null } : data,
  );
  return within(ofPair, 'view', (view) => withGroups(view, withErrors));
}

/** Until version 8 a group of requests to a URL was named with their query. */
function fromVersion8(shared: unknown): unknown {
  const named = (key: unknown): unknown => (typeof key === 'string' ? key.replace(/\?\S*/, '') : key);
  const ofTypes = (types: Unchecked): unknown =>
    Object.fromEntries(Object.entries(types).map(([key, type]) => [named(key), type]));
  return within(shared, 'view', ({ shown, ...view }) =>
    within(withGroups({ ...view, shown: named(shown) }, named), 'types', ofTypes),
  );
}

/** Each group of the selected messages → the groups that a later version calls it. */
const withGroups = (view: Unchecked, change: (key: unknown) => unknown): unknown =>
  within(view, 'scope', ({ groups, ...scope }) => ({
    ...scope,
    groups: Array.isArray(groups) ? [...new Set(groups.flatMap(change))] : groups,
  }));

const viewOfVersion6 = (view: Unchecked): unknown =>
  within(view, 'selection', (selection) => within(selection, 'row', encodingOfVersion6));

function dataOfVersion6({ dress, excerpt, ...data }: Unchecked): unknown {
  const sides = isObject(excerpt) ? excerpt['sides'] : null;
  return {
    ...data,
    ...(dress !== undefined && { textEncoding: dress }),
    ...(excerpt !== undefined && {
      excerpt: Array.isArray(sides) ? { ...(excerpt as Unchecked), sides: sides.map(encodingOfVersion6) } : excerpt,
    }),
  };
}

const encodingOfVersion6 = (of: unknown): unknown =>
  isObject(of) && of['encoding'] === 'wire' ? { ...of, encoding: 'protobuf' } : of;

function ledgersById(profile: Unchecked): unknown {
  const { nativeProfile, bytes, header, ledgers, fields, unattributed, ...rest } = profile;
  if (!Array.isArray(fields) || !isObject(bytes) || !isObject(ledgers) || !fields.every(isObject)) return profile;
  const other = typeof nativeProfile === 'string' ? nativeProfile : null;
  const byId = (sides: unknown): unknown =>
    isObject(sides) ? { protobuf: sides['protobuf'], ...(other !== null && { [other]: sides['native'] }) } : sides;
  const totals = (label: unknown, of: unknown, own: unknown = {}) => ({
    label,
    bytes: of,
    refused: null,
    losses: [],
    own,
  });
  const label = isObject(rest['other']) ? rest['other']['label'] : other;
  const paths = new Set(fields.map(({ path }) => path));
  const named = Object.entries(ledgers).map(([id, ledger]) => {
    const { fields: cells, ...of } = isObject(ledger) ? ledger : {};
    return { id, of, cells: isObject(cells) ? cells : {} };
  });
  return {
    ...rest,
    pair: ['protobuf', other],
    ledgers: {
      protobuf: totals('protobuf', bytes['protobuf'], unattributed === 0 ? {} : { '': { unattributed } }),
      ...(other !== null && { [other]: totals(label, bytes['native']) }),
      ...Object.fromEntries(
        named.map(({ id, of, cells }) => {
          const own = Object.entries(cells).filter(([path]) => !paths.has(path));
          return [id, { ...of, own: Object.fromEntries(own) }];
        }),
      ),
    },
    header: byId(header ?? null),
    unattributed,
    fields: fields.map(({ protobuf, native, names, ...field }: Unchecked) => ({
      ...field,
      ledgers: {
        ...(byId({ protobuf, native }) as object),
        ...Object.fromEntries(named.map(({ id, cells }) => [id, cells[field['path'] as string] ?? {}])),
      },
      names: byId(names ?? { protobuf: 0, native: 0 }),
    })),
  };
}

/** The form of version 3. It never changes: a later version gets an upgrader of its own. */
const ALL_MESSAGES = {
  text: '',
  name: '',
  flow: null,
  minBytes: null,
  maxBytes: null,
  time: null,
  groups: [],
  ordinals: [],
};

type Unchecked = Readonly<Record<string, unknown>>;

/**
 * From version 1, 2, … to the next one; the argument is unchecked. Add one if a field is renamed, removed or changes its
 * meaning. A new optional field needs none.
 */
const UPGRADES: readonly ((shared: unknown) => unknown)[] = [
  fromVersion1Or2,
  fromVersion1Or2,
  fromVersion3,
  fromVersion4,
  fromVersion5,
  fromVersion6,
  fromVersion7,
  fromVersion8,
];

export const VERSION = UPGRADES.length + 1;

export const upgrade = (shared: unknown, from: number): unknown =>
  UPGRADES.slice(from - 1).reduce((current, upgradeNext) => upgradeNext(current), shared);
