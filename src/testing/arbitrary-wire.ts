/**
 * Random bytes that are a valid message of a type, in any of the forms that readers accept: fields in any order and
 * several times, packed or not, varints longer than they need to be, unknown numbers.
 */
import fc from 'fast-check';
import { deriveLayouts } from '#engine/native/derive.ts';
import { SCHEMA_LAYOUT_PROFILE } from '#engine/native/profiles.ts';
import { writeNative } from '#engine/native/write.ts';
import type { EnumDescriptor, FieldDescriptor, MessageDescriptor } from '#engine/schema/descriptor.ts';
import { annotate } from '#engine/wire/annotate.ts';
import { fixedSize } from '#engine/wire/encoding-facts.ts';
import { MESSAGES } from './arbitrary-schema.ts';

export interface WireOptions {
  /** Overlong varints, duplicates of singular fields, several members of a oneof, wrong wire types. Default: true. */
  readonly odd?: boolean;
  readonly unknown?: boolean;
}

/** A tape of random numbers that determines the bytes, so that fast-check can shrink them. */
class Tape {
  #at = 0;
  readonly #numbers: readonly number[];
  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }
  below(limit: number): number {
    return (this.#numbers[this.#at++] ?? 0) % limit;
  }
  get isAtEnd(): boolean {
    return this.#at >= this.#numbers.length;
  }
}

export function arbitraryWire(
  type: MessageDescriptor,
  { odd = true, unknown = odd }: WireOptions = {},
): fc.Arbitrary<Uint8Array> {
  return fc
    .array(fc.nat({ max: 0xffff }), { minLength: 0, maxLength: 160, size: 'max' })
    .map((numbers) => Uint8Array.from(message(type, new Tape(numbers), { odd, unknown }, 0)));
}

type Options = Required<WireOptions>;

/** The depth of the deepest field that holds a message; the fields of the message itself are at 0. */
const MAX_DEPTH = 8;

/** A google.protobuf.Any: usually its URL, then a message of the type that it names. */
function any(type: MessageDescriptor, tape: Tape, options: Options, depth: number): number[] {
  const named = type.namedTypes!.get(`random.${MESSAGES[tape.below(MESSAGES.length)]}`)!;
  const url = `${['type.googleapis.com', 'x', ''][tape.below(3)]}/${tape.below(8) === 0 ? 'none.X' : named.fullName}`;
  const held = depth >= MAX_DEPTH ? [] : message(named, tape, options, depth + 1);
  const parts = [1, 2].map((number) => {
    const out: number[] = [];
    tag(number, 2, tape, options, out);
    prefixed(number === 1 ? [...new TextEncoder().encode(url)] : held, tape, options, out);
    return out;
  });
  if (!options.odd || tape.below(6) !== 0) return parts.flat();
  const order = [[1, 0], [0, 1, 1], [0, 1, 0], [1], [0, 1, 0, 1]][tape.below(5)]!;
  return order.flatMap((part) => parts[part]!);
}

function message(type: MessageDescriptor, tape: Tape, options: Options, depth: number): number[] {
  if (type.namedTypes !== undefined) return any(type, tape, options, depth);
  const out: number[] = [];
  const seen = new Set<number>();
  const oneofs = new Set<string>();
  const sized = type.fields.filter(({ options: { [SIZED_BY]: by } }) => by !== undefined);
  const sizing = new Map(sized.map((field) => [sizingField(type, field), 0]));
  if (type.isMapEntry && !options.odd) {
    for (const field of type.fields) record(field, tape, options, depth, out);
    return out;
  }
  const records = tape.below(depth > 4 ? 2 : 8);
  for (let i = 0; i < records && !tape.isAtEnd; i++) {
    if (options.unknown && tape.below(12) === 0) {
      unknown(type, tape, options, out);
      continue;
    }
    const field = type.fields[tape.below(Math.max(1, type.fields.length))];
    if (field === undefined || sized.includes(field) || sizing.has(field)) continue;
    if (!options.odd && field.cardinality === 'singular') {
      if (seen.has(field.number) || (field.oneof !== undefined && oneofs.has(field.oneof.name))) continue;
      seen.add(field.number);
      if (field.oneof !== undefined) oneofs.add(field.oneof.name);
    }
    record(field, tape, options, depth, out);
  }
  for (const field of sizing.keys()) {
    // No messages of a greater depth.
    const isDeepest = depth >= MAX_DEPTH && sized.some((of) => of.message !== undefined);
    const said = isDeepest ? 0 : tape.below(4);
    sizing.set(field, said);
    if (field !== undefined) sizingValue(field, said, tape, options, depth, out);
  }
  for (const field of sized) sizedValues(field, sizing.get(sizingField(type, field))!, tape, options, depth, out);
  for (const field of type.fields) {
    if (field.presence === 'required' && !seen.has(field.number)) record(field, tape, options, depth + 1, out);
  }
  return out;
}

