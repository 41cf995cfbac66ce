/** Random schemas, messages and sets of changes: what holds of every change that is accepted. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileSchema } from '#engine/schema/compile.ts';
import type { FieldDescriptor, Registry } from '#engine/schema/descriptor.ts';
import { compileProto } from '#testing/arbitrary-message.ts';
import { arbitraryProtoWithAny } from '#testing/arbitrary-schema.ts';
import { arbitraryWire } from '#testing/arbitrary-wire.ts';
import { type AppliedChanges, applyChanges, mapBack, mapForward } from './apply.ts';
import { type Change, ImpossibleChange } from './change.ts';
import { editsOf, newNumbers } from './edits-of.ts';
import { FieldEncodings } from './forms.ts';
import { formulaOf } from './formula.ts';
import { patchOf } from './patch.ts';
import { readTree } from './read-tree.ts';
import { schemaAfter } from './schema-after.ts';
import { writeTree } from './write-tree.ts';

const ROOT = 'random.A';
const SCALARS = [
  'int32',
  'int64',
  'uint32',
  'uint64',
  'sint32',
  'sint64',
  'fixed32',
  'fixed64',
  'sfixed64',
  'bytes',
  'string',
  'float',
  'double',
];

type Kind = Exclude<Change['change'], 'other schema'>;
type Make = (field: FieldDescriptor, n: number) => Change;

const at = (field: FieldDescriptor) => ({ message: field.parent.fullName, field: field.name });
const typeName = ({ type, message, enum: named }: FieldDescriptor): string => (message ?? named)?.fullName ?? type;

/** One change of a field by a random number, of every kind: a new kind does not compile without its row. */
const CHANGES: Readonly<Record<Kind, Make>> = {
  number: (field, n) => ({ ...at(field), change: 'number', from: field.number, to: 1 + (n % 40) }),
  packed: (field) => ({ ...at(field), change: 'packed', to: !field.packed }),
  presence: (field, n) => ({
    ...at(field),
    change: 'presence',
    from: field.presence,
    to: ['explicit', 'explicit, always set', 'implicit'][n % 3]!,
  }),
  'message encoding': (field) => ({
    ...at(field),
    change: 'message encoding',
    from: 'length-prefixed',
    to: 'delimited (editions)',
  }),
  'left out': (field) => ({
    ...at(field),
    change: 'left out',
    when: field.message === undefined ? '-1' : 'the message is empty',
  }),
  'symbol table': (field) => ({
    change: 'symbol table',
    table: { message: ROOT, field: 'symbols', number: 500, first: '' },
    fields: [`${field.parent.fullName}.${field.name}`],
    type: 'uint32',
    order: 'by first use',
  }),
  'new field': (field, n) => ({
    change: 'new field',
    message: field.parent.fullName,
    field: `int_${field.name}`,
    number: 600 + (n % 3),
    type: 'sint64',
    when: `${field.name} is a whole number`,
  }),
  constant: (field, n) => ({
    change: 'constant',
    message: field.parent.fullName,
    field: `of_${field.name}`,
    number: 700 + (n % 3),
    list: field.name,
    of: field.message?.fields[n % field.message.fields.length]?.name ?? '',
  }),
  columns: (field, n) => ({
    ...at(field),
    change: 'columns',
    columns: (field.message?.fields ?? []).map(({ name }, index) => ({
      field: `${field.name}_${name}`,
      number: 800 + 10 * (n % 3) + index,
      of: name,
    })),
  }),
  written: () => ({ change: 'written', without: 'padded lengths' }),
  compressor: () => ({ change: 'compressor', from: 'zstd', to: 'gzip' }),
  map: (field) => ({ ...at(field), change: 'map', to: 'repeated' }),
  dictionary: () => ({ change: 'dictionary', from: 'zstd', to: 'zstd', bytes: 1024 }),
  enum: (field, n) => ({
    ...at(field),
    change: 'enum',
    name: ['OfNew', 'E', 'W', 'Choice'][n % 4]!,
    constants: [['a'], ['ONE', 'TWO'], ['one', 'two'], ['x', 'X']][(n >> 2) % 4]!,
  }),
  oneof: (field, n) => ({
    ...at(field),
    change: 'oneof',
    from: field.oneof?.name ?? '',
    to: field.oneof === undefined || n % 3 === 0 ? ['of_new', 'choice', 'of_other'][n % 3]! : '',
  }),
  type(field, n) {
    const rest = n >> 2;
    const { name } = field;
    const inner = field.message?.fields[0];
    switch (n % 4) {
      case 0:
        return {
          ...at(field),
          change: 'type',
          from: field.type,
          to: ['sint64', 'uint64', 'bytes'][rest % 3]!,
          value: [
            'value + 1',
            'lower-case hex',
            `minus the ${name} of the a before it in the request`,
            `${name} minus ${name} of the a before it in the list`,
            'minus the value before it in the same list',
            'byte planes',
          ][(rest >> 2) % 6]!,
        };
      case 1: {
        const label = inner?.cardinality === 'repeated' ? 'repeated ' : rest % 2 === 0 ? 'optional ' : '';
        const to = label + (inner === undefined ? 'int32' : typeName(inner));
        return { ...at(field), change: 'type', from: typeName(field), to, value: 'its only field' };
      }
      default: {
        const to = SCALARS[(rest >> 3) % SCALARS.length]!;
        return { ...at(field), change: 'type', from: field.type, to: (rest % 5 === 0 ? 'optional ' : '') + to };
      }
    }
  },
};

