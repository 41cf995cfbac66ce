import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileProto } from '#testing/arbitrary-message.ts';
import { arbitraryProto } from '#testing/arbitrary-schema.ts';
import { arbitraryWire } from '#testing/arbitrary-wire.ts';
import { Ledgers } from '../cost/type-profiler.ts';
import { NATIVE_PROFILES } from '../native/profiles.ts';
import { compileSchema } from '../schema/compile.ts';
import { fillNumber } from './fill-number.ts';
import { fillText } from './fill-text.ts';
import { makeShape } from './make-shape.ts';

const ROOT = new URL('../../../', import.meta.url);
const [nativeProfile] = NATIVE_PROFILES as [(typeof NATIVE_PROFILES)[0]];
const utf8 = (text: string) => new TextEncoder().encode(text);
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

const { registry } = compileSchema([
  {
    path: 't.proto',
    content: `syntax = "proto3"; package t;
      message Hit { string id = 1; int64 version = 2; double score = 3; bytes source = 4; repeated sint32 deltas = 5; Hit inner = 6; bool ok = 7; }`,
  },
]);
const hit = registry.messages.get('t.Hit');
const request = { type: hit, nativeProfile, overrides: {} };

const record = (tag: number, text: string) => [tag, utf8(text).length, ...utf8(text)];

test.each([
  ['a text', record(0x0a, 'secret'), '0a066f6f6f6f6f6f'],
  ['a text of every width', record(0x0a, 'aé日𝄞'), '0a0a6fc3b8e28094f0908482'],
  ['a text that is filler itself', record(0x0a, 'oooooo'), '0a066e6e6e6e6e6e'],
  ['bytes that are filler themselves', record(0x22, 'oooooo'), '22066e6e6e6e6e6e'],
  ['bytes that begin like the rest of their filler', record(0x22, '—⫹'), '2206e38182e38182'],
  ['numbers: a small one, minus one, minus two', [0x10, 0x2a, 0x28, 0x01, 0x28, 0x03], '100128012801'],
  ['a number of two bytes', [0x10, 0xac, 0x02], '10d502'],
  ['a zero and a truth stay', [0x10, 0, 0x38, 1], '10003801'],
  ['bytes that are not text', [0x22, 3, 0xff, 0xfe, 0x80], '2203ffffff'],
  ['what cannot be read', [0x0a, 9, ...utf8('cut')], '0a096f6f6f'],
])('%s', (_, message, expected) => {
  expect(hex(makeShape([Uint8Array.from(message)], request)!.payload)).toBe(expected);
});

test('a URL of an Any keeps the name of the type that its contents are read by', () => {
  const held = compileSchema([
    {
      path: 'h.proto',
      content: `syntax = "proto3"; package h; import "google/protobuf/any.proto";
        message Box { google.protobuf.Any any = 1; } message Item { string s = 1; }`,
    },
  ]).registry.messages.get('h.Box');
  const any = (url: string) => record(0x0a, url).concat(0x12, 5, ...record(0x0a, 'abc'));
  const shapesOf = (...urls: readonly string[]) => {
    const message = urls.flatMap((url) => [0x0a, any(url).length, ...any(url)]);
    return Buffer.from(makeShape([Uint8Array.from(message)], { ...request, type: held })!.payload).toString('latin1');
  };
  const known = '\n\x1b\n\x12ooooooooooo/h.Item\x12\x05\n\x03ooo';
  expect(shapesOf('secret.host/h.Item')).toBe(known);
  // No schema has this type, so nothing is read by it; its text holds the name that is kept, which is not filler.
  expect(shapesOf('secret.host/h.Item', 'secret/h.Items.Old')).toBe(
    `${known}\n\x1b\n\x12oooooooooooooooooo\x12\x05ooooo`,
  );
});

test('each of several messages has its length in front', () => {
  const shape = makeShape([Uint8Array.from(record(0x0a, 'ab')), new Uint8Array(0)], request);
  expect([shape?.framing, hex(shape!.payload)]).toEqual(['varint', '040a026f6f00']);
});

test('a number becomes another of the same size in any encoding', () => {
  const types = ['int32', 'int64', 'uint64', 'sint64', 'sint32', 'bool', 'enum', 'unknown'] as const;
  const value = fc.oneof(fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }), fc.bigInt({ min: 0n, max: 70_000n }));
  const width = (number: bigint) => Math.max(1, Math.ceil(number.toString(2).replace(/^0$/, '').length / 7));
  fc.assert(
    fc.property(value, fc.constantFrom(...types), fc.nat({ max: 9 }), (number, type, salt) => {
      const filler = fillNumber(number, type, salt);
      expect([width(filler), filler === 0n]).toEqual([width(number), number === 0n]);
      expect(filler >> 63n).toBe(number >> 63n);
    }),
    { numRuns: 3000 },
  );
});

