/** A reduced schema reads a type's messages as the whole one does. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compileSchema } from './compile.ts';
import type { MessageDescriptor } from './descriptor.ts';
import { neededFiles } from './needed-files.ts';

const file = (path: string, text: string) => ({ path, content: `syntax = "proto2"; package t; ${text}` });
const FILES = [
  file(
    'a.proto',
    'import "b.proto"; import "only-imported.proto"; message A { optional B b = 1; extensions 100 to 200; }',
  ),
  file('b.proto', 'import "c.proto"; import "m.proto"; message B { optional Kind kind = 1; map<string, M> m = 2; }'),
  file('c.proto', 'enum Kind { NONE = 0; }'),
  file('m.proto', 'message M {}'),
  file('only-imported.proto', 'message Unused {}'),
  file('x.proto', 'import "a.proto"; import "y.proto"; extend A { optional Y y = 100; }'),
  file('y.proto', 'message Y {}'),
  file('service.proto', 'import "a.proto"; service S { rpc Call(A) returns (A); }'),
  file('other.proto', 'message Other { optional Other more = 1; }'),
];
const { registry } = compileSchema(FILES);

describe('the files of a type', () => {
  test.each([
    ['t.A', 'a b c m only-imported x y'],
    ['t.B', 'b c m'],
    ['t.Other', 'other'],
  ])('%s: %s', (type, names) => {
    expect([...neededFiles(registry, type)!].map((path) => path.replace('.proto', '')).sort()).toEqual(
      names.split(' '),
    );
  });

  test('types that messages hold in an Any', () => {
    expect([...neededFiles(registry, 't.B', ['t.Y', 't.Missing'])!].sort()).toEqual([
      'b.proto',
      'c.proto',
      'm.proto',
      'y.proto',
    ]);
  });

  test('a missing type has no files', () => {
    expect(neededFiles(registry, 't.Missing')).toBeUndefined();
  });
});

const SCHEMAS = new URL('../../../schemas/', import.meta.url).pathname;
const shipped = readdirSync(SCHEMAS, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.proto'))
  .map((path) => ({ path, content: readFileSync(join(SCHEMAS, path), 'utf8') }));

test('every bundled type compiles to the same from the few files that it needs', () => {
  const whole = compileSchema(shipped).registry;
  const shapes = (type: MessageDescriptor) =>
    type.fields.map(({ name, number, type: kind, packed, presence, message, enum: named, options }) => ({
      name,
      number,
      kind,
      packed,
      presence,
      message: message?.fullName,
      named: named?.fullName,
      options,
    }));
  const needed = new Map<string, MessageDescriptor[]>();
  const own = new Set(shipped.map(({ path }) => path));
  for (const type of whole.messages.values()) {
    // Files that protoc brings are always present.
    if (!own.has(type.file)) continue;
    const key = [...neededFiles(whole, type.fullName)!].sort().join('\n');
    needed.set(key, [...(needed.get(key) ?? []), type]);
  }
  for (const [key, types] of needed) {
    const paths = new Set(key.split('\n'));
    const { registry: part, missing, diagnostics } = compileSchema(shipped.filter(({ path }) => paths.has(path)));
    expect(missing).toEqual([]);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    for (const type of types) expect(shapes(part.messages.get(type.fullName)!)).toEqual(shapes(type));
  }
  expect(neededFiles(whole, 'prometheus.WriteRequest')!.size).toBeLessThan(4);
});
