import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deriveLayouts } from '../native/derive.ts';
import { NATIVE_PROFILES } from '../native/profiles.ts';
import { compileSchema } from '../schema/compile.ts';
import { completionsAt, definitionAt, hoverAt, outlineOf, referencesAt } from './language.ts';

const SHOP = `syntax = "proto3";
package shop;
import "money.proto";
// A purchase of a customer.
message Order {
  // Its number.
  optional int64 id = 1;
  repeated int32 sizes = 20;
  money.Money total = 3;
  State state = 4;
  enum State { UNKNOWN = 0; PAID = 1; }
  oneof payer { string person = 5; fixed32 account = 6; }
}
service Till { rpc Sell (Order) returns (stream money.Money); }
`;
const MONEY = 'syntax = "proto2"; package money;\nmessage Money { required sint64 units = 1; }';
const TEXTS: Readonly<Record<string, string>> = { 'shop.proto': SHOP, 'money.proto': MONEY };
const { registry, symbols } = compileSchema(Object.entries(TEXTS).map(([path, content]) => ({ path, content })));
const words = { registry, symbols, layoutOf: deriveLayouts(NATIVE_PROFILES[0]!) };

const at = (text: string): number => {
  const offset = SHOP.indexOf(text);
  expect(offset, text).toBeGreaterThanOrEqual(0);
  return offset;
};

describe('hovering', () => {
  test.each<[string, string, readonly string[]]>([
    [
      'id = 1',
      'int64 id = 1',
      [
        'shop.Order.id',
        'explicit presence',
        'tag 1 byte; the value a varint, as wide as the number needs',
        'protobuf: absent 0, present 2 to 11 bytes',
        'native (optional Long): absent 1, present 9 bytes',
      ],
    ],
    [
      'sizes',
      'repeated int32 sizes = 20',
      [
        'shop.Order.sizes',
        'packed',
        'tag 2 bytes; the value a varint, as wide as the number needs',
        'protobuf: absent 0, present 4 bytes and more',
        'native (VInt count, Int each): absent 1, present 5 bytes and more',
      ],
    ],
    [
      'account',
      'fixed32 account = 6',
      [
        'shop.Order.account',
        'explicit presence',
        'tag 1 byte; the value of fixed width',
        'protobuf: absent 0, present 5 bytes',
        'native (optional Int): absent 1, present 5 bytes',
      ],
    ],
    ['Money total', 'message money.Money', ['1 field', 'smallest: protobuf 2 bytes, native 8 bytes with 0 flags']],
    ['State state', 'enum shop.Order.State', ['2 values, open']],
    ['PAID', 'PAID = 1', ['value of shop.Order.State']],
    ['payer', 'oneof shop.Order.payer', ['at most one of person, account']],
    ['Till', 'service shop.Till', ['1 method']],
    ['Sell', 'rpc shop.Till.Sell', ['Order → stream Money']],
    ['"money.proto"', 'file money.proto', ['package money']],
  ])('%s', (text, title, facts) => {
    const hover = hoverAt(words, 'shop.proto', at(text));
    expect(hover).toMatchObject({ title, facts });
  });

  test('shows the comment as documentation, with the range of the name', () => {
    const hover = hoverAt(words, 'shop.proto', at('id = 1') + 1)!;
    expect(hover.comment).toBe('Its number.');
    expect(SHOP.slice(hover.start, hover.end)).toBe('id');
  });

  test('counts have separators', () => {
    const values = Array.from({ length: 1000 }, (_, at) => `V${at} = ${at};`).join(' ');
    const content = `syntax = "proto3"; enum Large { ${values} }`;
    const large = compileSchema([{ path: 'large.proto', content }]);
    const hover = hoverAt({ ...words, ...large }, 'large.proto', content.indexOf('Large'));
    expect(hover?.facts).toEqual(['1,000 values, open']);
  });

  test('over white space', () => {
    expect(hoverAt(words, 'shop.proto', at('= 1'))).toBeNull();
    expect(hoverAt(words, 'none.proto', 0)).toBeNull();
  });
});

test('a type links to its definition in another file, and the definition to all uses', () => {
  expect(definitionAt(words, 'shop.proto', at('Money total'))).toMatchObject({
    file: 'money.proto',
    line: 2,
    column: 9,
  });
  expect(definitionAt(words, 'shop.proto', at('"money.proto"'))).toMatchObject({
    file: 'money.proto',
    line: 1,
    column: 1,
  });
  expect(definitionAt(words, 'shop.proto', at('= 1'))).toBeNull();
  const uses = referencesAt(words, 'money.proto', MONEY.indexOf('Money {'));
  expect(uses.map(({ file, line }) => `${file}:${line}`)).toEqual(['money.proto:2', 'shop.proto:9', 'shop.proto:14']);
  expect(uses.map(({ file, start, end }) => TEXTS[file]!.slice(start, end).split('.').at(-1))).toEqual([
    'Money',
    'Money',
    'Money',
  ]);
});

test('the outline has each declaration with its extent', () => {
  const outline = outlineOf(words, 'shop.proto');
  expect(outline.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    'message Order',
    'field id',
    'field sizes',
    'field total',
    'field state',
    'enum State',
    'value UNKNOWN',
    'value PAID',
    'oneof payer',
    'field person',
    'field account',
    'service Till',
    'method Sell',
  ]);
  for (const { start, end, extentStart, extentEnd } of outline) {
    expect(extentStart).toBeLessThanOrEqual(start);
    expect(extentEnd).toBeGreaterThanOrEqual(end);
  }
});

describe('completion', () => {
  const labels = (before: string) => completionsAt(words, before).map(({ label }) => label);

  test.each<[string, string, readonly string[], readonly string[]]>([
    [
      'types and keywords in a message',
      'package shop;\nmessage A {\n  ',
      ['sint64', 'repeated', 'Order', 'money.Money'],
      ['deprecated'],
    ],
    ['types by a part of their name', 'message A {\n  mon', ['money.Money'], ['shop.Order']],
    ['loaded files in an import', 'import "', ['money.proto', 'shop.proto'], ['sint64']],
    ['options of a field', 'message A { string a = 1 [', ['deprecated', 'packed'], ['sint64']],
    ['a second option of a field', 'message A { string a = 1 [packed = true, ', ['deprecated'], ['sint64']],
    ['options of a file', 'option ', ['deprecated'], ['packed']],
    ['types again behind the options', 'message A { string a = 1 [packed = true];\n  ', ['sint64'], ['deprecated']],
  ])('%s', (_, before, some, none) => {
    const found = labels(before);
    for (const label of some) expect(found).toContain(label);
    for (const label of none) expect(found).not.toContain(label);
  });

  test('after any text', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat({ max: SHOP.length }), (text, cut) => {
        completionsAt(words, text);
        completionsAt(words, SHOP.slice(0, cut) + text);
      }),
      { numRuns: 1000 },
    );
  });
});
