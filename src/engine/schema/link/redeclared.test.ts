/** Files that declare the same, in one archive, folder or analysis: a descriptor set beside its texts, a merged file. */
import { readFileSync } from 'node:fs';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { create, toBinary } from '@bufbuild/protobuf';
import {
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  type FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import { describe, expect, test } from 'vitest';
import { compileSchema, openingSteps, type SchemaSource } from '../compile.ts';

const ROOT = new URL('../../../../', import.meta.url);
const SET: SchemaSource = {
  path: 'set.binpb',
  content: new Uint8Array(readFileSync(new URL('fixtures/input/prometheus-rw1.fds.binpb', ROOT))),
};
const TEXT = readFileSync(new URL('schemas/prometheus/remote-write-1.proto', ROOT), 'utf8');
const text = (content: string, path = 'remote-write-1.proto'): SchemaSource => ({ path, content });

const findings = (...sources: readonly SchemaSource[]): readonly string[] =>
  compileSchema(sources).diagnostics.map(({ code, message }) => `${code} ${message}`);

const setOf = (...file: readonly MessageInitShape<typeof FileDescriptorProtoSchema>[]): SchemaSource => ({
  path: 'shop.binpb',
  content: toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: [...file] })),
});

/** A file with an item, whose number it declares with the given type, an enum in it, and a method. */
const SHOP = setOf({
  name: 'shop.proto',
  package: 'shop',
  syntax: 'proto3',
  messageType: [
    {
      name: 'Item',
      field: [
        {
          name: 'count',
          number: 1,
          type: FieldDescriptorProto_Type.INT64,
          label: FieldDescriptorProto_Label.OPTIONAL,
          jsonName: 'count',
        },
      ],
      enumType: [{ name: 'Kind', value: [{ name: 'NONE', number: 0 }] }],
    },
  ],
  service: [{ name: 'Shop', method: [{ name: 'Get', inputType: '.shop.Item', outputType: '.shop.Item' }] }],
});

const shop = (field = 'int64 count = 1;', kind = 'NONE = 0;', method = 'rpc Get(Item) returns (Item);') =>
  text(
    `syntax = "proto3"; package shop;
     message Item { ${field} enum Kind { ${kind} } }
     service Shop { ${method} }`,
    'copies/items.proto',
  );

describe('a type that a descriptor set and a text declare', () => {
  test('is accepted if both declare the same, in either order', () => {
    expect(findings(SET, text(TEXT))).toEqual([]);
    expect(findings(text(TEXT), SET)).toEqual([]);
    expect(findings(SHOP, shop())).toEqual([]);
    expect(findings(shop(), SHOP)).toEqual([]);
  });

  test.each([
    ['another type', shop('sint64 count = 1;'), 'shop.Item'],
    ['another number', shop('int64 count = 2;'), 'shop.Item'],
    ['another presence', shop('optional int64 count = 1;'), 'shop.Item'],
    ['one more field', shop('int64 count = 1; string id = 2;'), 'shop.Item'],
    ['another value of a nested enum', shop(undefined, 'NONE = 0; SOME = 1;'), 'shop.Item'],
    ['another method', shop(undefined, undefined, 'rpc Get(stream Item) returns (Item);'), 'shop.Shop'],
  ])('is a fault with %s', (_, changed, name) => {
    for (const sources of [
      [SHOP, changed],
      [changed, SHOP],
    ])
      expect(findings(...sources)).toEqual([expect.stringContaining(`schema/duplicate-name "${name}"`)]);
  });

  test('is accepted if both have the same path and declare the same; otherwise the first one counts', () => {
    const at = (source: SchemaSource): SchemaSource => ({ ...source, path: 'shop.proto' });
    const same = at(shop());
    expect(findings(SHOP, same)).toEqual([]);
    expect(findings(same, SHOP)).toEqual([]);
    for (const changed of [shop('sint64 count = 1;'), shop(undefined, 'NONE = 0; SOME = 1;')]) {
      const sources = [SHOP, at(changed)];
      for (const given of [sources, sources.toReversed()])
        expect(findings(...given)).toEqual([expect.stringContaining('schema/duplicate-file "shop.proto"')]);
    }
    const more: SchemaSource = { path: 'shop.proto', content: `${same.content as string} message More {}` };
    expect(findings(more, SHOP)).toEqual([expect.stringContaining('schema/duplicate-file')]);
    expect(findings(SHOP, more)).toEqual([expect.stringContaining('schema/duplicate-file')]);
  });

  test('is accepted or named in every file of its own, of several sets', () => {
    const file = (path: string, type: FieldDescriptorProto_Type) => ({
      name: path,
      syntax: 'proto3',
      messageType: [
        {
          name: path[0]!.toUpperCase(),
          field: [{ name: 'n', number: 1, type, label: FieldDescriptorProto_Label.OPTIONAL, jsonName: 'n' }],
        },
      ],
    });
    const { INT64, SINT64 } = FieldDescriptorProto_Type;
    const written = (path: string) =>
      text(`syntax = "proto3"; message ${path[0]!.toUpperCase()} { int64 n = 1; }`, path);
    const [first, again, changed] = [
      setOf(file('a.proto', INT64), file('b.proto', SINT64)),
      setOf(file('a.proto', INT64)),
      setOf(file('a.proto', SINT64)),
    ];
    const named = (...paths: readonly string[]) =>
      paths.map((path) => expect.stringContaining(`schema/duplicate-file "${path}"`));
    expect(findings(written('a.proto'), first, written('b.proto'))).toEqual(named('b.proto'));
    expect(findings(written('a.proto'), written('b.proto'), first)).toEqual(named('b.proto'));
    expect(findings(written('a.proto'), first, again)).toEqual([]);
    expect(findings(written('a.proto'), again, changed)).toEqual(named('a.proto'));
  });

  test('is compared together with all others: a tree beside its set is read twice', () => {
    const paths = Array.from({ length: 20 }, (_, at) => `m${at}.proto`);
    const set = setOf(...paths.map((name, at) => ({ name, syntax: 'proto3', messageType: [{ name: `M${at}` }] })));
    const texts = paths.map((path, at) => text(`syntax = "proto3"; message M${at} {}`, path));
    for (const sources of [
      [set, ...texts],
      [...texts, set],
    ]) {
      const steps = [...openingSteps(sources)].filter(({ phase }) => phase === 'reading');
      // A step for each source, and one for each file.
      expect(steps).toHaveLength(2 * (sources.length + 2 * paths.length));
    }
  });

  test('can be used by files that import either of both', () => {
    const user = (path: string) =>
      text(`syntax = "proto3"; import "${path}"; message Order { repeated shop.Item items = 1; }`, 'order.proto');
    for (const path of ['shop.proto', 'copies/items.proto']) {
      expect(findings(SHOP, shop(), user(path))).toEqual([]);
      expect(findings(shop(), SHOP, user(path))).toEqual([]);
    }
  });
});

