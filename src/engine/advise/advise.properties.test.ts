/** Random schemas, messages and sets of changes: what holds of every change that is accepted. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileSchema } from '#engine/schema/compile.ts';
import type { FieldDescriptor, Registry } from '#engine/schema/descriptor.ts';
import { arbitraryMessages } from '#testing/arbitrary-message.ts';
import { type AppliedChanges, applyChanges, mapBack, mapForward } from './apply.ts';
import { type Change, ImpossibleChange } from './change.ts';
import { editsOf, newNumbers } from './edits-of.ts';
import { Forms } from './forms.ts';
import { formulaOf } from './formula.ts';
import { patchOf } from './patch.ts';
import { schemaAfter } from './schema-after.ts';
import { readTree } from './value-tree.ts';
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

/** One change of a field, by a random number. */
function changeOf(field: FieldDescriptor, n: number): Change {
  const at = { message: field.parent.fullName, field: field.name };
  switch (n % 8) {
    case 0:
      return { ...at, change: 'number', from: field.number, to: 1 + ((n >> 3) % 40) };
    case 1:
      return { ...at, change: 'packed', to: !field.packed };
    case 2:
      return {
        ...at,
        change: 'presence',
        from: field.presence,
        to: ['explicit', 'explicit, always set', 'implicit'][(n >> 3) % 3]!,
      };
    case 3:
      return { ...at, change: 'message encoding', from: 'length-prefixed', to: 'delimited (editions)' };
    case 4:
      return { ...at, change: 'left out', when: field.message === undefined ? '-1' : 'the message is empty' };
    case 5:
      return {
        change: 'symbol table',
        table: { message: ROOT, field: 'symbols', number: 500, first: '' },
        fields: [`${at.message}.${at.field}`],
        type: 'uint32',
        order: 'by first use',
      };
    case 6:
      return {
        ...at,
        change: 'type',
        from: field.type,
        to: ['sint64', 'uint64', 'bytes'][(n >> 3) % 3]!,
        value: [
          'value + 1',
          'lower-case hex',
          `minus the ${at.field} of the a before it in the request`,
          `${at.field} minus ${at.field} of the a before it in the list`,
        ][(n >> 5) % 4]!,
      };
    default:
      return {
        ...at,
        change: 'type',
        from: field.type,
        to: ((n >> 3) % 5 === 0 ? 'optional ' : '') + SCALARS[(n >> 6) % SCALARS.length]!,
      };
  }
}

interface Trial {
  readonly proto: string;
  readonly registry: Registry;
  readonly trees: readonly NonNullable<ReturnType<typeof readTree>>[];
  readonly forms: Forms;
  readonly applied: AppliedChanges;
}

/** The changes that are accepted, one after the other, for these messages. */
function accept(proto: string, messages: readonly Uint8Array[], numbers: readonly number[]): Trial {
  const { registry } = compileSchema([{ path: 'random.proto', content: proto }]);
  const forms = new Forms(registry);
  const trees = messages.map((bytes) => readTree(bytes, forms, ROOT)!);
  const fields = [...registry.messages.values()]
    .filter(({ file }) => file === 'random.proto')
    .flatMap((type) => type.fields);
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

const trials = fc
  .tuple(arbitraryMessages({ odd: false }), fc.array(fc.nat({ max: 0x7fff_ffff }), { minLength: 1, maxLength: 10 }))
  .map(([{ proto, messages }, numbers]) => {
    const trial = accept(proto, messages, numbers);
    const text = messages.map((bytes) => Buffer.from(bytes).toString('hex')).join('\n');
    return { ...trial, [fc.toStringMethod]: () => `${proto}\n${JSON.stringify(trial.applied.changes)}\n${text}` };
  });

/** All that is measured by, of each message. */
const describeForms = (forms: Forms, names: Iterable<string>): string =>
  [...names].map((name) => JSON.stringify(forms.get(name)?.fields)).join('\n');

describe('any accepted set of changes', () => {
  it('round-trips to the original values, and its formula is what is measured', () => {
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

  it('is what its descriptor set says, and its patched files', () => {
    fc.assert(
      fc.property(trials, ({ proto, registry, forms, applied }) => {
        const sources = [{ path: 'random.proto', content: proto }];
        const { symbols } = compileSchema(sources);
        const names = [...registry.messages.keys()];
        const set = compileSchema([
          { path: 'set', content: schemaAfter(sources, registry, editsOf(forms, applied.after)) },
        ]);
        expect(set.diagnostics.map(({ message }) => message)).toEqual([]);
        expect(describeForms(new Forms(set.registry), names)).toBe(describeForms(applied.after, names));

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
        expect(describeForms(new Forms(compiled.registry), names)).toBe(describeForms(deployed.after, names));
        const printed = patchOf(
          {
            registry: set.registry,
            symbols: set.symbols,
            sources: [
              { path: 'set', content: schemaAfter(sources, registry, { fields: [], added: [], reserved: [] }) },
            ],
          },
          edits,
        );
        const text = printed.files.get('random.proto');
        if (text !== undefined) {
          const reprinted = compileSchema([{ path: 'random.proto', content: text }]);
          expect(describeForms(new Forms(reprinted.registry), names)).toBe(describeForms(deployed.after, names));
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('is a patch that git applies', () => {
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
