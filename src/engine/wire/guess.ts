/**
 * Every plausible reading of a record that no schema describes, best first, each with a reason. The same bytes can be a
 * text, a message and a packed run, so a reading is always a guess.
 * Time is linear in the size of the payload.
 */

import { printDouble, printFloat } from '../bytes/float-text.ts';
import { printHex } from '../bytes/hex.ts';
import { sequenceLength } from '../bytes/utf8.ts';
import { unzigzag64, varintBigInt, varintEnd } from '../bytes/varint.ts';
import { WireType } from '../model/annotation.ts';
import { plural } from '../model/count-text.ts';
import { probeMessage } from './raw-record.ts';
import { printValue } from './value.ts';

export interface Guess {
  /** Name of a scalar type, `message`, or `packed` and the elements' type. */
  readonly reading: string;
  /** The value in this reading. */
  readonly value: string;
  readonly reason: string;
  /** From 0 to 1; guesses are sorted by it. */
  readonly likelihood: number;
}

/** The readings of the payload `bytes[start, end)` of a record. */
export function guessReadings(bytes: Uint8Array, start: number, end: number, wireType: number): readonly Guess[] {
  const guesses =
    wireType === WireType.LEN
      ? guessLen(bytes, start, end)
      : wireType === WireType.VARINT
        ? guessVarint(bytes, start, end)
        : wireType === WireType.I32
          ? guessI32(bytes, start)
          : wireType === WireType.I64
            ? guessI64(bytes, start)
            : [];
  return guesses.sort((a, b) => b.likelihood - a.likelihood);
}

/** The likelihood that a payload is text, from 0 to 1. */
export function textLikelihood(bytes: Uint8Array, start: number, end: number): number {
  let controls = 0;
  let breaks = 0;
  for (let p = start; p < end; ) {
    const length = sequenceLength(bytes, p, end);
    if (length === 0) return 0;
    const byte = bytes[p]!;
    if (byte === 9 || byte === 10 || byte === 13) breaks++;
    else if (byte < 32 || byte === 127) controls++;
    p += length;
  }
  if (controls > 0) return 0.2;
  return breaks > 0 ? 0.75 : end - start < 3 ? 0.78 : 0.9;
}

/**
 * The likelihood that a payload is a message, from 0 to 1. Small field numbers and more than one record increase it.
 * @param isCut the payload continues after `end`, out of sight
 */
export function messageLikelihood(bytes: Uint8Array, start: number, end: number, isCut = false): number {
  const probe = probeMessage(bytes, start, end, isCut);
  if (probe === undefined) return 0;
  return (
    (probe.largestNumber <= 64 ? 0.75 : probe.largestNumber <= 2047 ? 0.6 : 0.25) + (probe.records > 1 ? 0.1 : 0.05)
  );
}

function guessLen(bytes: Uint8Array, start: number, end: number): Guess[] {
  if (start === end) {
    const reason = 'An empty payload may be any of these.';
    return [
      { reading: 'string', value: '""', reason, likelihood: 0.5 },
      { reading: 'message', value: '0 fields', reason, likelihood: 0.45 },
      { reading: 'bytes', value: '0 bytes', reason, likelihood: 0.4 },
    ];
  }
  const guesses: Guess[] = [
    {
      reading: 'bytes',
      value: printFacts(bytes, start, end, 'bytes'),
      reason: 'Any payload is bytes.',
      likelihood: 0.4,
    },
  ];
  const textual = textLikelihood(bytes, start, end);
  if (textual > 0) {
    const reason =
      textual > 0.5 ? 'Valid UTF-8 without control characters.' : 'Valid UTF-8, but with control characters.';
    guesses.push({ reading: 'string', value: printFacts(bytes, start, end, 'string'), reason, likelihood: textual });
  }
  const message = messageLikelihood(bytes, start, end);
  if (message > 0) {
    const { records, largestNumber } = probeMessage(bytes, start, end)!;
    const reason = `Its records end where it ends; field numbers reach ${largestNumber}.`;
    guesses.push({ reading: 'message', value: plural(records, 'field'), reason, likelihood: message });
  }
  for (const run of [
    packedVarints(bytes, start, end),
    packedFixed(bytes, start, end, 4),
    packedFixed(bytes, start, end, 8),
  ]) {
    if (run !== undefined) guesses.push(run);
  }
  return guesses;
}

const printFacts = (bytes: Uint8Array, start: number, end: number, type: 'bytes' | 'string'): string =>
  printValue(bytes, start, end, { type, enum: undefined });

const MAX_ELEMENTS = 8;
const listed = (shown: readonly string[], count: number): string =>
  `${plural(count, 'element')}: ${shown.join(', ')}${count > shown.length ? ', …' : ''}`;

function packedVarints(bytes: Uint8Array, start: number, end: number): Guess | undefined {
  const shown: string[] = [];
  let count = 0;
  for (let p = start; p < end; count++) {
    const next = varintEnd(bytes, p, end);
    if (next < 0 || (next - p > 1 && bytes[next - 1] === 0)) return undefined;
    if (count < MAX_ELEMENTS) shown.push(String(varintBigInt(bytes, p, next)));
    p = next;
  }
  const reason = 'Varints, none longer than it needs to be, that end where the payload ends.';
  return { reading: 'packed varint', value: listed(shown, count), reason, likelihood: count > 1 ? 0.5 : 0.3 };
}

