/** A printed file has the same meaning when it is read again, and each name stands at its reported place. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { deriveLayouts } from '../native/derive.ts';
import { NATIVE_PROFILES } from '../native/profiles.ts';
import { type CompiledSchema, compileSchema, type SchemaSource } from '../schema/compile.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { printRegistry } from '../schema/print-registry.ts';
import { definitionsIn, symbolAt } from '../schema/symbols.ts';
import { typeGraph } from '../schema/type-graph.ts';
import { createCatalog } from './catalog.ts';
import { describeFile, describeSymbol } from './describe.ts';
import { type PrintedFile, printPages } from './print-pages.ts';

function print(schema: CompiledSchema, path: string): PrintedFile {
  const { registry, symbols } = schema;
  const explored = {
    registry,
    symbols,
    catalog: createCatalog(registry),
    graph: typeGraph(registry),
    layoutOf: deriveLayouts(NATIVE_PROFILES[0]!, {}),
  };
  return printPages(describeFile(explored, path)!, (name) => describeSymbol(explored, name) ?? undefined);
}

const PROTO2 = `syntax = "proto2";
package shop.v2;
import "b.proto";
// An order.
// In two lines.
message Order {
  reserved 7, 9 to 11;
  reserved "old";
  extensions 3000 to max;
  required string id = 1;
  repeated int32 widths = 2 [packed = true];
  repeated int32 loose = 3;
  optional string name = 4 [default = "a\\"b", json_name = "NAME"];
  optional State state = 5 [default = LOST, deprecated = true];
  oneof payer {
    string person = 13;
    Order parent = 14;
  }
  optional group Result = 16 {
    optional bool ok = 1;
  }
  map<string, shop.other.Money> totals = 2048;
  enum State { UNKNOWN = 0; LOST = -1; reserved 5 to 1000000000, 1500000000 to max; }
  message Line { optional Line next = 1; optional shop.v2.Line outer = 2; }
}
message Line {
  message Order {}
  extend shop.v2.Order {
    optional shop.v2.Order whole = 3001;
    repeated group Part = 3002 { optional Line line = 1; }
  }
}
extend Order {
  optional double weight = 3000;
  optional group Rest = 3003 {}
}
service Till {
  // Takes one.
  rpc Sell (Order) returns (stream shop.other.Money);
}
`;
const PROTO3 = `syntax = "proto3";
package shop.other;
message Money {
  int64 units = 1;
  optional int32 cents = 2;
  repeated int32 packed = 3;
  repeated int32 loose = 4 [packed = false];
  Money of = 5;
  optional Money maybe = 6;
  Kind kind = 7;
  optional Kind other = 8;
  enum Kind { option allow_alias = true; A = 0; B = 0; }
}
`;
const EDITION = `edition = "2023";
message Bare {
  reserved gone;
  reserved 5;
  int32 plain = 1;
  int32 implicit = 2 [features.field_presence = IMPLICIT];
  int32 must = 3 [features.field_presence = LEGACY_REQUIRED];
  repeated int32 loose = 4 [features.repeated_field_encoding = EXPANDED];
  Bare delimited = 6 [features.message_encoding = DELIMITED];
  enum Closed { option features.enum_type = CLOSED; ONE = 1; }
}
`;
const OPTIONS = `syntax = "proto2";
package set;
import "google/protobuf/descriptor.proto";
enum Level { LOW = 0; HIGH = 1 [(at) = "x"]; }
message Rule {
  extensions 100;
  optional Level level = 1;
  repeated Rule or = 2;
  optional bytes mask = 3;
  optional double least = 4;
  optional group Part = 5 { optional bool all = 1; }
  map<string, uint64> limits = 6;
}
extend Rule { optional int64 weight = 100; }
extend google.protobuf.EnumValueOptions { optional string at = 50001; }
extend google.protobuf.FieldOptions { optional Rule rule = 50001; repeated Level levels = 50002; }
extend google.protobuf.OneofOptions { optional Rule choice = 50001; }
message Ruled {
  // Either of both.
  oneof either {
    option (choice).level = HIGH;
    option (choice).least = 1.5;
    int32 one = 2;
    int32 other = 3;
  }
  optional int32 plain = 1 [(levels) = LOW, (levels) = HIGH, (rule) = {
    level: HIGH or { mask: "\\001\\xff\\"" } or {} least: -inf Part { all: true }
    limits { key: "a" value: 18446744073709551615 } [set.weight]: -9
  }];
}
`;
const SOURCES: readonly SchemaSource[] = [
  { path: 'a.proto', content: PROTO2 },
  { path: 'b.proto', content: PROTO3 },
  { path: 'c.proto', content: EDITION },
  { path: 'd.proto', content: OPTIONS },
];
const APM = [{ path: 'apm.binpb', content: new Uint8Array(readFileSync('fixtures/input/apm-modelpb.fds.binpb')) }];

describe.each<[string, readonly SchemaSource[]]>([
  ['every kind of declaration', SOURCES],
  ['a descriptor set', APM],
])('%s', (_, sources) => {
  const schema = compileSchema(sources);
  const files = schema.registry.files.filter(({ path }) => !path.startsWith('google/protobuf/'));

  test('equals the printed text', () => expect(schema.diagnostics).toEqual([]));

  test('compiles to the same descriptors', () => {
    const again = compileSchema(files.map(({ path }) => ({ path, content: print(schema, path).text })));
    expect(again.diagnostics).toEqual([]);
    expect(sorted(again)).toEqual(sorted(schema));
    for (const message of schema.registry.messages.values()) {
      expect(optionsIn(again.registry.messages.get(message.fullName)!)).toEqual(optionsIn(message));
    }
  });

  test('has its names at positions that the editor finds', () => {
    const again = compileSchema(files.map(({ path }) => ({ path, content: print(schema, path).text })));
    for (const { path } of files) {
      const { names, text } = print(schema, path);
      for (const { start, end, kind, fullName, extent } of names) {
        // A group is a message and a field at one place, of which the message counts.
        if (end === start) continue;
        const found = symbolAt(again.symbols, path, start + (kind === 'file' ? 1 : 0));
        expect
          .soft(found, `${path}: ${text.slice(start, start + 40)}`)
          .toMatchObject({ fullName, isDefinition: extent !== null });
      }
      const defined = names.flatMap(({ kind, fullName, extent }) =>
        extent ? [`${kind} ${fullName} ${extent.start}–${extent.end}`] : [],
      );
      const expected = definitionsIn(again.symbols, path).map(
        ({ kind, fullName, extent }) => `${kind} ${fullName} ${extent.start}–${extent.end}`,
      );
      expect.soft(defined.toSorted(), path).toEqual(expected.toSorted());
    }
  });
});

test.each([
  ['nothing but a message', 'syntax = "proto3";\n\nmessage M {\n}\n'],
  ['a package', 'syntax = "proto3";\n\npackage a;\n\nmessage M {\n}\n'],
  ['a package and an import', 'syntax = "proto3";\n\npackage a;\n\nimport "b.proto";\n\nmessage M {\n}\n'],
])('a blank line before each present part: %s', (_, content) => {
  const beside = { path: 'b.proto', content: 'syntax = "proto3";' };
  expect(print(compileSchema([{ path: 'a.proto', content }, beside]), 'a.proto').text).toBe(content);
});

/** Options and comments of the members. */
const optionsIn = ({ fields, oneofs }: MessageDescriptor) =>
  Object.fromEntries([...fields, ...oneofs].map(({ name, options, comment }) => [name, { options, comment }]));

/** Declarations come in another order, which is that of no byte in protobuf. */
const sorted = ({ registry }: CompiledSchema): readonly string[] => printRegistry(registry).split('\n').toSorted();
