/** Two hex views of a real message as a picture. An excerpt reveals nothing about bytes outside of it. */
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { categoriesOf } from '#engine/inspect/encoded-message.ts';
import { EXCERPT_BYTES, EXCERPT_COLUMNS, type Excerpt } from '#engine/inspect/excerpt.ts';
import { type Inspected, inspect } from '#engine/inspect/inspect.ts';
import { firstRow, rowAddressOf } from '#engine/inspect/row-address.ts';
import { CATEGORIES } from '#engine/model/annotation.ts';
import { deriveLayouts } from '#engine/native/derive.ts';
import { NATIVE_PROFILES, SCHEMA_LAYOUT_PROFILE } from '#engine/native/profiles.ts';
import { compileSchema } from '#engine/schema/compile.ts';
import { excerptContents, excerptTitle, placedSegments } from '#wording/excerpt-words.ts';
import { BytesFigure } from './bytes-figure.tsx';
import { readColors } from './colors.ts';
import { excerptOf } from './excerpt-of.ts';
import { printSvg } from './svg-file.ts';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string): Buffer => readFileSync(new URL(path, ROOT));

const schemaFiles = ['schemas/native/', 'schemas/opensearch/'].flatMap((folder) =>
  readdirSync(new URL(folder, ROOT)).map((name) => ({
    path: `${folder.replace('schemas/', '')}${name}`,
    content: read(folder + name).toString(),
  })),
);
const { registry } = compileSchema(schemaFiles);
const hits = inspect(Uint8Array.from(read('public/samples/opensearch-search-hits.binpb')), {
  type: registry.messages.get('org.opensearch.proto.search.SearchHitsProto')!,
  layoutOf: deriveLayouts(SCHEMA_LAYOUT_PROFILE),
});

const excerptAt = (inspected: Inspected, path: string): Excerpt => excerptOf(inspected, firstRow(inspected, path), 0);

const print = (excerpt: Excerpt, width: number): string =>
  printSvg(
    {
      title: excerptTitle(excerpt),
      source: 'Measured from a sample',
      drawing: BytesFigure({ id: 'bytes', excerpt, width }),
    },
    readColors(read('src/charts/colors.css').toString(), 'light'),
  ).replaceAll('><', '>\n<');

describe('pictures', () => {
  test.each([
    ['bytes-version', 'hits.version', 720],
    ['bytes-version-narrow', 'hits.version', 320],
    // Absent from the wire: only the native side has a byte for it.
    ['bytes-absent', 'hits.nested_identity', 720],
  ])('%s', async (name, path, width) => {
    const golden = new URL(`fixtures/figures/${name}.svg`, ROOT).pathname;
    await expect(print(excerptAt(hits, path), width)).toMatchFileSnapshot(golden);
  });

  test('the title has the bytes of the field on each side, and the words describe the shared bytes', () => {
    const excerpt = excerptAt(hits, 'hits.version');
    expect(excerptTitle(excerpt).replace('\u00a0', ' ')).toBe(
      'hits.version in message 0: 11 bytes as protobuf, 8 as native',
    );
    expect(excerptContents(excerpt)).toMatch(
      /^\d+\sbytes of message 0 as they are, around hits\.version: \d+ of protobuf, \d+ of native$/,
    );
    const said = print(excerpt, 720);
    expect(said).toContain('value: -1');
  });
});

describe('an excerpt', () => {
  const all = (excerpt: Excerpt): string =>
    excerpt.sides.flatMap(({ segments }) => segments.map(({ words }) => words)).join('\n');

  test('any row has the bytes of the message, tiled by segments in the colors of the hex view', () => {
    fc.assert(
      fc.property(fc.nat(), fc.boolean(), (at, isProtobuf) => {
        const side = isProtobuf ? hits.protobuf : hits.native!;
        const excerpt = excerptOf(
          hits,
          rowAddressOf(isProtobuf ? 'protobuf' : 'native', side, at % side.table.length),
          0,
        );
        for (const cut of excerpt.sides) {
          const { encoding, start, bytes, size, segments } = cut;
          const whole = encoding === 'protobuf' ? hits.protobuf : hits.native!;
          expect(size).toBe(whole.bytes.length);
          expect(start % EXCERPT_COLUMNS).toBe(0);
          expect(bytes.length).toBeLessThanOrEqual(EXCERPT_BYTES);
          expect(Buffer.compare(bytes, whole.bytes.subarray(start, start + bytes.length))).toBe(0);
          const colours = segments.flatMap(({ category, bytes: count }) => Array<string>(count).fill(category));
          expect(colours).toEqual(
            [...categoriesOf(whole.table, start, start + bytes.length)].map((index) => CATEGORIES[index]),
          );
          // The chosen row begins in it and may end after it.
          if (cut.lit !== null) expect(placedSegments(cut).some(({ isLit }) => isLit)).toBe(true);
        }
      }),
      { numRuns: 1000 },
    );
  });

  const { registry: texts } = compileSchema([
    {
      path: 'texts.proto',
      content:
        'syntax = "proto3"; message Texts { repeated string text = 1; repeated int64 number = 2; Texts below = 3; }',
    },
  ]);
  const layoutOf = deriveLayouts(NATIVE_PROFILES[0]!);

  test('has no four characters of a text that it cuts', () => {
    const text = fc.string({
      unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'),
      minLength: 4,
      maxLength: 300,
    });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), fc.nat(), (values, at) => {
        const message = Uint8Array.from(
          values.flatMap((value) => [0x0a, ...varint(value.length), ...Buffer.from(value)]),
        );
        const both = inspect(message, { type: texts.messages.get('Texts')!, layoutOf });
        const excerpt = excerptOf(both, rowAddressOf('protobuf', both.protobuf, at % both.protobuf.table.length), 0);
        const held = excerpt.sides.map(({ bytes }) => Buffer.from(bytes).toString('latin1')).join('\n');
        const words = all(excerpt);
        for (const value of values) {
          for (let from = 0; from + 4 <= value.length; from++) {
            const four = value.slice(from, from + 4);
            if (words.includes(four) && !FIXED_WORDS.includes(four)) expect(held).toContain(four);
          }
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('a row without bytes', () => {
    const both = inspect(new Uint8Array(), { type: texts.messages.get('Texts')!, layoutOf });
    const excerpt = excerptOf(both, null, 0);
    expect(excerpt.sides.map(({ bytes, lit }) => [bytes.length > 0, lit])).toEqual([
      [false, null],
      [true, null],
    ]);
    expect(() => print(excerpt, 720)).not.toThrow();
  });
});

/** Words that every message's figure has. */
const FIXED_WORDS =
  'tag: field 1, LEN length prefix: count: element elements value: length before bytes padding type byte optional flag: absent present';

const varint = (value: number): readonly number[] => (value < 128 ? [value] : [(value & 127) | 128, value >> 7]);