it('docs/advise.md describes every change', () => {
  const docs = readFileSync(join(import.meta.dirname, '../../../docs/advise.md'), 'utf8');
  for (const kind of [...Object.keys(CHANGES), 'other schema']) expect(docs).toContain(`\n| \`${kind}\` | `);
});
const KINDS = Object.values(CHANGES);

const changeOf: Make = (field, n) => KINDS[n % KINDS.length]!(field, Math.floor(n / KINDS.length));

interface Trial {
  readonly proto: string;
  readonly registry: Registry;
  readonly trees: readonly NonNullable<ReturnType<typeof readTree>>[];
  readonly forms: FieldEncodings;
  readonly applied: AppliedChanges;
}

const fieldsOf = ({ messages }: Registry): readonly FieldDescriptor[] =>
  [...messages.values()].filter(({ file }) => file === 'random.proto').flatMap(({ fields }) => fields);

/** The changes that are accepted, one after the other, for these messages. */
function accept(proto: string, messages: readonly Uint8Array[], numbers: readonly number[]): Trial {
  const { registry } = compileSchema([{ path: 'random.proto', content: proto }]);
  const forms = new FieldEncodings(registry);
  const trees = messages.map((bytes) => readTree(bytes, forms, ROOT)!);
  const fields = fieldsOf(registry);
  let applied = applyChanges([], forms, ROOT);
  if (fields.length === 0) return { proto, registry, trees, forms, applied };
  for (const n of numbers) {
    try {
      const next = applyChanges([...applied.changes, changeOf(fields[n % fields.length]!, n >> 5)], forms, ROOT);
      for (const tree of trees) mapForward(tree, next);
      applied = next;
    } catch (error) {
      if (!(error instanceof ImpossibleChange)) throw error;
    }
  }
  return { proto, registry, trees, forms, applied };
}

const WRAPPED = ['int32', 'string', 'double', 'E', 'B', 'repeated int64', 'repeated string', 'repeated B'];

/** Random messages with messages of one field among them, and with lists that have few different values. */
const messages = fc.tuple(arbitraryProtoWithAny, fc.constantFrom(...WRAPPED)).chain(([text, held]) => {
  const label = text.includes('"proto2"') ? 'optional ' : '';
  const own = held.startsWith('repeated') ? held : label + held;
  const proto = text
    .replace(
      'message A {',
      `message A {\n  ${label}W one = 801;\n  repeated W some = 802;\n  map<bool, W> by = 803;\n  repeated R all = 804;`,
    )
    .concat(`\nmessage W { ${own} held = 1; }\nmessage R { ${label}bool flag = 1; ${label}E e = 2; ${label}W w = 3; }`);
  return fc
    .array(arbitraryWire(compileProto(proto), { odd: false }), { minLength: 1, maxLength: 3 })
    .map((bytes) => ({ proto, messages: bytes }));
});

const trials = fc
  .tuple(messages, fc.array(fc.nat({ max: 0x7fff_ffff }), { minLength: 1, maxLength: 10 }))
  .map(([{ proto, messages }, numbers]) => {
    const trial = accept(proto, messages, numbers);
    const text = messages.map((bytes) => Buffer.from(bytes).toString('hex')).join('\n');
    return { ...trial, [fc.toStringMethod]: () => `${proto}\n${JSON.stringify(trial.applied.changes)}\n${text}` };
  });

/** All that is measured by, of each message. */
const describeForms = (forms: FieldEncodings, names: Iterable<string>): string =>
  [...names].map((name) => JSON.stringify(forms.get(name)?.fields)).join('\n');

