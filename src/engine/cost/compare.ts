/** Where the difference between the two encodings comes from, in causes that sum to it exactly. */
import type { FieldProfile, Profile } from './profile.ts';

/** In the order of a waterfall from native to protobuf. */
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
  text: 'UTF-8 against UTF-16 units',
  superseded: 'Values that a later one replaces',
  keys: 'Names and numbers of fields',
  punctuation: 'Brackets, colons, commas and ends',
  quotes: 'Quotes and escapes',
  forms: 'Other forms of values',
  outside: 'Not in the native layout',
  nativeOnly: 'Not in protobuf',
  unattributed: 'Unattributed',
} as const;
export type Cause = keyof typeof CAUSES;

/** Protobuf minus native: positive bytes are what protobuf costs more. */
export interface CausedBytes {
  readonly cause: Cause;
  readonly bytes: number;
}

/** A field's part in a cause. */
export interface FieldBytes {
  readonly field: FieldProfile;
  readonly bytes: number;
}

/** A cause over a whole profile. */
export interface ProfileCause extends CausedBytes {
  /** The fields that sum to it, largest first; empty for bytes that belong to no field. */
  readonly fields: readonly FieldBytes[];
}

/**
 * One field's difference by cause.
 * A field without a native writer is wholly "outside", or a name that the value repeats. For other fields, three parts
 * are taken out first: names that only one side writes, native bytes for absent values, and the savings of UTF-16
 * lengths and of zigzag on negative numbers. The rest of a field that protobuf never has is "native only".
 */
export function compareField(field: FieldProfile): readonly CausedBytes[] {
  const { protobuf, native, absent, names, utf16, waste, writer, declared, occurrences, presence } = field;
  if (native.key !== undefined) return compareTokens(field);
  if (writer === null) {
    const outside = protobuf.tag + protobuf.length + protobuf.value - names.protobuf;
    return known([
      ['names', names.protobuf],
      ['outside', outside],
    ]);
  }
  const kind = declared?.kind;
  const isText = kind === 'string' || kind === 'bytes';
  // An absent text is a length prefix, any other absent value a value.
  const absentLength = isText ? absent : 0;
  const absentValue = isText ? 0 : absent;
  // A member that is identified by its name has no other type bytes; the rest of the name is its length prefix.
  const nameBytes = names.native > 0 ? native.type : 0;
  const lengths = native.length - (names.native - nameBytes) - absentLength;
  const values = native.value - absentValue;
  // Text takes no fewer bytes natively: where it does, records of one value were replaced by later ones.
  const isReplaced = declared?.cardinality === 'singular' && occurrences > presence;
  const superseded = isText && isReplaced ? Math.max(0, protobuf.value - values) : 0;
  const common = [
    ['flags', -native.flag],
    ['counts', -native.count],
    ['types', nameBytes - native.type],
    ['names', -names.native],
    ['absent', -absent],
  ] as const;
  if (occurrences === 0) return known([...common, ['nativeOnly', -lengths - values]]);
  return known([
    ['tags', protobuf.tag],
    ['lengths', protobuf.length - lengths - utf16],
    ...common,
    ['widths', isText ? 0 : protobuf.value - values - waste.negative],
    ['negatives', waste.negative],
    ['text', isText ? protobuf.value - values - superseded + utf16 : 0],
    ['superseded', superseded],
  ]);
}

/** The other side is an encoding that is made of tokens. */
function compareTokens({ protobuf, native }: FieldProfile): readonly CausedBytes[] {
  const { flag, count, length, type, value, key = 0, punctuation = 0, quotes = 0, unattributed = 0 } = native;
  return known([
    ['tags', protobuf.tag],
    ['lengths', protobuf.length - length],
    ['flags', -flag],
    ['counts', -count],
    ['types', -type],
    ['keys', -key],
    ['punctuation', -punctuation - (native['group-end'] ?? 0)],
    ['quotes', -quotes],
    ['forms', protobuf.value - value],
    ['unattributed', -unattributed],
  ]);
}

/** The whole difference by cause, in the order of CAUSES; causes of no bytes are left out. */
export function compareProfile({ fields, unattributed }: Profile): readonly ProfileCause[] {
  const parts = new Map<Cause, FieldBytes[]>();
  for (const field of fields) {
    for (const { cause, bytes } of compareField(field)) {
      const list = parts.get(cause);
      if (list === undefined) parts.set(cause, [{ field, bytes }]);
      else list.push({ field, bytes });
    }
  }
  return (Object.keys(CAUSES) as Cause[]).flatMap((cause) => {
    const list = parts.get(cause) ?? [];
    const bytes = list.reduce((sum, part) => sum + part.bytes, cause === 'unattributed' ? unattributed : 0);
    // Causes that cancel out over the fields are left out of the whole.
    if (bytes === 0) return [];
    return [{ cause, bytes, fields: list.sort((a, b) => Math.abs(b.bytes) - Math.abs(a.bytes)) }];
  });
}

const known = (causes: readonly (readonly [Cause, number])[]): readonly CausedBytes[] =>
  causes.filter(([, bytes]) => bytes !== 0).map(([cause, bytes]) => ({ cause, bytes }));
