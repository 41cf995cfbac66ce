/** Schemas of real systems against lists of their fields that another library printed, and odd ones that are right or wrong. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compileSchema } from '#engine/schema/compile.ts';
import type { FieldDescriptor, MessageDescriptor, Registry } from '#engine/schema/descriptor.ts';
import { readSchemaFiles } from '../../src/cli/inputs/schema-files.ts';
import { type Check, Differences, type Finding, PROJECT } from './check.ts';

/** `message a.B` and its fields, `enum a.E` and its values, a line each. */
type Declared = ReadonlyMap<string, readonly string[]>;

export const schemaSets: Check = {
  id: 'schemas',
  title: 'messages and enums of recorded descriptor sets, field by field',
  async *run(folder) {
    for (const [system, recorded] of await readLists(folder)) {
      const sets = (await readdir(join(folder, 'schemas'))).filter((file) => file.startsWith(system));
      const set = sets.find((file) => file.endsWith('.fds.binpb')) ?? '';
      const { registry, diagnostics } = compileSchema(await readSchemaFiles([join(folder, 'schemas', set)]));
      const declared = declaredIn(registry);
      yield { name: set, differences: diagnostics.map(({ message }) => message) };
      yield* compareDeclared(recorded, declared, [...recorded.keys()]);
    }
  },
};

export const schemaTexts: Check = {
  id: 'schemas-proto',
  title: 'messages and enums of the .proto files that ship with the app, as recorded',
  async *run(folder) {
    const { registry } = compileSchema(await readSchemaFiles([join(PROJECT, 'schemas')]));
    const declared = declaredIn(registry);
    for (const [, recorded] of await readLists(folder)) {
      const shared = [...recorded.keys()].filter((name) => declared.has(name));
      if (shared.length === 0) yield { name: [...recorded.keys()].join(', '), differences: ['not one is declared'] };
      yield* compareDeclared(recorded, declared, shared);
    }
  },
};

export const weirdSchemas: Check = {
  id: 'schemas-weird',
  title: 'odd .proto files: those called x_ are refused, the others compile',
  async *run(folder) {
    // Names in imports start with the folder. One file that others import is not among the recordings.
    const beside = await readSchemaFiles([join(PROJECT, 'fixtures', 'schema', 'weird')]);
    const helpers = beside.filter(({ path }) => /\b(scope1|trans_mid)\.proto$/.test(path));
    for (const file of (await readdir(join(folder, 'schemas', 'weird'))).sort()) {
      const path = `weird/${file}`;
      const own = { path, content: await readFile(join(folder, 'schemas', 'weird', file), 'utf8') };
      const others = helpers.map(({ path: name, content }) => ({ path: `weird/${name.split('/').at(-1)}`, content }));
      const { diagnostics } = compileSchema([own, ...others.filter((other) => other.path !== path)]);
      const errors = diagnostics.filter(({ severity }) => severity === 'error');
      const differences = new Differences();
      differences.expect('refused', errors.length > 0, file.startsWith('x_'));
      for (const { file: place } of errors) differences.expect('error in', place, path);
      yield { name: file, differences: differences.list };
    }
  },
};

function* compareDeclared(recorded: Declared, declared: Declared, names: readonly string[]): Generator<Finding> {
  for (const name of names) {
    const ours = declared.get(name);
    const theirs = recorded.get(name)!;
    const differences = new Differences();
    if (ours === undefined) differences.add('is not declared');
    else {
      differences.add(...ours.filter((line) => !theirs.includes(line)).map((line) => `ours only: ${line}`));
      differences.add(...theirs.filter((line) => !ours.includes(line)).map((line) => `missing: ${line}`));
    }
    yield { name, differences: differences.list };
  }
}

function declaredIn(registry: Registry): Declared {
  const declared = new Map<string, readonly string[]>();
  for (const message of registry.messages.values()) {
    declared.set(`message ${message.fullName}`, message.fields.map(printField));
  }
  for (const { fullName, values } of registry.enums.values()) {
    declared.set(
      `enum ${fullName}`,
      values.map(({ name, number }) => `${name}=${number}`),
    );
  }
  return declared;
}

/** As in the recorded lists: `12 repeated packed sint64 deltas`, `4 string text oneof value`. */
function printField(field: FieldDescriptor): string {
  const named: { readonly fullName: string } | MessageDescriptor | undefined = field.message ?? field.enum;
  const optional = field.oneof === undefined && field.presence === 'explicit' && field.message === undefined;
  const oneof = field.oneof?.name ?? (optional ? `_${field.name}` : undefined);
  return [
    field.number,
    ...(field.cardinality === 'singular' ? [] : ['repeated']),
    ...(field.packed ? ['packed'] : []),
    ...(field.enum === undefined ? [] : ['enum']),
    named?.fullName ?? field.type,
    field.name,
    ...(oneof === undefined ? [] : ['oneof', oneof]),
  ].join(' ');
}

/** Lists by the beginning of the name of the set that they were printed from. */
async function readLists(folder: string): Promise<readonly (readonly [system: string, list: Declared])[]> {
  const files = (await readdir(join(folder, 'schemas'))).filter((file) => file.endsWith('.fields.txt')).sort();
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(folder, 'schemas', file), 'utf8');
      return [file.replace('.fields.txt', ''), parseList(text)] as const;
    }),
  );
}

function parseList(text: string): Declared {
  const declared = new Map<string, string[]>();
  let fields: string[] = [];
  for (const line of text.split('\n')) {
    const message = /^message (\S+)/.exec(line);
    const values = /^enum (\S+): (.*)$/.exec(line);
    if (message) {
      fields = [];
      declared.set(`message ${message[1]}`, fields);
    } else if (values) declared.set(`enum ${values[1]}`, values[2]!.split(', '));
    else if (/^ +\d/.test(line)) fields.push(line.trim().replaceAll(/ +/g, ' '));
  }
  return declared;
}