describe('any accepted changes', () => {
  it('round-trip to the original values, and the formula equals the measurement', () => {
    fc.assert(
      fc.property(trials, ({ trees, forms, applied }) => {
        for (const tree of trees) {
          const before = writeTree(tree, forms).bytes;
          const after = writeTree(mapForward(tree, applied), applied.after).bytes;
          const read = readTree(after, applied.after, ROOT)!;
          expect(Buffer.from(writeTree(mapBack(read, applied), forms).bytes).toString('hex')).toBe(
            Buffer.from(before).toString('hex'),
          );
          const { records, enclosing } = formulaOf(tree, applied);
          expect(records + enclosing).toBe(before.length - after.length);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('are equal, or refused alike, in any order', () => {
    const some = fc.tuple(
      messages,
      fc.array(fc.nat({ max: 0x7fff_ffff }), { minLength: 2, maxLength: 8 }),
      fc.infiniteStream(fc.nat()),
    );
    fc.assert(
      fc.property(some, ([{ proto, messages }, numbers, keys]) => {
        const { applied, forms, trees, registry } = accept(proto, messages, numbers);
        const field = fieldsOf(registry)[0];
        // With one that may be refused.
        const changes = field === undefined ? applied.changes : [...applied.changes, changeOf(field, numbers[0]!)];
        const outcomeOf = (order: readonly Change[]): string => {
          try {
            const next = applyChanges(order, forms, ROOT);
            const { moves } = newNumbers(next.changes, forms, next.after);
            const written = trees.map((tree) => Buffer.from(writeTree(mapForward(tree, next), next.after).bytes));
            return `${JSON.stringify(moves)} ${written.map((bytes) => bytes.toString('hex')).join()}`;
          } catch (error) {
            if (error instanceof ImpossibleChange) return error.message;
            throw error;
          }
        };
        const shuffled = changes
          .map((change) => ({ change, key: keys.next().value }))
          .sort((a, b) => a.key - b.key)
          .map(({ change }) => change);
        expect(outcomeOf(shuffled)).toBe(outcomeOf(changes));
      }),
      { numRuns: 500 },
    );
  });

  it('are equal in the descriptor set and in the patched files', () => {
    fc.assert(
      fc.property(trials, ({ proto, registry, forms, applied }) => {
        const sources = [{ path: 'random.proto', content: proto }];
        const { symbols } = compileSchema(sources);
        const names = [...registry.messages.keys()];
        const set = compileSchema([
          { path: 'set', content: schemaAfter(sources, registry, editsOf(forms, applied.after)) },
        ]);
        expect(set.diagnostics.map(({ message }) => message)).toEqual([]);
        expect(describeForms(new FieldEncodings(set.registry), names)).toBe(describeForms(applied.after, names));

        const { moves, reserved } = newNumbers(applied.changes, forms, applied.after);
        const deployed = applyChanges([...applied.changes, ...moves], forms, ROOT);
        const edits = { ...editsOf(forms, deployed.after), reserved };
        const { diff, files, refused } = patchOf({ registry, symbols, sources }, edits);
        if (refused !== undefined) {
          expect(proto).toMatch(/group /);
          return;
        }
        const patched = files.get('random.proto') ?? proto;
        expect(patched === proto).toBe(diff === '');
        const compiled = compileSchema([{ path: 'random.proto', content: patched }]);
        expect(
          compiled.diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message),
        ).toEqual([]);
        expect(describeForms(new FieldEncodings(compiled.registry), names)).toBe(describeForms(deployed.after, names));
        const printed = patchOf(
          {
            registry: set.registry,
            symbols: set.symbols,
            sources: [
              {
                path: 'set',
                content: schemaAfter(sources, registry, { fields: [], added: [], enums: [], reserved: [] }),
              },
            ],
          },
          edits,
        );
        const text = printed.files.get('random.proto');
        if (text !== undefined) {
          const reprinted = compileSchema([{ path: 'random.proto', content: text }]);
          expect(describeForms(new FieldEncodings(reprinted.registry), names)).toBe(
            describeForms(deployed.after, names),
          );
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('give a patch that git applies', () => {
    const folder = mkdtempSync(join(tmpdir(), 'patch-'));
    try {
      const expected = new Map<string, string>();
      let patch = '';
      for (const [at, { proto, registry, forms, applied }] of fc.sample(trials, { numRuns: 150, seed: 17 }).entries()) {
        const path = `${at}.proto`;
        const text = proto.replaceAll('\n', at % 3 === 0 ? '\r\n' : '\n') + (at % 2 === 0 ? '\n' : '');
        const own = compileSchema([{ path, content: text }]);
        const edits = editsOf(forms, applied.after);
        const { diff, files } = patchOf({ ...own, sources: [{ path, content: text }] }, edits);
        if (files.get(path) === undefined) continue;
        writeFileSync(join(folder, path), text);
        expected.set(path, files.get(path)!);
        patch += diff;
        expect(registry.messages.size).toBe(own.registry.messages.size);
      }
      writeFileSync(join(folder, 'all.patch'), patch);
      execFileSync('git', ['apply', '--whitespace=nowarn', 'all.patch'], { cwd: folder });
      for (const [path, text] of expected) expect(readFileSync(join(folder, path), 'utf8')).toBe(text);
      expect(expected.size).toBeGreaterThan(50);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
