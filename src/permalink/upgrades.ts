/**
 * An older version's data → the newest version's, one version at a time. No upgrader is ever removed:
 * `fixtures/permalinks.txt` holds links of every version, and all of them still open.
 */

/**
 * Raise it if a field is renamed, removed or changes its meaning, and add an upgrader. A new optional field needs
 * neither.
 */
export const VERSION = 8;

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
};

/** In version 1, fields about captures were optional, and there were no excerpts. */
function fromVersion1(shared: unknown): unknown {
  if (!isObject(shared)) return shared;
  const { view, data } = shared;
  return {
    ...shared,
    view: isObject(view) ? { types: {}, scope: ALL_MESSAGES, shown: null, ...view } : view,
    data: isObject(data) && data['kind'] === 'profile' ? { layers: null, excerpt: null, ...data } : data,
  };
}

/** Version 2 had two ledgers, protobuf's and the native one, and no others. */
function fromVersion2(shared: unknown): unknown {
  if (!isObject(shared) || !isObject(shared['data']) || shared['data']['kind'] !== 'profile') return shared;
  const { profile } = shared['data'];
  return isObject(profile) ? { ...shared, data: { ...shared['data'], profile: { ledgers: {}, ...profile } } } : shared;
}

/** Version 3 did not have the coverage of its figures, nor the missing traffic of a capture. */
function fromVersion3(shared: unknown): unknown {
  if (!isObject(shared) || !isObject(shared['source'])) return shared;
  return { ...shared, source: { coverage: null, losses: [], ...shared['source'] } };
}

/** Version 4 had two ledgers as fields, `protobuf` and `native`, and all others by their ids. */
function fromVersion4(shared: unknown): unknown {
  if (!isObject(shared)) return shared;
  const withProfile = (of: unknown): unknown =>
    isObject(of) && isObject(of['profile']) ? { ...of, profile: ledgersById(of['profile']) } : of;
  const { data, baseline } = shared;
  return { ...shared, data: withProfile(data), ...(baseline === undefined ? {} : { baseline: withProfile(baseline) }) };
}

/** Version 5 called protobuf's rows `wire`, and the text encoding of the input `dress`. */
function fromVersion5(shared: unknown): unknown {
  if (!isObject(shared)) return shared;
  const { view, data } = shared;
  return {
    ...shared,
    view: isObject(view) ? viewOfVersion6(view) : view,
    data: isObject(data) ? dataOfVersion6(data) : data,
  };
}

/** Until version 6 the native profile `opensearch` was also the value of views in which none was chosen. */
function fromVersion6(shared: unknown): unknown {
  if (!isObject(shared) || !isObject(shared['view'])) return shared;
  const { view } = shared;
  return view['nativeProfile'] === 'opensearch' ? { ...shared, view: { ...view, nativeProfile: null } } : shared;
}

/** Until version 7 a group held the error responses of its action, too. */
function fromVersion7(shared: unknown): unknown {
  if (!isObject(shared) || !isObject(shared['view']) || !isObject(shared['view']['scope'])) return shared;
  const { view } = shared;
  const { groups, ...scope } = shared['view']['scope'];
  if (!Array.isArray(groups)) return shared;
  const withErrors = groups.flatMap((key: unknown) =>
    typeof key === 'string' && key.startsWith('opensearch response ') ? [key, `${key} error`] : [key],
  );
  return { ...shared, view: { ...view, scope: { ...scope, groups: withErrors } } };
}

function viewOfVersion6(view: Unchecked): unknown {
  const { selection } = view;
  if (!isObject(selection) || !isObject(selection['row'])) return view;
  return { ...view, selection: { ...selection, row: encodingOfVersion6(selection['row']) } };
}

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

const isObject = (value: unknown): value is Unchecked => typeof value === 'object' && value !== null;

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
