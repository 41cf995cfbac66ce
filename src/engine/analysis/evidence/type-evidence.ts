/**
 * The evidence against a type, in one table. Each row is something that an encoder of the type would not have written.
 *
 * `bits` is the weight of a finding that every occurrence of a field has: 2^bits is the ratio of the probabilities that
 * the message has another type and that it has this type. docs/type-evidence.md has the confusion table that the
 * weights were chosen by.
 */

interface Evidence {
  /** 0: shown, but not counted here, because another rule counts it. */
  readonly bits: number;
  /** No encoder writes it. A type is not asserted if a tenth of a field's occurrences have it. */
  readonly isContradiction: boolean;
  /** Follows a number: `2 unknown field numbers`. */
  readonly one: string;
  readonly many: string;
}

const soft = (bits: number, one: string, many: string): Evidence => ({ bits, isContradiction: false, one, many });
const hard = (bits: number, one: string, many: string): Evidence => ({ bits, isContradiction: true, one, many });

export const EVIDENCE = {
  unknown: soft(6, 'field number that it does not have', 'field numbers that it does not have'),
  mismatch: hard(12, 'wire type that does not fit', 'wire types that do not fit'),
  malformed: hard(14, 'submessage that cannot be read', 'submessages that cannot be read'),
  repeated: hard(12, 'singular field twice in a message', 'singular fields twice in the same message'),
  oneof: hard(10, 'second member of a oneof', 'second members of a oneof'),
  required: hard(10, 'missing required field', 'missing required fields'),
  notUtf8: hard(12, 'string that is not UTF-8', 'strings that are not UTF-8'),
  control: soft(5, 'string with control characters', 'strings with control characters'),
  outOfRange: hard(12, 'integer out of its range', 'integers out of their range'),
  overlong: hard(10, 'overlong varint', 'overlong varints'),
  unknownEnum: soft(7, 'number that its enum does not have', 'numbers that their enum does not have'),
  writtenDefault: soft(2, 'default value that encoders leave out', 'default values that encoders leave out'),
  oddFloat: soft(4, 'float of an improbable size', 'floats of an improbable size'),
  severalRuns: hard(8, 'packed field in several runs', 'packed fields in several runs'),
  oddRun: hard(10, 'packed run with odd elements', 'packed runs with odd elements'),
  textInRun: soft(4, 'text or message in a field of numbers', 'texts or messages in fields of numbers'),
  heldMessage: soft(3, 'message in a field of bytes', 'messages in fields of bytes'),
  typeUrl: soft(6, 'type URL that names no type', 'type URLs that name no type'),
  otherForm: soft(2, 'repeated field in its other form', 'repeated fields in their other form'),
} as const satisfies Readonly<Record<string, Evidence>>;

export type EvidenceId = keyof typeof EVIDENCE;

export const EVIDENCE_IDS = Object.keys(EVIDENCE) as readonly EvidenceId[];

/** Bits against a type that explains no bytes. A smaller unexplained share counts proportionally. */
export const UNEXPLAINED_BITS = 40;

/**
 * The weight of a finding that only some occurrences of a field have. Rare faults are faults of the data, not of the
 * type.
 */
export function weightOf(found: number, occurrences: number): number {
  const rate = Math.min(1, found / Math.max(1, occurrences));
  const size = rate >= 0.1 ? 1 : 0.3 + 7 * rate;
  // More occurrences count more: a hundred are not an accident.
  return size * (1 + Math.log2(Math.max(1, found)) / 8);
}
