import { expect, test } from 'vitest';
import { bytesSource } from '../../bytes/source.ts';
import { compileSchema } from '../../schema/compile.ts';
import { libraryOf } from '../analyze.ts';
import { openInput } from '../read-input.ts';
import { storeMessages } from '../store/message-store.ts';
import { decidedBy, planGroups } from './plan-groups.ts';

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

const OTHER = 'f80601f00602e80603';

const har = (bodies: Readonly<Record<string, string>>, mimeType = 'application/x-protobuf') => {
  const entries = Object.entries(bodies).map(([path, hex]) => {
    const content = {
      mimeType,
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

async function decided(
  bodies: Readonly<Record<string, string>>,
  types: Readonly<Record<string, string | null>> = {},
  known = registry,
  mimeType?: string,
) {
  const opened = await openInput(bytesSource('x.har', har(bodies, mimeType)), {});
  const { store } = await storeMessages(opened, {}, { nextTurn: () => Promise.resolve() });
  return decidedBy(
    await planGroups([store], store.messages.groups.all(), libraryOf([{ registry: known }]), types, [
      { registry: known },
    ]),
  );
}

test('a group gets the type that its messages are evidence for, also beside groups without evidence', async () => {
  expect(await decided({ spans, other: OTHER })).toEqual({
    'har response GET /spans': 't.Span',
    'har response GET /other': null,
  });
});

test('a group with little evidence has no type, even with a small schema', async () => {
  expect(await decided({ few: '190000c065af83d941' })).toEqual({ 'har response GET /few': null });
});

test('a group with a type chosen by the user needs no plan', async () => {
  expect(await decided({ spans }, { 'har response GET /spans': null })).toEqual({});
});

const NUMBERS = Array.from({ length: 80 }, (_, at) => at);

test.each<readonly [string, (at: number) => string, (at: number) => string, number, number]>([
  ['those whose paths differ only in ids share a plan', (at) => `v1/p/${at}/s`, () => spans, 80, 0],
  ['so do ids of letters and digits', (at) => `p/a${at}f-b`, () => spans, 80, 0],
  ['the smallest of other paths have a plan each', (at) => `p/${'x'.repeat(at + 1)}`, () => spans, 80, 0],
  ['one that messages of two types share stays open', (at) => `p/${at}`, (at) => (at < 70 ? spans : OTHER), 64, 16],
])('groups without a plan of their own: %s', async (_, path, body, typed, open) => {
  const found = Object.values(await decided(Object.fromEntries(NUMBERS.map((at) => [path(at), body(at)]))));
  expect(found.filter((type) => type === 't.Span')).toHaveLength(typed);
  expect(found.filter((type) => type === null)).toHaveLength(open);
});

test('the smallest groups have no plan if their paths do not differ only in ids', async () => {
  const paths = Array.from({ length: 140 }, (_, at) => `p.v${at}.S/Get`);
  expect(Object.keys(await decided(Object.fromEntries(paths.map((path) => [path, spans]))))).toHaveLength(128);
});

const { registry: shop } = compileSchema([
  {
    path: 'shop.proto',
    content: `syntax = "proto3"; package t;
      message Item { string id = 1; int64 count = 2; }
      service Shop { rpc Get(Item) returns (Item); }`,
  },
]);

test.each<[string, string | object, boolean]>([
  ['messages of which no byte fits contradict the type of their method', '080112024f4b', true],
  ['messages of which a part fits do not: the schema is of another version', '080112024f4b0a0141', false],
  ['fields that the schema does not have yet do not', '1a024f4b', false],
  ['JSON of which no value fits does', { id: { a: 1 }, count: [] }, true],
  ['JSON with none of its names does not', { name: 'cpu' }, false],
])('%s', async (_, body, isContradicted) => {
  const isText = typeof body === 'object';
  const bytes = isText ? Buffer.from(JSON.stringify(body)).toString('hex') : body;
  const key = `${isText ? 'har response GET /t.Shop/Get  json' : 'connect response GET /t.Shop/Get'}`;
  const found = await decided({ 't.Shop/Get': bytes }, {}, shop, `application/${isText ? 'json' : 'proto'}`);
  expect(found).toEqual(isContradicted ? { [key]: null } : {});
});

const { registry: otlp } = compileSchema([
  {
    path: 'metrics.proto',
    content: `syntax = "proto3"; package opentelemetry.proto.collector.metrics.v1;
      message ExportMetricsServiceResponse { PartialSuccess partial_success = 1; }
      message PartialSuccess { int64 rejected_data_points = 1; string error_message = 2; }`,
  },
]);
const RESPONSE = 'opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse';

test.each<[string, string | object, boolean]>([
  ['messages of another type contradict the type of their address', spans, true],
  ['so does a message without a field of it', '3a026f6b', true],
  ['a message of the type does not', '0a0612046c617465', false],
  ['an empty message does not', '', false],
  ['JSON with none of its names contradicts it', { data: [{ name: 'cpu' }], page: 1 }, true],
  ['JSON of the type does not', { partialSuccess: { errorMessage: 'late' } }, false],
  ['JSON without a name does not', {}, false],
])('%s', async (_, body, isContradicted) => {
  const isText = typeof body === 'object';
  const bytes = isText ? Buffer.from(JSON.stringify(body)).toString('hex') : body;
  const key = `har response GET /v1/metrics ${RESPONSE}${isText ? ' json' : ''}`;
  const type = isText ? 'application/json' : 'application/x-protobuf';
  expect(await decided({ 'v1/metrics': bytes }, {}, otlp, type)).toEqual(isContradicted ? { [key]: null } : {});
});