const SIZED_BY = 'wirecost.native.sized_by';

/** The field that says the size of another one; undefined: the size is a number. */
function sizingField(type: MessageDescriptor, { options: { [SIZED_BY]: by } }: FieldDescriptor) {
  const name = String(by).replace('2^', '');
  return type.fields.find((field) => field.name === name);
}

/** A field whose size another field says. @param said the value of the other field */
function sizedValues(field: FieldDescriptor, said: number, tape: Tape, options: Options, depth: number, out: number[]) {
  const text = String(field.options[SIZED_BY]);
  const size = /^\d/.test(text) && !text.startsWith('2^') ? Number(text) : text.startsWith('2^') ? 2 ** said : said;
  if (field.cardinality === 'repeated') for (let i = 0; i < size; i++) record(field, tape, options, depth, out);
  else if (size > 0) {
    tag(field.number, 2, tape, options, out);
    prefixed(bytes(size, tape), tape, options, out);
  }
}

/** A field that says the size of others. */
function sizingValue(field: FieldDescriptor, said: number, tape: Tape, options: Options, depth: number, out: number[]) {
  if (said === 0) return;
  if (field.cardinality === 'singular') {
    tag(field.number, 0, tape, options, out);
    varint(BigInt(said), tape, options, out);
  } else if (field.message !== undefined || field.type === 'string' || field.type === 'bytes') {
    for (let i = 0; i < said; i++) record(field, tape, options, depth, out);
  } else {
    tag(field.number, 2, tape, options, out);
    const run = bytes(said * Math.max(1, fixedSize(field.type)), tape);
    prefixed(
      run.map((byte) => byte & 127),
      tape,
      options,
      out,
    );
  }
}

/** Native bytes of a message, for a field whose content they are. */
function nativeContent(type: MessageDescriptor, tape: Tape, depth: number): number[] {
  const layoutOf = deriveLayouts(SCHEMA_LAYOUT_PROFILE);
  const wire = Uint8Array.from(message(type, tape, { odd: false, unknown: false }, depth));
  return [...writeNative(wire, annotate(wire, type).table, layoutOf(type), layoutOf).bytes];
}

/** An entry of a map whose key is also a field of its value: both are the same. */
function keyedEntry(entry: MessageDescriptor, name: string, tape: Tape, options: Options, depth: number): number[] {
  const [key, value] = [entry.byNumber.get(1)!, entry.byNumber.get(2)!];
  const inner = value.message!.fields.find((field) => field.name === name)!;
  const own: number[] = [];
  scalar(key, tape, { ...options, odd: false }, own);
  const out: number[] = [];
  tag(1, wireTypeOf(key.type), tape, options, out);
  out.push(...own);
  const held = message(value.message!, tape, options, depth + 1);
  tag(inner.number, wireTypeOf(key.type), tape, options, held);
  held.push(...own);
  tag(2, 2, tape, options, out);
  prefixed(held, tape, options, out);
  return out;
}

function record(field: FieldDescriptor, tape: Tape, options: Options, depth: number, out: number[]): void {
  if (field.message !== undefined) {
    // No deeper. An empty message would lack its required fields. A map entry without a value counts as an empty
    // message.
    const isMessageMap = field.message.isMapEntry && field.message.byNumber.get(2)?.message !== undefined;
    if (depth > (isMessageMap ? MAX_DEPTH - 1 : MAX_DEPTH)) return;
    const key = field.options['wirecost.native.key'];
    const inner =
      typeof key === 'string'
        ? keyedEntry(field.message, key, tape, options, depth + 1)
        : message(field.message, tape, options, depth + 1);
    if (field.type === 'group') {
      tag(field.number, 3, tape, options, out);
      out.push(...inner);
      tag(field.number, 4, tape, options, out);
      return;
    }
    tag(field.number, 2, tape, options, out);
    prefixed(inner, tape, options, out);
    return;
  }
  if (field.content !== undefined && field.options['wirecost.native.compressed'] !== true) {
    tag(field.number, 2, tape, options, out);
    prefixed(nativeContent(field.content, tape, depth + 1), tape, options, out);
    return;
  }
  const isPackable = field.type !== 'string' && field.type !== 'bytes';
  const packed = options.odd ? tape.below(2) === 0 : field.packed;
  if (field.cardinality === 'repeated' && isPackable && packed) {
    const run: number[] = [];
    const elements = tape.below(10) === 0 ? 130 : tape.below(6);
    for (let i = 0; i < elements; i++) scalar(field, tape, options, run);
    if (run.length === 0 && !options.odd) return;
    tag(field.number, 2, tape, options, out);
    prefixed(run, tape, options, out);
    return;
  }
  tag(field.number, wireTypeOf(field.type), tape, options, out);
  scalar(field, tape, options, out);
}

