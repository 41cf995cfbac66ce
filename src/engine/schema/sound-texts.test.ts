/** A schema whose texts have no faults is the same whether its types are linked at once or on demand. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileSchema, openSchema, originOf, type SchemaSource } from './compile.ts';
import type { MessageDescriptor, Registry } from './descriptor.ts';
import type { LazyMap } from './link/lazy-map.ts';
import { printRegistry } from './print-registry.ts';
import { runToEnd } from './steps.ts';
import type { SchemaSymbols } from './symbols.ts';

const ROOT = new URL('../../../', import.meta.url);

const filesIn = (folder: string): readonly SchemaSource[] =>
  readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.proto'))
    .sort()
    .map((path) => ({ path, content: readFileSync(new URL(`${folder}${path}`, ROOT), 'utf8') }));

const ODD = `
edition = "2024";
package odd;
import "google/protobuf/descriptor.proto";
extend google.protobuf.MessageOptions { string note = 50000; Kind kind = 50001; }
enum Kind { KIND_UNSPECIFIED = 0; KIND_ONE = 1; }
// Uses a type that is declared after it.
message Outer {
  option (odd.note) = "n";
  option (kind) = KIND_ONE;
  Inner.Deep map = 1;
  map<string, Inner> by_name = 2;
  oneof choice { Inner one = 3; string message = 4; }
  message Inner { message Deep { Kind enum = 1; Outer extend = 2; } extensions 100 to 200; enum Kind { OTHER = 0; } Kind kind = 1; }
  extend Inner { Outer more = 100; }
  reserved 9;
  reserved gone;
}
export message Shown { local enum Own { A = 0; } Own own = 1; }
local enum Hidden { H = 0; }
service Calls { rpc Call(Outer) returns (stream Outer.Inner) { option deprecated = true; } }
`;

const OLD = `
syntax = "proto2";
package old;
message Result {
  repeated group Hit = 1 { required string name = 1; optional group Place = 2 { optional Result above = 1; } }
  oneof one { group Either = 3 { optional Hit.Place at = 1; } }
  optional int32 group_size = 4 [default = -1];
  extensions 10 to max;
  extend Result { optional group Added = 10 { optional Either either = 1; } }
}
extend Result { optional group Top = 11 { optional Result.Hit hit = 1; } }
`;

const SCHEMAS: readonly (readonly [name: string, sources: readonly SchemaSource[]])[] = [
  ['the schemas that ship with the app', filesIn('schemas/')],
  ['the files that other schemas import', filesIn('src/imports/')],
  ['names that are keywords, types of later declarations', [{ path: 'odd.proto', content: ODD }]],
  ['groups in messages, oneofs and extensions', [{ path: 'old.proto', content: OLD }]],
];

/** Every name that is written in a file, with its place. */
const printPlaces = ({ files }: Registry, symbols: SchemaSymbols): readonly string[] =>
  files.flatMap(({ path }) =>
    [...(symbols.in(path) ?? [])]
      .map(({ symbol: { kind, fullName }, start, end, extent }) => {
        const whole = extent === undefined ? 'used' : `in ${extent.start}-${extent.end}`;
        return `${path}:${start}-${end} ${kind} ${fullName} ${whole}`;
      })
      .sort(),
  );

const facts = ({ messages, services, files }: Registry) => ({
  options: [...messages.values()].map(({ fullName, options, comment, fields, oneofs }) => [
    fullName,
    options,
    comment,
    fields.map((field) => [field.name, field.options, field.comment, field.defaultValue, field.content?.fullName]),
    oneofs.map(({ name, comment: text }) => [name, text]),
  ]),
  methods: [...services.values()].map(({ fullName, comment, methods }) => [
    fullName,
    comment,
    methods.map(({ name, options, comment: text }) => [name, options, text]),
  ]),
  files: files.map(({ path, options }) => [path, options]),
});

test.each(SCHEMAS)('linked on demand: %s', (_, sources) => {
  const whole = compileSchema(sources);
  expect(whole.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const { registry, symbols, check, diagnostics } = openSchema(sources, true);
  expect(originOf(registry)).toEqual({ sources, isSound: true });
  expect(diagnostics).toEqual([]);
  for (const kind of ['messages', 'enums', 'services', 'extensions'] as const) {
    expect([...registry[kind].keys()].sort()).toEqual([...whole.registry[kind].keys()].sort());
  }
  expect(printRegistry(registry)).toBe(printRegistry(whole.registry));
  expect(facts(registry)).toEqual(facts(whole.registry));
  expect(runToEnd(check())).toEqual([]);
  const places = printPlaces(registry, symbols);
  expect(places).toEqual(printPlaces(whole.registry, whole.symbols));
  // A further check gives no place twice.
  runToEnd(check());
  expect(printPlaces(registry, symbols)).toEqual(places);
});

test.each(SCHEMAS)('each type alone, before any other: %s', (_, sources) => {
  const { registry: whole } = compileSchema(sources);
  const names = [...whole.messages.keys()];
  const step = Math.ceil(names.length / 12);
  for (let at = 0; at < names.length; at += step) {
    const { registry } = openSchema(sources, true);
    const print = (of: Registry) => {
      const type = of.messages.get(names[at]!)!;
      return printRegistry({
        ...of,
        messages: new Map([[type.fullName, type]]),
        enums: new Map(),
        services: new Map(),
      });
    };
    expect(print(registry)).toBe(print(whole));
  }
});

test('a method is read without its types', () => {
  const content = 'message Asked {} message Answer {} service Calls { rpc Call(Asked) returns (Answer); }';
  const { registry } = openSchema([{ path: 'calls.proto', content }], true);
  const messages = registry.messages as LazyMap<MessageDescriptor, object>;
  const waiting = ['Asked', 'Answer'].map((name) => messages.peek(name));
  const [method] = registry.services.get('Calls')!.methods;
  expect(method).toMatchObject({ name: 'Call', deprecated: false, options: {} });
  for (const [at, name] of ['Asked', 'Answer'].entries()) expect(messages.peek(name)).toBe(waiting[at]);
  expect(method!.output).toBe(messages.get('Answer'));
  expect(messages.peek('Asked')).toBe(waiting[0]);
});
