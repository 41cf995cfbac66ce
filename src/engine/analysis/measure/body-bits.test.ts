import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { readBits, sniffBitFormat } from '../../compression/bits/read-bits.ts';
import { assignBits, BitSums, originsOf, Spans } from '../../compression/bits/settle.ts';
import type { FormatId } from '../../compression/formats.ts';
import { type FieldBits, partsOf, totalOf } from '../../cost/bit-parts.ts';
import { BodySpans, settleFields } from '../../cost/field-bits.ts';
import { CAPTURED_FORMATS } from '../../encodings/captured-encodings.ts';
import { compileSchema } from '../../schema/compile.ts';
import type { MessageDescriptor } from '../../schema/descriptor.ts';
import { annotate } from '../../wire/annotate.ts';
import { compressedPlace, enterAt, enterEnd, readBodyBits, spansOfPlain } from './body-bits.ts';

/**
 * One message through every corner of every format, with independent figures: decimal strings, rounded from
 * exact fractions. `fields`: by path, the bits of tags, lengths and values.
 */
interface Truth {
  readonly file: string;
  readonly format: FormatId;
  readonly library: string;
  readonly level: string;
  readonly plain_sha256: string;
  readonly container: Readonly<Record<string, number>>;
  readonly fields: Readonly<Record<string, { readonly paid: readonly string[]; readonly shared: readonly string[] }>>;
  readonly cumulative: readonly (readonly [offset: number, bits: string])[];
}

const ROOT = new URL('../../../../', import.meta.url);
const read = (path: string): Uint8Array => new Uint8Array(readFileSync(new URL(path, ROOT)));
const TRUTHS = JSON.parse(readFileSync(new URL('fixtures/bits/truth.json', ROOT), 'utf8')) as readonly Truth[];
/** Bits; decimals of the truth are rounded to nine digits. */
const DIGITS = 6;
const SCHEMA = `syntax = "proto3"; package prometheus;
message WriteRequest { repeated TimeSeries timeseries = 1; reserved 2; repeated MetricMetadata metadata = 3; }
message MetricMetadata { int32 type = 1; string metric_family_name = 2; string help = 4; string unit = 5; }
message TimeSeries { repeated Label labels = 1; repeated Sample samples = 2; }
message Label { string name = 1; string value = 2; }
message Sample { double value = 1; int64 timestamp = 2; }`;

let type: MessageDescriptor;
beforeAll(() => {
  const { registry } = compileSchema([{ path: 'remote.proto', content: SCHEMA }]);
  type = registry.messages.get('prometheus.WriteRequest')!;
});

function booked(bytes: Uint8Array, format: FormatId) {
  const stream = readBits(bytes, format);
  if (!stream.ok) throw new Error(stream.detail);
  return stream;
}

async function fieldsOf(bytes: Uint8Array, format: FormatId, isTyped: boolean): Promise<readonly FieldBits[]> {
  const stream = booked(bytes, format);
  const { body } = isTyped
    ? await spansOfPlain(stream.plain, undefined, (payload) => annotate(payload, type).table)
    : { body: new BodySpans() };
  if (!isTyped) enterAt(body, stream.plain, { start: 0, end: stream.plain.length, isText: false }, null);
  return settleFields(stream, body, { isShared: true });
}

