import { expect, test } from 'vitest';
import { bytesSource } from '../bytes/source.ts';
import { compileSchema } from '../schema/compile.ts';
import { libraryOf } from './analyze.ts';
import { storeMessages } from './message-store.ts';
import { decidedBy, planGroups } from './plan-groups.ts';
import { openInput } from './read-input.ts';

const { registry } = compileSchema([
  {
    path: 'span.proto',
    content: `syntax = "proto3"; package t;
      message Span { string trace = 1; string name = 2; double start = 3; double end = 4; Kind kind = 5; repeated Tag tags = 6; }
      message Tag { string key = 1; string value = 2; }
      enum Kind { NONE = 0; SERVER = 1; CLIENT = 2; }`,
  },
]);
/** Span { trace, name, start, end, kind, a tag }: 2025-01-01 and some seconds behind it. */
const spans =
  '0a0a34626639326633353737120b474554202f6f7264657273190000c065af83d94121000080a2af83d9412802320c0a04686f7374120465646565';

const har = (bodies: Readonly<Record<string, string>>) => {
  const entries = Object.entries(bodies).map(([path, hex]) => {
    const content = {
      mimeType: 'application/x-protobuf',
      encoding: 'base64',
      text: Buffer.from(hex, 'hex').toString('base64'),
    };
    const headers = [{ name: 'content-type', value: content.mimeType }];
    const request = { method: 'GET', url: `https://x.example/${path}`, headers: [] };
    return { startedDateTime: '2026-01-01T00:00:00Z', time: 1, request, response: { status: 200, headers, content } };
  });
  const log = { version: '1.2', creator: { name: 'x', version: '1' }, entries };
  return new TextEncoder().encode(JSON.stringify({ log }));
};

async function decided(bodies: Readonly<Record<string, string>>, types: Readonly<Record<string, string | null>> = {}) {
  const opened = await openInput(bytesSource('x.har', har(bodies)), {});
  const { store } = await storeMessages(opened, {}, { nextTurn: () => Promise.resolve() });
  return decidedBy(await planGroups([store], libraryOf([registry]), types, [{ registry }]));
}

test('a group gets the type that its messages are evidence for, also beside groups without evidence', async () => {
  expect(await decided({ spans, other: 'f80601f00602e80603' })).toEqual({ 'har response GET /spans': 't.Span' });
});

test('a group with little evidence has no type, even with a small schema', async () => {
  expect(await decided({ few: '190000c065af83d941' })).toEqual({});
});

test('a group with a type chosen by the user needs no plan', async () => {
  expect(await decided({ spans }, { 'har response GET /spans': null })).toEqual({});
});
