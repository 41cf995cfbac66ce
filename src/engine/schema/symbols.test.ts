import { describe, expect, test } from 'vitest';
import { compileSchema } from './compile.ts';
import { definitionOf, definitionsIn, referencesTo, type SymbolPlace, symbolAt } from './symbols.ts';

const LIB = `syntax = "proto3";
package lib;
import "google/protobuf/descriptor.proto";
extend google.protobuf.FieldOptions { string note = 50001; }
message Item {
  enum Kind { NONE = 0; }
  Kind kind = 1;
}
`;
const MAIN = `syntax = "proto2";
import "lib.proto";
message Holder {
  extensions 100;
  optional lib.Item item = 1 [(lib.note) = "x", deprecated = true];
  map<string, lib.Item> by_name = 2;
  oneof choice { lib.Item.Kind kind = 3; }
  optional group Part = 4 { optional Part again = 1; }
}
extend Holder { optional lib.Item more = 100; }
service S { rpc Get (Holder) returns (stream lib.Item); }
`;
const TEXTS: Readonly<Record<string, string>> = { 'lib.proto': LIB, 'main.proto': MAIN };
const { symbols } = compileSchema(Object.entries(TEXTS).map(([path, content]) => ({ path, content })));

const textAt = ({ file, start, end }: SymbolPlace) => TEXTS[file]!.slice(start, end);
const shown = (place: SymbolPlace) => `${place.file}:${place.line}:${place.column} ${textAt(place)}`;

describe('the name at an offset', () => {
  test.each([
    ['a message where it is declared', 'Holder {', 'message Holder', true],
    ['a field', 'item =', 'field Holder.item', true],
    ['the type of a field', 'lib.Item item', 'message lib.Item', false],
    ['an option', '(lib.note)', 'extension lib.note', false],
    ['a plain option', 'deprecated', 'field google.protobuf.FieldOptions.deprecated', false],
    ['the value type of a map', 'lib.Item> by_name', 'message lib.Item', false],
    ['an enum', 'lib.Item.Kind', 'enum lib.Item.Kind', false],
    ['a oneof', 'choice', 'oneof Holder.choice', true],
    ['a group', 'Part =', 'message Holder.Part', true],
    ['the type inside of a group', 'Part again', 'message Holder.Part', false],
    ['what is extended', 'Holder { optional lib.Item more', 'message Holder', false],
    ['an extension', 'more', 'extension more', true],
    ['a service', 'S {', 'service S', true],
    ['a method', 'Get', 'method S.Get', true],
    ['what a method takes', 'Holder) returns', 'message Holder', false],
    ['what a method returns', 'lib.Item);', 'message lib.Item', false],
    ['an import', '"lib.proto"', 'file lib.proto', false],
  ])('%s', (_, at, expected, isDefinition) => {
    const offset = MAIN.indexOf(at);
    const found = symbolAt(symbols, 'main.proto', offset);
    expect(found && `${found.kind} ${found.fullName}`).toBe(expected);
    expect(found?.isDefinition).toBe(isDefinition);
    // Also where the cursor is behind its last letter.
    expect(symbolAt(symbols, 'main.proto', found!.place.end)).toMatchObject({ fullName: found?.fullName });
  });

  test.each([
    ['the middle of nowhere', MAIN.indexOf('= 1')],
    ['before the text', -1],
    ['beyond the text', MAIN.length + 10],
  ])('no name at %s', (_, offset) => {
    expect(symbolAt(symbols, 'main.proto', offset)).toBeUndefined();
  });

  test('a missing file has no symbols', () => {
    expect(symbolAt(symbols, 'other.proto', 0)).toBeUndefined();
  });
});

test('a definition has its name and its extent', () => {
  const found = definitionOf(symbols, { kind: 'message', fullName: 'lib.Item' })!;
  expect(shown(found.place)).toBe('lib.proto:5:9 Item');
  expect(LIB.slice(found.extent.start, found.extent.end)).toBe(LIB.slice(LIB.indexOf('message Item'), LIB.length - 1));
  expect(definitionOf(symbols, { kind: 'file', fullName: 'lib.proto' })?.place).toMatchObject({ line: 1, column: 1 });
  expect(definitionOf(symbols, { kind: 'message', fullName: 'google.protobuf.FieldOptions' })).toBeUndefined();
});

test('references are all uses, in the order of the text', () => {
  expect(referencesTo(symbols, { kind: 'message', fullName: 'lib.Item' }).map(shown)).toEqual([
    'main.proto:5:12 lib.Item',
    'main.proto:6:15 lib.Item',
    'main.proto:10:26 lib.Item',
    'main.proto:11:46 lib.Item',
  ]);
  expect(referencesTo(symbols, { kind: 'file', fullName: 'lib.proto' }).map(shown)).toEqual([
    'main.proto:2:1 import "lib.proto"',
  ]);
  expect(referencesTo(symbols, { kind: 'extension', fullName: 'lib.note' }).map(shown)).toEqual([
    'main.proto:5:31 (lib.note)',
  ]);
});

test('an outline lists what a file declares, nested by extents', () => {
  const all = definitionsIn(symbols, 'main.proto');
  const depth = (index: number) =>
    all.filter(({ extent }) => extent.start < all[index]!.extent.start && extent.end >= all[index]!.extent.end).length;
  expect(all.map(({ kind, fullName }, index) => `${'  '.repeat(depth(index))}${kind} ${fullName}`)).toEqual([
    'message Holder',
    '  field Holder.item',
    '  field Holder.by_name',
    '  oneof Holder.choice',
    '    field Holder.kind',
    '  message Holder.Part',
    '  field Holder.part',
    '      field Holder.Part.again',
    'extension more',
    'service S',
    '  method S.Get',
  ]);
  expect(definitionsIn(symbols, 'google/protobuf/descriptor.proto')).toEqual([]);
});

test('names of JavaScript’s own properties are ordinary names', () => {
  const text = 'syntax = "proto3"; message constructor { constructor __proto__ = 1; }';
  const { symbols: odd } = compileSchema([{ path: 'odd.proto', content: text }]);
  expect(referencesTo(odd, { kind: 'message', fullName: 'constructor' })).toHaveLength(1);
  expect(definitionOf(odd, { kind: 'field', fullName: 'constructor.__proto__' })?.place.start).toBe(
    text.indexOf('__proto__'),
  );
  expect(definitionOf(odd, { kind: 'message', fullName: 'toString' })).toBeUndefined();
});
