import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { compileSchema } from '#engine/schema/compile.ts';
import { FieldEncodings } from '../forms.ts';
import { FieldValues } from '../uses.ts';
import { TreeNode } from '../value-tree.ts';
import { spelledTexts } from './texts.ts';

const { registry } = compileSchema([
  { path: 'r.proto', content: 'syntax = "proto3"; message R { string id = 1; } message L { repeated R r = 1; }' },
]);

/** Digests, cut. */
const ids = (count: number, bytes: number, coding: BufferEncoding): readonly string[] =>
  Array.from({ length: count }, (_, at) =>
    createHash('sha512').update(`id ${at}`).digest().subarray(0, bytes).toString(coding),
  );
const padded = (text: string) => text.padEnd(Math.ceil(text.length / 4) * 4, '=');

const WORDS = ['GetUserByIds', 'ListShardsV2', 'api/v1/users', 'HTTP2Headers', 'IndexOfThree', 'search/Phase', 'Mode'];
const NODES = ['Node7f2a-east', 'Node81bc-west', 'Node90aa-east', 'Nodebb12-west'];

test.each<[string, readonly string[], string | undefined]>([
  ['ids of 16 bytes, of which some have no digit', ids(500, 16, 'base64'), 'base64'],
  ['ids of 8 bytes', ids(500, 8, 'base64'), 'base64'],
  ['ids of 12 bytes, without padding', ids(100, 12, 'base64'), 'base64'],
  ['ids that are sometimes absent', [...ids(40, 16, 'base64'), ''], 'base64'],
  ['one long text', ids(1, 60, 'base64'), 'base64'],
  ['a sentence in base64', [Buffer.from('Hello world, this is a test.').toString('base64')], 'base64'],
  ['ids as in URLs', ids(100, 16, 'base64url'), 'base64url'],
  ['ids as in URLs, padded', ids(100, 16, 'base64url').map(padded), 'padded base64url'],
  ['hex, which is base64, too', ids(100, 16, 'hex'), 'lower-case hex'],
  ['hex in capitals', ids(100, 16, 'hex').map((text) => text.toUpperCase()), 'upper-case hex'],
  ['decimal numbers', ids(100, 4, 'hex').map((text) => String(Number.parseInt(text, 16))), 'decimal'],
  ['decimal numbers of 64 bits', ids(100, 8, 'hex').map((text) => String(BigInt(`0x${text}`))), 'decimal'],
  ['eight short ids', ids(8, 8, 'base64url'), 'base64url'],
  ['seven short ids', ids(7, 8, 'base64url'), undefined],
  ['eight shorter ids', ids(8, 7, 'base64url'), undefined],
  ['a text of 24 characters', ids(1, 18, 'base64'), 'base64'],
  ['a text of 20 characters', ids(1, 15, 'base64'), undefined],
  ['runs of capitals, small letters and digits', ['ABCDEFGHabcdefgh12345678'], undefined],
  ['capitals and digits', ['A1B2C3D4E5F6G7H8J9K1L2M3'], undefined],
  ['words and paths', [...WORDS, ...WORDS.map((word) => word.repeat(2))], undefined],
  ['names of nodes', [...NODES, ...NODES.map((name) => `${name}-${name}`)], undefined],
  ['digits and small letters', ids(100, 15, 'base64').map((text) => text.toLowerCase()), undefined],
  ['ids and other text', [...ids(100, 16, 'base64'), 'not found'], undefined],
])('%s', (_, texts, code) => {
  const records = texts.map((text) => new TreeNode('R', new Map([['id', [new TextEncoder().encode(text)]]])));
  const tree = new TreeNode('L', new Map([['r', records]]));
  const titles = spelledTexts(new FieldValues([tree], new FieldEncodings(registry), 'L')).map(({ title }) => title);
  const type = code === 'decimal' ? 'uint64' : 'bytes';
  expect(titles).toEqual(code === undefined ? [] : [`Declare id of R ${type}: the text is ${code}`]);
});