function wireTypeOf(type: string): number {
  if (type === 'string' || type === 'bytes') return 2;
  if (type === 'double' || type.endsWith('fixed64')) return 1;
  return type === 'float' || type.endsWith('fixed32') ? 5 : 0;
}

const EDGES = [
  0n,
  1n,
  63n,
  64n,
  127n,
  128n,
  8191n,
  8192n,
  16383n,
  16384n,
  2097151n,
  2097152n,
  268435456n,
  2147483647n,
  1n << 35n,
  1n << 42n,
  (1n << 63n) - 1n,
];

function scalar(field: FieldDescriptor, tape: Tape, options: Options, out: number[]): void {
  const { type } = field;
  if (type === 'string' || type === 'bytes') {
    prefixed(
      type === 'string' ? [...new TextEncoder().encode(text(tape))] : bytes(tape.below(20), tape),
      tape,
      options,
      out,
    );
    return;
  }
  const wireType = wireTypeOf(type);
  if (wireType === 1 || wireType === 5) {
    const size = wireType === 1 ? 8 : 4;
    out.push(...(tape.below(4) === 0 ? new Array<number>(size).fill(0) : bytes(size, tape)));
    return;
  }
  varint(integer(field, tape), tape, options, out);
}

/** The canonical varint of a value that the type can hold. */
function integer(field: FieldDescriptor, tape: Tape): bigint {
  const { type } = field;
  if (type === 'bool') return BigInt(tape.below(2));
  if (type === 'enum') {
    const { values } = field.enum as EnumDescriptor;
    return BigInt.asUintN(64, BigInt(values[tape.below(values.length)]!.number));
  }
  const magnitude = EDGES[tape.below(EDGES.length)]! + BigInt(tape.below(3));
  const negative = tape.below(3) === 0;
  switch (type) {
    case 'int32':
      return BigInt.asUintN(64, BigInt.asIntN(32, negative ? -magnitude : magnitude));
    case 'uint32':
      return BigInt.asUintN(32, magnitude);
    case 'sint32': {
      const value = BigInt.asIntN(32, negative ? -magnitude : magnitude);
      return BigInt.asUintN(32, (value << 1n) ^ (value >> 31n));
    }
    case 'sint64': {
      const value = BigInt.asIntN(64, negative ? -magnitude : magnitude);
      return BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
    }
    default:
      return BigInt.asUintN(64, negative ? -magnitude : magnitude);
  }
}

const TEXTS = [
  '',
  'a',
  'job',
  'ü',
  'naïve café',
  '日本語',
  '𝄞',
  'a\u0000b',
  '\ufeffbom',
  '😀'.repeat(40),
  'x'.repeat(127),
  'x'.repeat(128),
  'é'.repeat(70),
];
const text = (tape: Tape): string => TEXTS[tape.below(TEXTS.length)]!;
const bytes = (size: number, tape: Tape): number[] => Array.from({ length: size }, () => tape.below(256));

function unknown(type: MessageDescriptor, tape: Tape, options: Options, out: number[]): void {
  const number = 600 + tape.below(3);
  if (type.byNumber.has(number)) return;
  const wireType = [0, 1, 2, 3, 5][tape.below(5)]!;
  tag(number, wireType, tape, options, out);
  if (wireType === 0) varint(EDGES[tape.below(EDGES.length)]!, tape, options, out);
  else if (wireType === 1) out.push(...bytes(8, tape));
  else if (wireType === 5) out.push(...bytes(4, tape));
  else if (wireType === 2) prefixed(bytes(tape.below(9), tape), tape, options, out);
  else {
    tag(1, 0, tape, options, out);
    varint(5n, tape, options, out);
    tag(number, 4, tape, options, out);
  }
}

function tag(number: number, wireType: number, tape: Tape, options: Options, out: number[]): void {
  varint(BigInt(number) * 8n + BigInt(wireType), tape, { ...options, odd: options.odd && tape.below(8) === 0 }, out);
}

function prefixed(payload: readonly number[], tape: Tape, options: Options, out: number[]): void {
  varint(BigInt(payload.length), tape, options, out);
  for (const byte of payload) out.push(byte);
}

function varint(value: bigint, tape: Tape, { odd }: Options, out: number[]): void {
  let rest = value;
  let width = 0;
  const padding = odd && tape.below(16) === 0 ? tape.below(3) : 0;
  while (rest > 127n) {
    out.push(Number(rest & 127n) | 128);
    rest >>= 7n;
    width++;
  }
  const padded = Math.min(padding, 9 - width);
  for (let i = 0; i < padded; i++) {
    out.push(Number(rest) | 128);
    rest = 0n;
  }
  out.push(Number(rest));
}
