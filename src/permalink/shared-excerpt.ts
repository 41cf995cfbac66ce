/**
 * Validates an untrusted excerpt of a message: its named spans cover its bytes without gaps and are inside the message.
 */
import * as v from 'valibot';
import { EXCERPT_BYTES, EXCERPT_COLUMNS, type Excerpt, type ExcerptSide } from '#engine/inspect/excerpt.ts';
import { CATEGORIES } from '#engine/model/annotation.ts';
import { bytesUpTo, COUNT, NAME } from './shared-values.ts';

const SEGMENT = v.strictObject({
  category: v.picklist(CATEGORIES),
  bytes: v.pipe(COUNT, v.minValue(1)),
  path: NAME,
  words: v.pipe(v.string(), v.maxLength(200)),
});

const SIDE = v.pipe(
  v.strictObject({
    encoding: v.picklist(['protobuf', 'native']),
    label: v.exactOptional(v.pipe(v.string(), v.maxLength(100))),
    size: COUNT,
    start: v.pipe(
      COUNT,
      v.check((start) => start % EXCERPT_COLUMNS === 0),
    ),
    bytes: bytesUpTo(EXCERPT_BYTES),
    segments: v.pipe(v.array(SEGMENT), v.maxLength(EXCERPT_BYTES)),
    lit: v.nullable(v.tuple([COUNT, COUNT])),
  }),
  v.check((side) => isPlaced(side), 'The bytes do not lie in their message'),
  v.check(
    ({ bytes, segments }) => segments.reduce((sum, segment) => sum + segment.bytes, 0) === bytes.length,
    'The segments do not sum to the bytes',
  ),
);

export const SHARED_EXCERPT = v.strictObject({
  ordinal: COUNT,
  path: NAME,
  sides: v.pipe(
    v.array(SIDE),
    v.check((sides) => sides.map(({ encoding }) => encoding).join() in ORDERS, 'The sides are protobuf, then native'),
  ),
}) satisfies v.GenericSchema<unknown, Excerpt>;

const ORDERS = { protobuf: true, 'protobuf,native': true };

const isPlaced = ({ size, start, bytes, lit }: ExcerptSide): boolean =>
  start + bytes.length <= size && (lit === null || (lit[0] < lit[1] && lit[1] <= size));
