/**
 * Estimates how well bytes fit one protobuf message. It walks over the tags without a descriptor, with limits on depth
 * and records. It distinguishes a single message from a sequence of messages and from other data. It does not find the
 * meaning of the fields. https://protobuf.dev/programming-guides/encoding/
 */
import { varintEnd, varintNumber } from '../bytes/varint.ts';
import { WireType } from '../model/annotation.ts';

export interface Plausibility {
  /**
   * Mean score of the records, 0 to 1: how much each looks like the output of an encoder. 0 if there are no records.
   */
  readonly quality: number;
  readonly records: number;
  /** One past the last complete record of the outermost message. */
  readonly explained: number;
  /** Bytes of the outermost LEN records, including tags and lengths. */
  readonly delimited: number;
  /** Whether records tile the message, or the available part of it. */
  readonly whole: boolean;
}

/** Wire types by field number, shared by messages that are assumed to have the same type. */
export type Shapes = Map<number, number>;

const MAX_RECORDS = 2000;
const MAX_DEPTH = 4;
const MAX_SHAPES = 1000;

/** Judges [start, end). If `end` is beyond `bytes`, only the available part is judged. */
export function plausibleMessage(
  bytes: Uint8Array,
  start: number,
  end: number,
  shapes: Shapes = new Map(),
  depth = 0,
): Plausibility {
  const seen = Math.min(end, bytes.length);
  const groups: number[] = [];
  let quality = 0;
  let records = 0;
  let explained = start;
  let delimited = 0;
  let previous = 0;
  let at = start;
  const verdict = (whole: boolean): Plausibility => ({
    quality: records === 0 ? 0 : quality / records,
    records,
    explained,
    delimited,
    whole,
  });
  // A varint that is cut by the end of the available bytes is a fault only if the message ends there too.
  const cut = end > bytes.length;
  while (at < seen) {
    if (records >= MAX_RECORDS) return verdict(true);
    const tag = varintAt(bytes, at, seen);
    if (tag === undefined) return verdict(cut && seen - at < 10);
    const number = Math.floor(tag.value / 8);
    const wireType = tag.value % 8;
    if (number === 0 || number >= 2 ** 29 || wireType > WireType.I32) return verdict(false);
    const from = at;
    at = tag.end;
    let mark = number < 100 ? 1 : number < 1000 ? 0.8 : number < 20000 ? 0.4 : 0.1;
    if (tag.overlong) mark *= 0.2;
    if (wireType === WireType.EGROUP) {
      if (groups.pop() !== number) return verdict(false);
      if (groups.length === 0) explained = at;
      continue;
    }
    if (wireType === WireType.SGROUP) {
      mark *= 0.6;
      groups.push(number);
    } else if (wireType === WireType.VARINT || wireType === WireType.LEN) {
      const varint = varintAt(bytes, at, seen);
      if (varint === undefined) return verdict(cut && seen - at < 10);
      if (varint.overlong) mark *= 0.4;
      at = varint.end;
      if (wireType === WireType.LEN) {
        if (at + varint.value > end) return verdict(false);
        mark *= contentMark(bytes, at, at + varint.value, depth);
        at += varint.value;
        if (groups.length === 0) delimited += Math.min(at, seen) - from;
      }
    } else at += wireType === WireType.I64 ? 8 : 4;
    if (at > end) return verdict(false);
    if (groups.length === 0 || wireType === WireType.SGROUP) {
      const shape = shapes.get(number);
      if (shape === undefined) {
        if (shapes.size < MAX_SHAPES) shapes.set(number, wireType);
      } else if (shape !== wireType) mark *= shape === WireType.LEN || wireType === WireType.LEN ? 0.5 : 0.1;
      // Encoders write fields in the order of their numbers.
      if (number < previous) mark *= 0.9;
      previous = number;
    }
    quality += mark;
    records++;
    if (groups.length === 0) explained = Math.min(at, seen);
  }
  return verdict(cut || (at === end && groups.length === 0));
}

/** Minimum quality of a message in a sequence. */
const MIN_QUALITY = 0.7;

/** Whether the contents of [start, end), or of its available part, look like a message or the beginning of one. */
export function looksLikeMessage(bytes: Uint8Array, start: number, end: number, shapes: Shapes): boolean {
  const { whole, quality, records } = plausibleMessage(bytes, start, end, shapes);
  // As long as no bytes are available, nothing contradicts that it is a message.
  return whole && (quality >= MIN_QUALITY || (records === 0 && end > bytes.length));
}

/**
 * Whether a pattern of up to `longest` bytes is repeated. Such filler reads as sizes, tags and values alike, so it is not
 * evidence of messages.
 */
export function isFiller(bytes: Uint8Array, longest = 1): boolean {
  for (let period = 1; period <= longest; period++) {
    if (bytes.every((byte, at) => at < period || byte === bytes[at - period])) return true;
  }
  return false;
}

/** Classifies a LEN payload by its bytes: empty, text, a message, or other bytes. */
function contentMark(bytes: Uint8Array, start: number, end: number, depth: number): number {
  if (start === end) return 0.9;
  const seen = Math.min(end, bytes.length, start + 64);
  if (seen <= start) return 0.8;
  let text = true;
  for (let at = start; at < seen && text; at++) {
    const byte = bytes[at]!;
    text = byte !== 0x7f && (byte >= 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09);
  }
  if (text) return 1;
  if (depth < MAX_DEPTH) {
    const nested = plausibleMessage(bytes, start, end, new Map(), depth + 1);
    if (nested.whole && nested.records > 0) return 0.7 + 0.3 * nested.quality;
  }
  return 0.7;
}

interface Varint {
  readonly value: number;
  readonly end: number;
  readonly overlong: boolean;
}

/** Up to ten bytes. Values above 2^53 are inexact; no limit is that large. */
function varintAt(bytes: Uint8Array, start: number, end: number): Varint | undefined {
  const next = varintEnd(bytes, start, end);
  if (next < 0) return undefined;
  return { value: varintNumber(bytes, start, next), end: next, overlong: bytes[next - 1] === 0 && next - start > 1 };
}
