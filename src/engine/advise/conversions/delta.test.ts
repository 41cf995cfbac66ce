import { expect, test } from 'vitest';
import { compileSchema } from '#engine/schema/compile.ts';
import { applyChanges, mapBack, mapForward } from '../apply.ts';
import type { TypeChange } from '../change.ts';
import { FieldEncodings } from '../forms.ts';
import { readTree } from '../read-tree.ts';
import { writeTree } from '../write-tree.ts';

const proto = 'syntax = "proto3"; package m; message M { map<int64, bool> known = 1; repeated int64 list = 2; }';
const forms = new FieldEncodings(compileSchema([{ path: 'm.proto', content: proto }]).registry);
const change: TypeChange = {
  change: 'type',
  message: 'm.M',
  field: 'list',
  from: 'int64',
  to: 'uint64',
  value: 'minus the value before it in the same list',
};
const MINUS_ONE = 'ffffffffffffffffff01';

test.each<[string, TypeChange, string, string]>([
  // The entries of a map are in the order of their keys: −1 comes before 0, and 2⁶⁴ − 1 after it.
  [
    'a key of a map',
    { ...change, message: 'm.M.KnownEntry', field: 'key' },
    `0a0d08${MINUS_ONE}1001 0a0408001001`,
    `0a0408001001 0a0d08${MINUS_ONE}1001`,
  ],
  ['the first value of a list', change, `120b${MINUS_ONE}07`, `120b${MINUS_ONE}08`],
])('%s that is negative is a large number in an unsigned type, and comes back', (_, one, before, after) => {
  const applied = applyChanges([one], forms, 'm.M');
  const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex.replace(/ /g, ''), 'hex'));
  const written = writeTree(mapForward(readTree(bytesOf(before), forms, 'm.M')!, applied), applied.after).bytes;
  expect(written).toEqual(bytesOf(after));
  const back = mapBack(readTree(written, applied.after, 'm.M')!, applied);
  expect(writeTree(back, forms).bytes).toEqual(bytesOf(before));
});
