/** The options of native layouts: each one of `native/options.proto`, in two versions of a schema. */
import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { compileSchema } from '../compile.ts';
import type { FieldDescriptor } from '../descriptor.ts';
import { compareSchemas } from './compare-schemas.ts';

const OPTIONS = {
  path: 'native/options.proto',
  content: readFileSync(new URL('../../../../schemas/native/options.proto', import.meta.url), 'utf8'),
};

function compare(before: string, after: string) {
  const [a, b] = [before, after].map((text) => {
    const content = `syntax = "proto3"; import "native/options.proto"; ${text}`;
    const { registry, diagnostics } = compileSchema([OPTIONS, { path: 'v.proto', content }]);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    return registry;
  });
  return compareSchemas(a!, b!, (path) => path === 'v.proto');
}

/** Where an option stands, and a version of the schema with it or without. */
const PLACES: Readonly<Record<string, (option: string) => string>> = {
  'google.protobuf.FieldOptions': (option) => `message M { int32 a = 1${option === '' ? '' : ` [${option}]`}; }`,
  'google.protobuf.MessageOptions': (option) =>
    `message M { ${option === '' ? '' : `option ${option};`} int32 a = 1; }`,
  'google.protobuf.OneofOptions': (option) =>
    `message M { oneof o { ${option === '' ? '' : `option ${option};`} int32 a = 1; } }`,
  'google.protobuf.MethodOptions': (option) =>
    `message M {} service S { rpc Do(M) returns (M) { ${option === '' ? '' : `option ${option};`} } }`,
};

function someValue(option: FieldDescriptor): string {
  if (option.enum !== undefined) return option.enum.values.find(({ number }) => number !== 0)!.name;
  if (option.message !== undefined) return '{}';
  if (option.type === 'bool') return 'true';
  return option.type === 'string' ? '"x"' : '1';
}

const { registry } = compileSchema([OPTIONS]);
const own = [...registry.extensions.values()].filter(({ file }) => file === OPTIONS.path);

describe('an option of native layouts that is new', () => {
  test.each(own.map((option) => [option.fullName, option] as const))('%s', (name, option) => {
    const place = PLACES[option.parent.fullName]!;
    const found = compare(place(''), place(`(${name}) = ${someValue(option)}`));
    expect(found.sides.binary).toBe('unsafe');
  });
});

describe('the order of declaration', () => {
  const ordered = (a: string, b: string) =>
    `message M { int32 ${a} = ${a === 'a' ? 1 : 2}; int32 ${b} = ${b === 'a' ? 1 : 2}; }`;
  it('changes the bytes of a native layout', () => {
    const option = ' [(wirecost.native.write) = VINT]';
    const both = (text: string) => text.replaceAll(';', `${option};`);
    const [one, other] = [both('int32 a = 1; int32 b = 2;'), both('int32 b = 2; int32 a = 1;')];
    const found = compare(`message M { ${one} }`, `message M { ${other} }`);
    expect(found.sides.binary).toBe('unsafe');
    expect(found.types[0]?.reasons.map(({ message }) => message)).toEqual([
      'The order of its fields changed: native layouts write them in that order.',
    ]);
  });
  it('is not a change for other messages', () => {
    expect(compare(ordered('a', 'b'), ordered('b', 'a')).types).toEqual([]);
  });
});