function packedFixed(bytes: Uint8Array, start: number, end: number, size: 4 | 8): Guess | undefined {
  if ((end - start) % size !== 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const shown: string[] = [];
  let isPlausible = true;
  for (let p = start; p < end; p += size) {
    const value = size === 4 ? view.getFloat32(p, true) : view.getFloat64(p, true);
    isPlausible &&= isEverydayFloat(view, p, size);
    if (shown.length < MAX_ELEMENTS)
      shown.push(size === 4 ? printFloat(value, bytes, p) : printDouble(value, bytes, p));
  }
  const name = size === 4 ? 'float' : 'double';
  const reason = isPlausible
    ? `A multiple of ${size} bytes, and every ${name} is of an everyday size.`
    : `A multiple of ${size} bytes.`;
  return {
    reading: `packed ${name}`,
    value: listed(shown, (end - start) / size),
    reason,
    likelihood: isPlausible ? (size === 8 ? 0.65 : 0.55) : 0.1,
  };
}

/** Zero, the usual NaN, or a number that is neither tiny nor huge. Bits of integers hardly ever form such a number. */
export function isEverydayFloat(view: DataView, p: number, size: number): boolean {
  const value = Math.abs(size === 4 ? view.getFloat32(p, true) : view.getFloat64(p, true));
  if (Number.isNaN(value))
    return size === 4 ? view.getUint32(p, true) === 0x7fc00000 : view.getUint32(p + 4, true) === 0x7ff80000;
  return value === 0 || (value >= 1e-9 && value < 1e18);
}

function guessVarint(bytes: Uint8Array, start: number, end: number): Guess[] {
  const value = varintBigInt(bytes, start, end);
  const guesses: Guess[] = [];
  const signed = BigInt.asIntN(64, value);
  if (signed < 0n) {
    guesses.push({
      reading: 'int64',
      value: String(signed),
      reason: 'Ten bytes: how a negative int32, int64 or enum is written.',
      likelihood: 0.85,
    });
    guesses.push({ reading: 'uint64', value: String(value), reason: 'Any varint is unsigned.', likelihood: 0.4 });
  } else {
    guesses.push({ reading: 'uint64', value: String(value), reason: 'Any varint is unsigned.', likelihood: 0.7 });
  }
  const zigzag = unzigzag64(value);
  guesses.push({
    reading: 'sint64',
    value: String(zigzag),
    reason: 'Zigzag: odd numbers are negative.',
    likelihood: 0.35,
  });
  if (value < 2n) {
    guesses.push({ reading: 'bool', value: String(value === 1n), reason: '0 or 1.', likelihood: 0.5 });
  }
  const time = timestamp(value);
  if (time !== undefined) guesses.push(time);
  return guesses;
}

function guessI32(bytes: Uint8Array, start: number): Guess[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const float = view.getFloat32(start, true);
  const integer = view.getInt32(start, true);
  const guesses: Guess[] = [
    floatGuess('float', printFloat(float, bytes, start), isEverydayFloat(view, start, 4)),
    { reading: 'fixed32', value: String(integer >>> 0), reason: 'Any four bytes are unsigned.', likelihood: 0.5 },
  ];
  if (integer < 0) {
    guesses.push({ reading: 'sfixed32', value: String(integer), reason: 'The top bit is set.', likelihood: 0.4 });
  }
  const time = timestamp(BigInt(integer >>> 0));
  if (time !== undefined) guesses.push(time);
  return guesses;
}

function guessI64(bytes: Uint8Array, start: number): Guess[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const double = view.getFloat64(start, true);
  const integer = view.getBigInt64(start, true);
  const guesses: Guess[] = [
    floatGuess('double', printDouble(double, bytes, start), isEverydayFloat(view, start, 8)),
    {
      reading: 'fixed64',
      value: String(BigInt.asUintN(64, integer)),
      reason: `Any eight bytes are unsigned: ${printHex(bytes, start, start + 8)}.`,
      likelihood: 0.5,
    },
  ];
  if (integer < 0n) {
    guesses.push({ reading: 'sfixed64', value: String(integer), reason: 'The top bit is set.', likelihood: 0.4 });
  }
  const time = timestamp(integer);
  if (time !== undefined) guesses.push(time);
  return guesses;
}

const floatGuess = (reading: string, value: string, isEveryday: boolean): Guess =>
  isEveryday
    ? { reading, value, reason: 'The number has a usual size.', likelihood: 0.7 }
    : { reading, value, reason: 'The number is tiny, huge or NaN.', likelihood: 0.1 };

/** Units of time since 1970, each with its number per second. */
const CLOCKS = [
  ['seconds', 1n],
  ['milliseconds', 1_000n],
  ['microseconds', 1_000_000n],
  ['nanoseconds', 1_000_000_000n],
] as const;
/** Range of plausible times: 9 September 2001 to 3 March 2065. */
const FIRST_SECOND = 1_000_000_000n;
const LAST_SECOND = 3_000_000_000n;

function timestamp(value: bigint): Guess | undefined {
  for (const [unit, scale] of CLOCKS) {
    if (value < FIRST_SECOND * scale || value >= LAST_SECOND * scale) continue;
    const time = new Date(Number((value * 1000n) / scale)).toISOString();
    const reason = `As ${unit} since 1970 it lies between 2001 and 2065.`;
    return { reading: 'timestamp', value: time, reason, likelihood: unit === 'seconds' ? 0.45 : 0.6 };
  }
  return undefined;
}
