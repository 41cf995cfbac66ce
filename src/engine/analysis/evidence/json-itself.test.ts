import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { bytesSource } from '../../bytes/source.ts';
import { bytesIn } from '../../cost/profile.ts';
import { compileSchema } from '../../schema/compile.ts';
import { analyze } from '../analyze.ts';
import { planMessages } from '../plan/plan-messages.ts';
import { openInput, type PayloadsRead } from '../read-input.ts';
import { allMessages, storeMessages } from '../store/message-store.ts';

const compile = (content: string) =>
  compileSchema([{ path: 'a.proto', content: `syntax = "proto3"; ${content}` }]).registry;
const ENVELOPE = compile('message Envelope { string type = 1; bytes payload = 2; int64 at = 3; }');
const INNER = compile('message Placed { string id = 1; int32 items = 2; repeated string skus = 3; }');
const placed = Buffer.from('0a0a6f726465722d3130303110021a06534b552d39391a06534b552d3737', 'hex').toString('base64');
const JSON_TEXT = JSON.stringify({ type: 'a.Placed', payload: placed, at: '1780000000000' });

const sourceOf = (text: string) => bytesSource('a.json', new TextEncoder().encode(text));

const read = async (text: string, registry: typeof ENVELOPE | null, steps?: readonly string[]) => {
  const types = registry === null ? [] : [{ registry }];
  const choice = { steps };
  const opened = await openInput(sourceOf(text), choice, {}, () => types);
  const { store, input } = await storeMessages(opened, choice, { nextTurn: () => Promise.resolve() });
  const plan = await planMessages([{ store, ordinals: allMessages(store) }], types);
  if (opened.kind !== 'payloads' || input.kind !== 'payloads') throw new Error('It is a capture.');
  return [input.steps.map(({ id }) => id), plan.type, input.messages, opened.isByTypes];
};

test.each([
  ['a message whose type is loaded', JSON_TEXT, ENVELOPE, undefined, [[], 'Envelope', 1, true]],
  ['a message a line', `${JSON_TEXT}\n${JSON_TEXT}\n`, ENVELOPE, undefined, [[], 'Envelope', 2, true]],
  ['an envelope: the type of its contents is loaded', JSON_TEXT, INNER, undefined, [['json'], 'Placed', 1, true]],
  ['an envelope without a schema', JSON_TEXT, null, undefined, [['json'], null, 1, true]],
  ['an envelope by hand', JSON_TEXT, ENVELOPE, ['json'], [['json'], null, 1, false]],
])('JSON with base64 in it is %s', async (_name, text, registry, steps, expected) => {
  expect(await read(text, registry, steps)).toEqual(expected);
});

const NESTED = JSON.stringify({ type: 'log', payload: Buffer.from(JSON_TEXT).toString('base64') });

test('a step by hand stays, and what it opens may itself be the message', async () => {
  expect(await read(NESTED, ENVELOPE, ['json'])).toEqual([['json'], 'Envelope', 1, true]);
});

test('every key has its bytes, with any name', async () => {
  const { profiles } = await analyze(sourceOf('{"__proto__":1,"constructor":[2],"":3}'), {}, {});
  const { fields, pair } = profiles[0]!;
  const bytes = fields.map((field) => [field.name, bytesIn(field, pair[1])]);
  expect(bytes).toEqual([
    ['(root)', 2],
    ['__proto__', 13],
    ['constructor', 18],
    ['""', 5],
  ]);
});

test('an archive is not read otherwise for one of its files', async () => {
  const files = { 'a.json': new TextEncoder().encode(JSON_TEXT), 'b.gz': gzipSync(Buffer.from(placed, 'base64')) };
  const opened = await openInput(bytesSource('a.zip', zipSync(files)), {}, {}, () => [{ registry: ENVELOPE }]);
  const { input } = await storeMessages(opened, {}, { nextTurn: () => Promise.resolve() });
  expect([input.messages, input.kind === 'payloads' && input.unattributedBytes]).toEqual([2, 0]);
});

test('the type that a caller names decides', async () => {
  const { registry } = compileSchema([
    {
      path: 'a.proto',
      content: `syntax = "proto3"; message Envelope { string type = 1; bytes payload = 2; int64 at = 3; }
        message Placed { string id = 1; int32 items = 2; repeated string skus = 3; }`,
    },
  ]);
  const bytesAs = async (name: string) =>
    ((await analyze(sourceOf(JSON_TEXT), {}, { registry, type: registry.messages.get(name)! })).input as PayloadsRead)
      .steps.length;
  expect([await bytesAs('Placed'), await bytesAs('Envelope')]).toEqual([1, 0]);
});