test('any bytes keep their number of characters, also of replacement characters', () => {
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const sizes = (text: string) => Array.from(text, (character) => utf8(character).length);
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 20 }),
    fc.string({ unit: 'grapheme' }).map(utf8),
    fc
      .array(fc.constantFrom(0xe0, 0xed, 0xf0, 0xf4, 0xf1, 0x80, 0x9f, 0xa0, 0xbf, 0xc2, 0x41), { maxLength: 12 })
      .map((b) => Uint8Array.from(b)),
  );
  fc.assert(
    fc.property(bytes, fc.nat({ max: 9 }), (text, salt) => {
      const filled = text.slice();
      fillText(filled, 0, filled.length, salt);
      expect(sizes(decode(filled))).toEqual(sizes(decode(text)));
    }),
    { numRuns: 3000 },
  );
});

/** All windows of four bytes. */
const windows = (bytes: Uint8Array) =>
  new Set(Array.from({ length: Math.max(0, bytes.length - 3) }, (_, at) => hex(bytes.subarray(at, at + 4))));

test('the shape has no four consecutive bytes of any string, and all figures are equal', () => {
  const text = fc.oneof(fc.string({ unit: 'grapheme', minLength: 4 }), fc.stringMatching(/^[a-z ]{4,30}$/));
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text, fc.nat()), { minLength: 1, maxLength: 3 }), (rows) => {
      const messages = rows.map(([id, source, version]) =>
        Uint8Array.from([
          ...record(0x0a, id.slice(0, 30)),
          ...record(0x22, source.slice(0, 30)),
          0x10,
          version & 127,
          ...record(0x0a, id.slice(0, 20)),
        ]),
      );
      const shape = makeShape(messages, request);
      if (shape === undefined) throw new Error('There is no shape.');
      const kept = windows(shape.payload);
      const texts = rows.flatMap(([id, source]) => [utf8(id.slice(0, 30)), utf8(source.slice(0, 30))]);
      expect(texts.flatMap((bytes) => [...windows(bytes)]).filter((window) => kept.has(window))).toEqual([]);
    }),
    { numRuns: 1000, endOnFailure: true },
  );
});

/** Several schemas, each compiled once, with messages of each: compiling takes most of the time. */
test('messages of any schema have a shape with the same figures', () => {
  fc.assert(
    fc.property(
      arbitraryProto.chain((content) => {
        const type = compileProto(content);
        const message = arbitraryWire(type, { odd: false });
        const several = fc.array(message, { minLength: 1, maxLength: 2 });
        return fc.tuple(
          fc.constant({ content, type, [fc.toStringMethod]: () => content }),
          fc.array(several, { minLength: MESSAGES_OF_EACH, maxLength: MESSAGES_OF_EACH }),
        );
      }),
      ([{ type }, inputs]) => {
        for (const messages of inputs) expect(makeShape(messages, { ...request, type })).toBeDefined();
      },
    ),
    { numRuns: 200, endOnFailure: true },
  );
});
const MESSAGES_OF_EACH = 3;

test.each([
  ['four zeros beside a double', 'bytes', 'double', 'f168e31f8a85eb51'],
  ['four zeros beside a fixed number', 'bytes', 'fixed64', '1032547698badcfe'],
  ['four zeros beside a small fixed number', 'bytes', 'fixed64', '1032000000000000'],
  ['four zeros beside a negative fixed number', 'bytes', 'sfixed64', '10325476ffffffff'],
])('bytes with %s have a shape', (_, text, number, value) => {
  const type = compileProto(`syntax = "proto3"; package random; message A { ${text} a = 1; ${number} b = 2; }`);
  for (const run of ['00000000', 'ffffffff', '80808080', '0000000000000000ffffffffffffffff']) {
    const payload = Buffer.from(`0a${(run.length / 2).toString(16).padStart(2, '0')}${run}11${value}`, 'hex');
    expect(makeShape([new Uint8Array(payload)], { ...request, type }), run).toBeDefined();
  }
});

interface SampleEntry {
  readonly id: string;
  readonly file: string;
  readonly framing: string;
  readonly schemas: readonly string[];
  readonly type: string;
  readonly nativeProfile: string;
}

describe('the samples', () => {
  const { samples }: { readonly samples: readonly SampleEntry[] } = JSON.parse(
    readFileSync(new URL('public/samples/index.json', ROOT), 'utf8'),
  );
  const single = samples.filter(({ framing }) => framing === 'single');
  test.each(single.map((sample) => [sample.id, sample] as const))('%s', (_, sample) => {
    const { file, schemas, type, nativeProfile: id } = sample;
    const compiled = compileSchema(
      schemas.map((path) => ({ path, content: readFileSync(new URL(`schemas/${path}`, ROOT), 'utf8') })),
    );
    const message = new Uint8Array(readFileSync(new URL(`public/samples/${file}`, ROOT)));
    const native = NATIVE_PROFILES.find((profile) => profile.id === id)!;
    const descriptor = compiled.registry.messages.get(type)!;
    const shape = makeShape([message], { type: descriptor, nativeProfile: native, overrides: {} });
    // Here bytes of a field are read as values of their own: no filler is both as wide and readable.
    if (sample.id === 'opensearch-document-fields') {
      expect(shape).toBeUndefined();
      return;
    }
    const profileOf = (bytes: Uint8Array) => {
      const ledgers = new Ledgers(descriptor, native);
      ledgers.add(bytes);
      return ledgers.profile();
    };
    expect(profileOf(shape!.payload)).toEqual(profileOf(message));
  });
});
