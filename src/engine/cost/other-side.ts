/**
 * A profile that is compared with an encoding instead of a native profile. The braces of the message itself and names
 * that no schema has get rows of their own.
 */
import { type EncodingLedger, withLedgers } from './encoding-ledger.ts';
import { type ComparedEncoding, type FieldProfile, type LedgerCells, PROTOBUF, type Profile, ROOT } from './profile.ts';

/** A ledger of a pair. */
export interface NamedLedger {
  /** Id of the encoding. */
  readonly id: string;
  readonly ledger: EncodingLedger;
}

/**
 * @param id of the encoding
 * @param ledger undefined, or without bytes: there is nothing to compare with
 * @param captured the ledger of the captured encoding, which replaces protobuf in the comparison
 * @param others further ledgers of the profile
 */
export function withOtherSide(
  profile: Profile,
  id: string,
  other: ComparedEncoding,
  ledger: EncodingLedger | undefined,
  {
    captured,
    others,
  }: { readonly captured?: NamedLedger | undefined; readonly others: Readonly<Record<string, EncodingLedger>> },
): Profile {
  const only = withoutNative(profile);
  const beside = captured === undefined ? others : { [captured.id]: captured.ledger, ...others };
  if (ledger === undefined || ledger.bytes === null) return withLedgers(only, beside);
  const isLeftOut = leftOutBy(ledger, only);
  const tree = new FieldRows(
    only.fields.map((field) => ({ ...field, writer: isLeftOut(field.path) ? null : other.label })),
  );
  const shown: Record<string, EncodingLedger> = {};
  const sides = [...(captured === undefined ? [] : [captured]), { id, ledger: { ...ledger, label: other.label } }];
  for (const side of sides) {
    const cells = new Map<string, LedgerCells>(only.fields.map(({ path }) => [path, NO_TOKENS]));
    for (const [key, known] of Object.entries(side.ledger.fields)) {
      const path = key === '' ? ROOT : key;
      tree.add(path, other.label, profile.messages);
      cells.set(path, { ...NO_TOKENS, ...known });
    }
    shown[side.id] = { ...side.ledger, fields: Object.fromEntries(cells) };
  }
  // In the order of the pair.
  return withLedgers(
    { ...only, pair: [captured?.id ?? PROTOBUF, id], other, fields: tree.inOrder() },
    { ...shown, ...others, ...shown },
  );
}

/** Encodings by position have no place for extensions and what is in them. */
function leftOutBy(ledger: EncodingLedger, { fields }: Profile): (path: string) => boolean {
  const paths = new Set<string>();
  for (const { path, parent, name, declared } of fields) {
    const isExtension = name === `[${declared?.fullName}]`;
    if (ledger.fields[path] === undefined && (isExtension || paths.has(parent))) paths.add(path);
  }
  return (path) => paths.has(path);
}

/** The facts of a native layout do not hold for another encoding. */
const withoutNative = (profile: Profile): Profile => ({
  ...profile,
  pair: [PROTOBUF, null],
  ledgers: { [PROTOBUF]: profile.ledgers[PROTOBUF]! },
  fields: profile.fields.map((field) => ({
    ...{ ...field, writer: null, absent: 0, names: {}, utf16: 0, writers: [] },
    ledgers: { [PROTOBUF]: field.ledgers[PROTOBUF]! },
  })),
});

/** All categories that an encoding of tokens may have. */
const NO_TOKENS: LedgerCells = {
  ...{ flag: 0, count: 0, length: 0, type: 0, value: 0 },
  ...{ key: 0, punctuation: 0, quotes: 0, space: 0, offset: 0, padding: 0, 'group-end': 0, unattributed: 0 },
};

/** Rows by parent. Parents precede their children, and a new row follows the rows that its parent already has. */
class FieldRows {
  readonly #children = new Map<string, FieldProfile[]>();
  readonly #paths = new Set<string>();

  constructor(fields: readonly FieldProfile[]) {
    for (const field of fields) this.#enter(field);
  }

  #enter(field: FieldProfile): void {
    this.#paths.add(field.path);
    const siblings = this.#children.get(field.parent);
    if (siblings === undefined) this.#children.set(field.parent, [field]);
    else siblings.push(field);
  }

  /** Adds a row unless the path already has one. */
  add(path: string, writer: string, messages: number): void {
    if (this.#paths.has(path)) return;
    let parent = path;
    do parent = parent.slice(0, Math.max(0, parent.lastIndexOf('.')));
    while (parent !== '' && !this.#paths.has(parent));
    const name = parent === '' ? path : path.slice(parent.length + 1);
    // Tokens do not show in how many messages a field is.
    const present = path === ROOT ? messages : 0;
    this.#enter({ ...UNKNOWN, path, parent, name, writer, parents: present, presence: present });
  }

  inOrder(parent = '', into: FieldProfile[] = []): readonly FieldProfile[] {
    for (const field of this.#children.get(parent) ?? []) {
      into.push(field);
      if (field.path !== parent) this.inOrder(field.path, into);
    }
    return into;
  }
}

const NO_WIDTHS = Array<number>(10).fill(0);
const UNKNOWN: FieldProfile = {
  path: '',
  parent: '',
  name: '',
  number: 0,
  declared: null,
  writer: null,
  occurrences: 0,
  elements: 0,
  packedRuns: 0,
  parents: 0,
  presence: 0,
  ledgers: { [PROTOBUF]: { tag: 0, length: 0, value: 0 } },
  absent: 0,
  names: {},
  utf16: 0,
  widths: { tag: NO_WIDTHS, length: null, value: null },
  size: { min: 0, max: 0 },
  waste: { overlong: 0, negative: 0, defaults: 0 },
  writers: [],
  types: [],
};