describe.each(TRUTHS)('$file, $library $level', (truth) => {
  const bytes = read(`fixtures/bits/${truth.file}`);

  test('gives the plain bytes and the items of the container', () => {
    const { plain, container } = booked(bytes, truth.format);
    expect(createHash('sha256').update(plain).digest('hex')).toBe(truth.plain_sha256);
    expect(container.items).toEqual(truth.container);
  });

  test('charges each field its own bits and its shared bits', async () => {
    const fields = await fieldsOf(bytes, truth.format, truth.file.startsWith('remote-write'));
    const paths = truth.container['total'] === 0 ? [] : Object.keys(truth.fields);
    expect(fields.map(({ path }) => path).sort()).toEqual(paths.filter((path) => hasBytes(truth, path)).sort());
    for (const { path, paid, shared } of fields) {
      for (const [amounts, key] of [
        [paid, 'paid'],
        [shared!, 'shared'],
      ] as const) {
        const { tag, length, value } = partsOf(amounts);
        for (const [n, bits] of [tag, length, value].entries()) {
          expect(bits).toBeCloseTo(Number(truth.fields[path]![key][n]), DIGITS);
        }
      }
    }
  });

  test('charges any span of the plain bytes its bits', () => {
    const spans = new Spans();
    for (const [account, [offset]] of truth.cumulative.entries()) spans.push(offset, account);
    const sums = new BitSums(truth.cumulative.length);
    assignBits(booked(bytes, truth.format), spans, sums);
    let sum = 0;
    for (const [account, [, bits]] of truth.cumulative.entries()) {
      sum += sums.at(account);
      expect(sum).toBeCloseTo(Number(bits), DIGITS);
    }
  });

  test('origins sum to the same bits, and copies have the same bytes', () => {
    const stream = booked(bytes, truth.format);
    const { plain, container, compressedBytes } = stream;
    const origins = originsOf(stream, 0, plain.length, Number.POSITIVE_INFINITY);
    const paid = origins.reduce((sum, { bits }) => sum + bits, 0);
    expect(paid + container.total).toBeCloseTo(compressedBytes * 8, DIGITS);
    for (const { start, end, from } of origins) {
      if (from === null) continue;
      for (let at = start; at < end; at++) if (plain[at] !== plain[from + at - start]) expect(at).toBe(-1);
    }
  });

  test('is detected by its first bytes if it has a signature', () => {
    const hasMark = !['snappy', 'deflate', 'lz4-block'].includes(truth.format);
    expect(sniffBitFormat(bytes)).toBe(hasMark ? truth.format : null);
  });
});

/** A frame without plain bytes has a field of nothing in the truth. */
const hasBytes = ({ fields }: Truth, path: string): boolean => fields[path]!.paid.some((bits) => Number(bits) > 0);

describe('the position of a message', () => {
  test.each([
    [null, null],
    ['base64', null],
    ['gzip', { before: null, codec: 'gzip', slice: null, isNested: false }],
    ['base64|slice:5:9|snappy', { before: 'base64|slice:5:9', codec: 'snappy', slice: null, isNested: false }],
    ['gzip|slice:5:30', { before: null, codec: 'gzip', slice: { start: 5, end: 30 }, isNested: false }],
    ['gzip|slice:5:30|slice:1:9', { before: null, codec: 'gzip', slice: { start: 6, end: 14 }, isNested: false }],
    ['gzip|slice:5:30|gzip', { before: null, codec: 'gzip', slice: { start: 5, end: 30 }, isNested: true }],
  ])('%s', (compression, place) => {
    expect(compressedPlace({ compression })).toEqual(place);
  });

  test('a deflate body may be zlib or bare', () => {
    for (const [file, format] of [
      ['remote-write.zlib-6.zz', 'zlib'],
      ['remote-write.deflate-1.deflate', 'deflate'],
    ] as const) {
      const place = compressedPlace({ compression: 'deflate' })!;
      expect(readBodyBits(read(`fixtures/bits/${file}`), place)).toMatchObject({ ok: true, format });
    }
  });
});

