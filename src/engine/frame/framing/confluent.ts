/**
 * Record values of Kafka and Pulsar topics as serializers of schema registries write them: a single value, or a dump of
 * a topic in which a size precedes each value.
 *
 *   0 │ schema id×4 │ indexes │ message    indexes: zigzag varints: their number, then each; 0 means the list [0]
 *
 * Indexes select the message type in the schema's file: `1.0` is the first type within the second.
 * https://docs.confluent.io/platform/current/schema-registry/fundamentals/serdes-develop/index.html#wire-format
 */
import { varintEnd, varintNumber } from '../../bytes/varint.ts';
import type { Framing } from './framing.ts';
import { framed, type SizedFrame, type SizePrefix } from './size-prefixed-framer.ts';
import { fixedPrefix, varintPrefix } from './sizes.ts';

const MAGIC = 0;
const ID_END = 5;
/** Maximum number of indexes: types are not nested deeper than this. */
const MAX_INDEXES = 8;
/** Maximum varint bytes of an index: no file declares more types. */
const INDEX_BYTES = 2;

/** The length of the header at the start of `bytes`, and the place of the type that its indexes lead to. */
function headOf(bytes: Uint8Array): { readonly length: number; readonly typePlace: string } | 'more' | 'bad' {
  if (bytes.length > 0 && bytes[0] !== MAGIC) return 'bad';
  if (bytes.length <= ID_END) return 'more';
  let at = ID_END;
  const indexes: number[] = [];
  /** Values that are left; the first one is their number. */
  for (let left = 1, isCount = true; left > 0; left--) {
    const end = varintEnd(bytes, at, Math.min(bytes.length, at + INDEX_BYTES));
    if (end < 0) return bytes.length - at < INDEX_BYTES ? 'more' : 'bad';
    const value = varintNumber(bytes, at, end);
    at = end;
    // Negative numbers are odd in zigzag.
    if (value % 2 === 1) return 'bad';
    if (isCount) left += value / 2;
    else indexes.push(value / 2);
    if (left > MAX_INDEXES + 1) return 'bad';
    isCount = false;
  }
  return { length: at, typePlace: indexes.join('.') || '0' };
}

/** Preceded by a size, or extending to the end of the input. */
const recordPrefix =
  (sizePrefix: SizePrefix | null): SizePrefix =>
  (header, length, left) => {
    let sizeLength = 0;
    let size: SizedFrame | 'more' | 'bad' = sizePrefix === null ? { size: left, kind: 'plain' } : 'more';
    while (size === 'more' && sizePrefix !== null && sizeLength < length) size = sizePrefix(header, ++sizeLength, left);
    if (size === 'more' || size === 'bad' || size.kind === 'trailer') return size;
    const end = Math.min(length, sizeLength + size.size);
    const head = headOf(header.subarray(sizeLength, end));
    if (head === 'more') return end < length || length - sizeLength === size.size ? 'bad' : 'more';
    return head === 'bad' ? head : { size: size.size - head.length, kind: 'plain', typePlace: head.typePlace };
  };

const oneRecord = framed({ id: 'confluent', label: 'Schema-registry record', prefix: recordPrefix(null) });

/** A framing without a size always ends at the end of the input. A size that tiles the input is better evidence. */
const CERTAINTY = 0.9;

export const CONFLUENT: readonly Framing[] = [
  {
    ...oneRecord,
    sniff(head, size) {
      const { score, reason } = oneRecord.sniff(head, size);
      return { score: score * CERTAINTY, reason };
    },
  },
  framed({
    id: 'confluent-be32',
    label: 'Schema-registry records, 4 bytes big-endian',
    prefix: recordPrefix(fixedPrefix(4, 'big')),
  }),
  framed({
    id: 'confluent-varint',
    label: 'Schema-registry records, varint sizes',
    prefix: recordPrefix(varintPrefix),
  }),
];