test('the name of a map entry is its compiler’s choice, what it maps is not', () => {
  const { OPTIONAL, REPEATED } = FieldDescriptorProto_Label;
  const { STRING, INT64, MESSAGE } = FieldDescriptorProto_Type;
  const mapped = (entry: string, value: FieldDescriptorProto_Type) =>
    setOf({
      name: 'set.proto',
      package: 'shop',
      syntax: 'proto3',
      messageType: [
        {
          name: 'Item',
          field: [
            {
              name: 'labels',
              number: 1,
              label: REPEATED,
              type: MESSAGE,
              typeName: `.shop.Item.${entry}`,
              jsonName: 'labels',
            },
          ],
          nestedType: [
            {
              name: entry,
              options: { mapEntry: true },
              field: [
                { name: 'key', number: 1, label: OPTIONAL, type: STRING },
                { name: 'value', number: 2, label: OPTIONAL, type: value },
              ],
            },
          ],
        },
      ],
    });
  const written = text('syntax = "proto3"; package shop; message Item { map<string, int64> labels = 1; }', 'map.proto');
  for (const entry of ['LabelsEntry', 'Labels']) {
    expect(findings(mapped(entry, INT64), written), entry).toEqual([]);
    expect(findings(written, mapped(entry, INT64)), entry).toEqual([]);
    expect(findings(written, mapped(entry, STRING)), entry).toEqual([
      expect.stringContaining('schema/duplicate-name "shop.Item"'),
    ]);
  }
});

describe('a type that two texts declare', () => {
  const SINGLE = `syntax = "proto2"; package p;
    message Event { optional Kind kind = 1; optional Event cause = 2; extensions 10 to 20; }
    enum Kind { NONE = 0; SOME = 1; }
    extend Event { optional int32 more = 10; }`;
  const merged = (event: string) => text(`${event}\nmessage Trace { repeated Event events = 1; }`, 'merged.proto');
  const single = text(SINGLE, 'event.proto');
  const user = (path: string) =>
    text(`syntax = "proto2"; import "${path}"; message Log { optional p.Event event = 1; }`, 'log.proto');

  test('is accepted if both declare the same, and touches no type', () => {
    for (const sources of [
      [single, merged(SINGLE)],
      [merged(SINGLE), single],
    ])
      for (const path of ['event.proto', 'merged.proto']) {
        const { diagnostics, registry } = compileSchema([...sources, user(path)]);
        expect(diagnostics).toEqual([]);
        const event = registry.messages.get('p.Event')!;
        expect(['p.Trace', 'Log'].map((name) => registry.messages.get(name)!.fields[0]!.message)).toEqual([
          event,
          event,
        ]);
        expect([event.fields.length, [...event.extensions.keys()]]).toEqual([2, [10]]);
      }
  });

  test.each([
    ['another field', SINGLE.replace('Event cause = 2', 'string cause = 2'), 'p.Event', 2],
    ['another value', SINGLE.replace('SOME = 1', 'SOME = 2'), 'p.Kind', 3],
  ])('is a fault with %s, whose finding names both places', (_, changed, name, line) => {
    const { diagnostics } = compileSchema([single, merged(changed)]);
    expect(diagnostics).toMatchObject([
      {
        code: 'schema/duplicate-name',
        message: `"${name}" is already defined in "event.proto", line ${line}, with other contents; the first one counts.`,
        file: 'merged.proto',
        line,
      },
    ]);
  });

  test('is a fault with another extension of one name', () => {
    const changed = SINGLE.replace('int32 more = 10', 'int32 more = 11');
    expect(findings(single, merged(changed))).toEqual([
      'schema/duplicate-name "p.more" is already defined in "event.proto".',
    ]);
  });
});