test('a prefix, a group and unknown bytes are charged to paths of their own', () => {
  const { registry } = compileSchema([
    { path: 'a.proto', content: 'syntax = "proto2"; message M { optional group G = 1 { optional int32 x = 1; } }' },
  ]);
  const group = Uint8Array.of(0x0b, 0x08, 0x05, 0x0c, 0x18, 0x07, 0xff);
  const plain = Uint8Array.of(7, ...group);
  // One literal run of 8 bytes: 1 byte of preamble, 1 of tag.
  const stream = booked(Uint8Array.of(8, 7 << 2, ...plain), 'snappy');
  const body = new BodySpans();
  enterAt(
    body,
    plain,
    { start: 1, end: plain.length, isText: false },
    annotate(group, registry.messages.get('M')!).table,
  );
  const fields = settleFields(stream, body, { isShared: false });
  expect(fields.map(({ path, bytes }) => [path, bytes])).toEqual([
    ['(size prefix)', { length: 1 }],
    ['g', { tag: 1, 'group-end': 1 }],
    ['g.x', { tag: 1, value: 1 }],
    ['?3', { tag: 1, value: 1 }],
    ['(unattributed)', { unattributed: 1 }],
  ]);
  expect(fields.map(({ paid }) => totalOf(partsOf(paid)))).toEqual([9, 18, 18, 18, 9]);
});

test.each<[string, string, string, Readonly<Record<string, number>>]>([
  ['line breaks', '', '\n', { '(message)': 3 * 3 }],
  ['record separators', '\x1e', '\n', { '(message)': 3 * 4 }],
  ['other lines', 'a log line\n', '\n', { '(message)': 3 * 2 + 1, '(other messages)': 2 * 12 + 11 }],
  ['action lines', '{"index":{}}\n', '\n', { '(message)': 3 * 2 + 1, '(action lines)': 2 * 14 + 13 }],
  [
    'updates, and deletions behind them',
    '{"update":{}}\n{"doc":',
    '}\n{"delete":{}}\n',
    { '(message)': 3 * 2, '(action lines)': 3 * 37 },
  ],
  ['prefixes of Connect', '\0\0\0\0\x07', '', { '(message)': 3 * 2, '(size prefix)': 3 * 5 }],
])('between messages in JSON: %s', async (_name, before, after, expected) => {
  const { registry } = compileSchema([{ path: 'a.proto', content: 'syntax = "proto3"; message M { int32 x = 1; }' }]);
  const json = '{"x":7}';
  const plain = Uint8Array.from(Buffer.from(`${before}${json}${after}`.repeat(3), 'latin1'));
  const body = new BodySpans();
  const read = await CAPTURED_FORMATS.json.loadReader((name) => registry.messages.get(name));
  const { table } = read(Uint8Array.from(Buffer.from(json)), registry.messages.get('M')!);
  for (let at = 0; at < 3; at++) {
    const start = at * (before.length + json.length + after.length) + before.length;
    enterAt(body, plain, { start, end: start + json.length, isText: true }, table);
  }
  enterEnd(body, plain);
  const stream = booked(Uint8Array.of(...deflateRawSync(plain)), 'deflate');
  const fields = settleFields(stream, body, { isShared: false });
  const around = fields.filter(({ path }) => path.startsWith('('));
  expect(Object.fromEntries(around.map(({ path, bytes }) => [path, totalOf(partsOf(bytes))]))).toEqual(expected);
});

test('more field paths than a profile has rows share one path, and nothing is lost', () => {
  const message = Uint8Array.from({ length: 20_000 * 4 }, (_, at) => {
    const number = 3000 + (at >> 2);
    const tag = number * 8;
    return [(tag & 127) | 128, ((tag >> 7) & 127) | 128, tag >> 14, 1][at & 3]!;
  });
  const stream = booked(new Uint8Array(deflateRawSync(message)), 'deflate');
  const body = new BodySpans();
  enterAt(body, message, { start: 0, end: message.length, isText: false }, annotate(message, undefined).table);
  const fields = settleFields(stream, body, { isShared: false });
  expect(fields.length).toBeLessThanOrEqual(16_385);
  expect(fields.at(-1)).toMatchObject({ path: '(other paths)', bytes: { tag: 3 * (20_000 - fields.length + 1) } });
  const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);
  expect(sum(fields.map(({ bytes }) => totalOf(partsOf(bytes))))).toBe(message.length);
  const paid = sum(fields.map((field) => totalOf(partsOf(field.paid))));
  expect(paid + stream.container.total).toBeCloseTo(8 * stream.compressedBytes, DIGITS);
});
