/** Where the difference between the two ledgers of a profile comes from, in causes that sum to it exactly. */
import {
  bytesIn,
  cellsIn,
  type FieldProfile,
  KEPT_AS_PROTOBUF,
  type LedgerPair,
  PROTOBUF,
  type Profile,
  ROOT,
} from './profile.ts';

/** In the order of a waterfall chart from the second ledger to the first. */
export const CAUSES = {
  tags: 'Tags',
  lengths: 'Length prefixes',
  flags: 'Optional flags',
  counts: 'Counts',
  types: 'Type bytes',
  names: 'Repeated names',
  absent: 'Values protobuf leaves out',
  widths: 'Fixed against variable widths',
  negatives: 'Negative numbers in ten bytes',
  text: 'Texts in other bytes',
  superseded: 'Values that a later one replaces',
  keys: 'Names and numbers of fields',
  punctuation: 'Brackets, colons, commas and ends',
  quotes: 'Quotes and escapes',
  spaces: 'White space and comments',
  offsets: 'Offsets and pointers',
  padding: 'Padding',
  forms: 'Other forms of values',
  outside: 'No place in the other encoding',
  nativeOnly: 'Not in protobuf',
  unattributed: 'Unattributed',
} as const;
export type Cause = keyof typeof CAUSES;

/** The first ledger minus the second: positive if the first costs more. */
export interface CausedBytes {
  readonly cause: Cause;
  readonly bytes: number;
}

/** A field's part in a cause. */
export interface FieldBytes {
  readonly field: FieldProfile;
  readonly bytes: number;
}

/** A cause, summed over a whole profile. */
export interface ProfileCause extends CausedBytes {
  /** The fields that sum to it, largest first; empty for bytes that belong to no field. */
  readonly fields: readonly FieldBytes[];
}

/**
 * One field's difference by cause.
 * A name or number that the type does not have is on one side only: that is the whole difference.
 * The whole difference of a field without a native writer is "outside", or a name that the value repeats. For other
 * fields, three parts are taken out first: names that only one side writes, native bytes for absent values, and the
 * savings of UTF-16 lengths and of zigzag on negative numbers. For a field that never occurs in protobuf, the rest is
 * "native only".
 */
export function compareFieldCost(field: FieldProfile, [first, second]: LedgerPair): readonly CausedBytes[] {
  const { absent, names, utf16, writer, declared, occurrences, presence } = field;
  const bytes = bytesIn(field, first);
  const others = bytesIn(field, second);
  if (declared === null && field.path !== ROOT && bytes * others === 0)
    return known([
      ['outside', bytes],
      ['nativeOnly', -others],
    ]);
  const negative = field.waste.negative ?? 0;
  const ours = cellsOf(field, first);
  const theirs = cellsOf(field, second);
  if (writer === null) {
    const repeated = names[first] ?? 0;
    return known([
      ['names', repeated],
      ['outside', bytes - repeated],
    ]);
  }
  if (first !== PROTOBUF || theirs.key !== undefined || writer === KEPT_AS_PROTOBUF) return compareCells(ours, theirs);
  const named = (second === null ? undefined : names[second]) ?? 0;
  const kind = declared?.kind;
  const isText = kind === 'string' || kind === 'bytes';
  // An absent text is written as a length prefix, any other absent value as a value.
  const absentLength = isText ? absent : 0;
  const absentValue = isText ? 0 : absent;
  // A member that is identified by its name has no other type bytes. The length prefix of the name is not part of the
  // name.
  const nameBytes = named > 0 ? theirs.type : 0;
  const lengths = theirs.length - (named - nameBytes) - absentLength;
  const values = theirs.value - absentValue;
  // Later records of a singular field replace earlier ones, whose text has no native bytes. Text in messages that were
  // replaced, and text that a layout cuts, stays under `text`.
  const isReplaced = declared?.cardinality === 'singular' && occurrences > presence;
  const superseded = isText && isReplaced ? Math.max(0, ours.value - values) : 0;
  const common = [
    ['flags', -theirs.flag],
    ['counts', -theirs.count],
    ['types', nameBytes - theirs.type],
    ['names', -named],
    ['absent', -absent],
  ] as const;
  if (occurrences === 0) return known([...common, ['nativeOnly', -lengths - values]]);
  return known([
    ['tags', ours.tag],
    ['lengths', ours.length - lengths - utf16],
    ...common,
    ['widths', isText ? 0 : ours.value - values - negative],
    ['negatives', negative],
    ['text', isText ? ours.value - values - superseded + utf16 : 0],
    ['superseded', superseded],
  ]);
}

type Cells = ReturnType<typeof cellsOf>;

function cellsOf(field: FieldProfile, id: string | null) {
  return { ...{ tag: 0, flag: 0, count: 0, length: 0, type: 0, value: 0 }, ...cellsIn(field, id) };
}

/** Compares category by category. Used if one encoding consists of tokens, or if the first ledger is not protobuf's. */
function compareCells(ours: Cells, theirs: Cells): readonly CausedBytes[] {
  const more = (cell: keyof Cells): number => (ours[cell] ?? 0) - (theirs[cell] ?? 0);
  return known([
    ['tags', more('tag')],
    ['lengths', more('length')],
    ['flags', more('flag')],
    ['counts', more('count')],
    ['types', more('type')],
    ['keys', more('key')],
    ['punctuation', more('punctuation') + more('group-end')],
    ['quotes', more('quotes')],
    ['spaces', more('space')],
    ['offsets', more('offset')],
    ['padding', more('padding')],
    ['forms', more('value')],
    ['unattributed', more('unattributed')],
  ]);
}

/** The whole difference by cause, in the order of CAUSES. Causes without bytes are left out. */
export function compareProfile({ fields, unattributed, pair }: Profile): readonly ProfileCause[] {
  const parts = new Map<Cause, FieldBytes[]>();
  for (const field of fields) {
    for (const { cause, bytes } of compareFieldCost(field, pair)) {
      const list = parts.get(cause);
      if (list === undefined) parts.set(cause, [{ field, bytes }]);
      else list.push({ field, bytes });
    }
  }
  return (Object.keys(CAUSES) as Cause[]).flatMap((cause) => {
    const list = parts.get(cause) ?? [];
    const bytes = list.reduce((sum, part) => sum + part.bytes, cause === 'unattributed' ? unattributed : 0);
    // A cause whose bytes cancel out over the fields is left out.
    if (bytes === 0) return [];
    return [{ cause, bytes, fields: list.sort((a, b) => Math.abs(b.bytes) - Math.abs(a.bytes)) }];
  });
}

/**
 * Bytes that one side of the pair has and the other cannot have: unread ones, fields and names that the type does not
 * have, and fields that the second side has no place for.
 */
export function bytesAlone(profile: Profile): readonly [first: number, second: number] {
  const isAlone = ({ cause }: CausedBytes): boolean =>
    cause === 'outside' || cause === 'unattributed' || (cause === 'nativeOnly' && profile.other?.isCaptured === true);
  const parts = profile.fields.flatMap((field) => compareFieldCost(field, profile.pair).filter(isAlone));
  const sum = (sign: 1 | -1): number => parts.reduce((all, { bytes }) => all + Math.max(0, sign * bytes), 0);
  return [profile.unattributed + sum(1), sum(-1)];
}

const known = (causes: readonly (readonly [Cause, number])[]): readonly CausedBytes[] =>
  causes.filter(([, bytes]) => bytes !== 0).map(([cause, bytes]) => ({ cause, bytes }));
