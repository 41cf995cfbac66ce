/**
 * An older version's data → the newest version's, one version at a time. No upgrader is ever removed:
 * `fixtures/permalinks.txt` holds links of every version, and all of them still open.
 */

import { isObject } from './columns.ts';

/**
 * Raise it if a field is renamed, removed or changes its meaning, and add an upgrader. A new optional field needs
 * neither.
 */
export const VERSION = 9;

/** Changes a part of an object, if both are objects. */
const within = (of: unknown, name: string, change: (part: Unchecked) => unknown): unknown =>
  isObject(of) && isObject(of[name]) ? { ...of, [name]: change(of[name]) } : of;

/** In version 1, fields about captures were optional, and there were no excerpts. */
function fromVersion1(shared: unknown): unknown {
  const ofView = within(shared, 'view', (view) => ({ types: {}, scope: ALL_MESSAGES, shown: null, ...view }));
  return within(ofView, 'data', (data) =>
    data['kind'] === 'profile' ? { layers: null, excerpt: null, ...data } : data,
  );
}

/** Version 2 had two ledgers, protobuf's and the native one, and no others. */
function fromVersion2(shared: unknown): unknown {
  return within(shared, 'data', (data) =>
    data['kind'] === 'profile' ? within(data, 'profile', (profile) => ({ ledgers: {}, ...profile })) : data,
  );
}

/** Version 3 did not have the coverage of its figures, nor the missing traffic of a capture. */
const fromVersion3 = (shared: unknown): unknown =>
  within(shared, 'source', (source) => ({ coverage: null, losses: [], ...source }));

/** Version 4 had two ledgers as fields, `protobuf` and `native`, and all others by their ids. */
function fromVersion4(shared: unknown): unknown {
  const withProfile = (of: Unchecked): unknown => within(of, 'profile', ledgersById);
  return within(within(shared, 'data', withProfile), 'baseline', withProfile);
}

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
  const named = (key: unknown): string => String(key).replace(/\?\S*/, '');
  const ofTypes = (types: Unchecked): unknown =>
    Object.fromEntries(Object.entries(types).map(([key, type]) => [named(key), type]));
  return within(shared, 'view', ({ shown, ...view }) =>
    within(withGroups({ ...view, shown: shown && named(shown) }, named), 'types', ofTypes),
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

/** The form of version 2. It never changes: a later version gets an upgrader of its own. */
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

/** By the version that it upgrades to the next one. Its argument is unchecked. */
type Upgrades = Readonly<Record<number, (shared: unknown) => unknown>>;

const UPGRADES: Upgrades = {
  1: fromVersion1,
  2: fromVersion2,
  3: fromVersion3,
  4: fromVersion4,
  5: fromVersion5,
  6: fromVersion6,
  7: fromVersion7,
  8: fromVersion8,
};

/** @throws where a version lacks its upgrader: a bug that shows when the module loads */
export function upgradesTo(newest: number, upgrades: Upgrades): (shared: unknown, from: number) => unknown {
  for (let version = 1; version < newest; version++) {
    if (upgrades[version] === undefined) throw new Error(`No upgrader from version ${version}.`);
  }
  return (shared, from) => {
    let current = shared;
    for (let version = from; version < newest; version++) current = upgrades[version]!(current);
    return current;
  };
}

export const upgrade = upgradesTo(VERSION, UPGRADES);
