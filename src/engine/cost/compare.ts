/** Where the difference between the two encodings comes from, in causes that sum to it exactly. */
import type { FieldProfile, Profile } from './profile.ts';

/** In the order of a waterfall from native to protobuf. */
export const CAUSES = {
  tags: 'Tags',
  lengths: 'Length prefixes',
  flags: 'Optional flags',
  counts: 'Counts',
  types: 'Type bytes',
  absent: 'Values protobuf leaves out',
  widths: 'Fixed against variable widths',
  text: 'UTF-8 against UTF-16 units',
  outside: 'Not in the native layout',
  unattributed: 'Unattributed',
} as const;
export type Cause = keyof typeof CAUSES;

/** Protobuf minus native: positive bytes are what protobuf costs more. */
export interface CausedBytes {
  readonly cause: Cause;
  readonly bytes: number;
}

/**
 * One field's difference by cause. A field without a native writer is outside altogether; of the others, the native
 * bytes that stand for absent values are set apart before lengths and values are compared.
 */
export function compareField({ protobuf, native, absent, writer, declared }: FieldProfile): readonly CausedBytes[] {
  if (writer === null) return known([['outside', protobuf.tag + protobuf.length + protobuf.value]]);
  const kind = declared?.kind;
  const isText = kind === 'string' || kind === 'bytes';
  // An absent text is a length prefix, any other absent value a value.
  const absentLength = isText ? absent : 0;
  const absentValue = isText ? 0 : absent;
  return known([
    ['tags', protobuf.tag],
    ['lengths', protobuf.length - (native.length - absentLength)],
    ['flags', -native.flag],
    ['counts', -native.count],
    ['types', -native.type],
    ['absent', -absent],
    [isText ? 'text' : 'widths', protobuf.value - (native.value - absentValue)],
  ]);
}

/** The whole difference by cause, in the order of CAUSES; causes of no bytes are left out. */
export function compareProfile(profile: Profile): readonly CausedBytes[] {
  const bytes = new Map<Cause, number>();
  for (const field of profile.fields) {
    for (const { cause, bytes: more } of compareField(field)) bytes.set(cause, (bytes.get(cause) ?? 0) + more);
  }
  bytes.set('unattributed', profile.unattributed);
  return known((Object.keys(CAUSES) as Cause[]).map((cause) => [cause, bytes.get(cause) ?? 0]));
}

const known = (causes: readonly (readonly [Cause, number])[]): readonly CausedBytes[] =>
  causes.filter(([, bytes]) => bytes !== 0).map(([cause, bytes]) => ({ cause, bytes }));
