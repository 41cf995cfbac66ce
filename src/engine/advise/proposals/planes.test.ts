/** Lists of numbers by their bytes: the order of Parquet, what a compressor saves with it, the declaration in each syntax. */
import { describe, expect, it, test } from 'vitest';
import { hexOf } from '#engine/bytes/hex.ts';
import { loadCompressor } from '#engine/compression/compressors.ts';
import { compileSchema } from '#engine/schema/compile.ts';
import type { Advice } from '../advice.ts';
import { Advisor } from '../advise.ts';
import { applyChanges, mapBack, mapForward } from '../apply.ts';
import { editsOf } from '../edits-of.ts';
import { FieldEncodings } from '../forms.ts';
import { patchOf } from '../patch.ts';
import { TreeNode } from '../value-tree.ts';
import { writeTree } from '../write-tree.ts';

const unhex = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'));
const floatOf32 = (hex: string): number => new DataView(unhex(hex).buffer).getFloat32(0, true);
const schemaOf = (content: string) => {
  const sources = [{ path: 'p.proto', content }];
  return { ...compileSchema(sources), sources };
};
const formsOf = (type: string) =>
  new FieldEncodings(schemaOf(`syntax = "proto3"; message M { repeated ${type} x = 1; }`).registry);
const planesOf = (from: string, field = 'x') =>
  ({ change: 'type', message: 'M', field, from, to: 'bytes', value: 'byte planes' }) as const;

describe('bytes by plane', () => {
  it.each([
    // https://github.com/apache/parquet-format/blob/master/Encodings.md, BYTE_STREAM_SPLIT: its example.
    ['float', ['aabbccdd', '00112233', 'a3b4c5d6'].map(floatOf32), 'aa00a3 bb11b4 cc22c5 dd33d6'],
    ['double', [1.5, -0], '0000 0000 0000 0000 0000 0000 f800 3f80'],
    ['float', [unhex('0100c07f'), 1], '0100 0000 c080 7f3f'],
    ['fixed32', [0xddccbbaa, 0x33221100, 0xd6c5b4a3], 'aa00a3 bb11b4 cc22c5 dd33d6'],
    ['sfixed32', [-2, 1], 'fe01 ff00 ff00 ff00'],
    ['fixed64', [0xffff_ffff_ffff_fffen, 1], 'fe01 ff00 ff00 ff00 ff00 ff00 ff00 ff00'],
    ['sfixed64', [-(1n << 62n), 5], '0005 0000 0000 0000 0000 0000 0000 c000'],
  ])('of %s', (type, values, planes) => {
    const applied = applyChanges([planesOf(type)], formsOf(type), 'M');
    const after = mapForward(new TreeNode('M', new Map([['x', [...values]]])), applied);
    expect(hexOf(after.only('x') as Uint8Array)).toBe(planes.replaceAll(' ', ''));
    expect(mapBack(after, applied).fields.get('x')).toEqual(values);
  });

  it.each(['uint32', 'string', 'bool'])('not of %s', (type) => {
    expect(() => applyChanges([planesOf(type)], formsOf(type), 'M')).toThrow('M.x cannot become bytes');
  });
});

test.each([
  ['syntax = "proto2"; message M { repeated float x = 1 [packed = true]; }', 'optional bytes x = 1;'],
  [
    'syntax = "proto3"; message M { repeated float x = 1 [packed = false, deprecated = true]; }',
    ' bytes x = 1 [deprec',
  ],
  [
    'edition = "2023"; message M { repeated float x = 1 [features.repeated_field_encoding = EXPANDED]; }',
    ' bytes x = 1 [features.field_presence = EXPLICIT];',
  ],
  ['syntax = "proto2"; message M { extensions 1; } extend M { repeated float x = 1; }', 'optional bytes x = 1;'],
])('%s', (proto, declared) => {
  const schema = schemaOf(proto);
  const forms = new FieldEncodings(schema.registry);
  const { after } = applyChanges([planesOf('float', forms.get('M')!.fields[0]!.name)], forms, 'M');
  const patched = patchOf(schema, editsOf(forms, after)).files.get('p.proto')!;
  expect(patched).toContain(declared);
  expect(patched).not.toMatch(/repeated|packed/);
  expect(new FieldEncodings(schemaOf(patched).registry).get('M')!.fields).toEqual(after.get('M')!.fields);
});

describe('is proposed where it saves', () => {
  /** Normally distributed, as the components of embeddings are: https://en.wikipedia.org/wiki/Box–Muller_transform */
  const component = (at: number): number =>
    Math.sqrt(-2 * Math.log(((at * 0.754877) % 1) + 1e-9)) * Math.cos(2 * Math.PI * ((at * 0.56984) % 1));

  it.each([
    ['embeddings', 384, true],
    ['points', 2, false],
  ])('%s', async (_, length, isProposed) => {
    const forms = formsOf('float');
    const values = Array.from({ length }, (_unused, at) => Math.fround(component(at + 1)));
    const { bytes } = writeTree(new TreeNode('M', new Map([['x', values]])), forms);
    const { compress } = await loadCompressor('zstd');
    const zstd = { id: 'zstd', size: async (plain: Uint8Array) => (await compress(plain)).length };
    const units = [{ delimiter: null, messages: [bytes] }];
    const { registry } = forms;
    const advisor = await Advisor.open({ registry, type: 'M', units, compressors: [zstd], rankedBy: 'zstd' });
    const found: Advice[] = [];
    for await (const { advice } of advisor.proposals()) if (advice?.isSettled) found.push(advice);
    const row = found.find(({ title }) => title.startsWith('Write x of M as bytes'));
    expect(row !== undefined).toBe(isProposed);
    if (row === undefined) return;
    expect(row.saved.bytes).toBe(0);
    expect(row.saved.compressed['zstd']).toBeGreaterThan(0.03 * bytes.length);
    expect(row.compatibility.binary).toBe('unsafe');
    // A packed list and bytes have one wire type.
    expect(row.compatibility.reasons.map(({ text }) => text).join()).toContain('takes the bytes for another value');
  });
});
