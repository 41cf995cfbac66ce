import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../model/diagnostic.ts';
import { compileSchema, type SchemaSource } from './compile.ts';
import { faultsIn } from './faults.ts';

const proto = (path: string, text: string): SchemaSource => ({ path, content: `syntax = "proto3";\n${text}` });

const names = (sources: readonly SchemaSource[]) => {
  const { registry, diagnostics, symbols } = compileSchema(sources);
  const faults = faultsIn(registry, diagnostics, symbols);
  const types = [...registry.messages.values()];
  for (const type of types) expect(faults.of(type).length > 0).toBe(faults.touched().has(type));
  return types.filter((type) => faults.touched().has(type)).map(({ fullName }) => fullName);
};

describe('types that errors touch', () => {
  test.each<readonly [string, readonly string[], readonly SchemaSource[]]>([
    ['no type without an error', [], [proto('a.proto', 'message A {}')]],
    [
      'a message with an error, and those that lead to it',
      ['Bad', 'Uses', 'Far'],
      [
        proto(
          'a.proto',
          `message Good { Sub sub = 1; } message Sub {}
        message Bad { Missing m = 1; } message Uses { map<string, Bad> bad = 1; } message Far { Uses uses = 1; }`,
        ),
      ],
    ],
    [
      'two messages that lead to each other',
      ['A', 'B'],
      [proto('a.proto', 'message A { B b = 1; Missing m = 2; } message B { A a = 1; } message C { C c = 1; }')],
    ],
    [
      'an enum with an error',
      ['Uses'],
      [proto('a.proto', 'enum E { A = 0; B = 1; C = 1; } message Uses { E e = 1; } message Free {}')],
    ],
    [
      'a message inside of another, which does not use it',
      ['Outer.Bad'],
      [proto('a.proto', 'message Outer { message Bad { Missing m = 1; } int32 n = 1; }')],
    ],
    [
      'every type of a file with an error outside of all, and those of others that use them',
      ['A', 'Uses'],
      [
        proto('a.proto', 'message A {}\nmessage'),
        proto('b.proto', 'import "a.proto"; message Uses { A a = 1; } message Free {}'),
      ],
    ],
    [
      'no message of a service with an error',
      [],
      [proto('a.proto', 'message A {} service S { rpc Call(A) returns (Missing); }')],
    ],
  ])('%s', (_, expected, sources) => {
    expect(names(sources).filter((name) => !name.endsWith('Entry'))).toEqual(expected);
  });

  test('types whose errors are past the limit of findings', () => {
    const messages = Array.from({ length: 600 }, (_, at) => `message M${at} { Missing a = 1; Missing b = 2; }`);
    const sources = [proto('a.proto', `${messages.join('\n')}`), proto('b.proto', 'message Good {}')];
    expect(names(sources)).toHaveLength(600);
  });
});

test('each error is assigned once, however many types there are', () => {
  const messages = Array.from({ length: 50 }, (_, at) => `message M${at} { Missing a = 1; M${at} b = 2; }`);
  const { registry, diagnostics, symbols } = compileSchema([proto('a.proto', messages.join('\n'))]);
  let asked = 0;
  const counted = diagnostics.map(
    (error): Diagnostic => ({
      ...error,
      get file() {
        asked++;
        return error.file!;
      },
    }),
  );
  const faults = faultsIn(registry, counted, symbols);
  for (const type of registry.messages.values())
    expect([faults.touched().has(type), faults.of(type).length]).toEqual([true, 1]);
  expect([diagnostics.length, asked]).toEqual([50, 50]);
});
