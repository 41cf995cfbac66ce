/** Captures in the session, over a real channel and the real engine: their messages and the bytes of these. */
import { readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { unzipSync, zipSync } from 'fflate';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { sumLayers } from '#engine/capture/containers/packets-layers.ts';
import { writeConversation } from '#engine/capture/containers/packets-writer.testing.ts';
import type { InspectedSide } from '#engine/inspect/inspect.ts';
import { rowOf } from '#engine/inspect/row-address.ts';
import { endAt, startAt } from '#engine/model/annotation.ts';
import { pathText } from '#engine/wire/path-tree.ts';
import { ask, startClient } from './client.testing.ts';
import type { Client } from './connect.ts';
import type { CaptureSummary } from './input-api.ts';
import { ALL, EVERYTHING, IN_ORDER } from './requests.testing.ts';

const pathsOf = (side: InspectedSide): readonly string[] =>
  Array.from(side.paths.parent, (_, index) => pathText(side.paths, side.table, index));

const bytesOf = (file: string) => readFileSync(new URL(`../fixtures/capture/${file}`, import.meta.url));
const OPENSEARCH = [
  'native/options',
  ...readdirSync(new URL('../schemas/opensearch', import.meta.url)).map(
    (name) => `opensearch/${name.replace('.proto', '')}`,
  ),
];
const SCHEMAS = ['prometheus/remote-write-1', 'vitess/queryservice', 'vitess/query', 'vitess/vtrpc', 'vitess/topodata'];
const bundleOf = (paths: readonly string[]) =>
  paths.map((path) => ({
    path: `${path}.proto`,
    content: readFileSync(new URL(`../schemas/${path}.proto`, import.meta.url), 'utf8'),
  }));
const bundle = bundleOf(SCHEMAS);

async function open(
  file: string,
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(bytesOf(file)),
  files = bundle,
): Promise<readonly [Client, CaptureSummary]> {
  const client = startClient();
  await ask(client, 'setBundled', { files });
  const summary = await ask(client, 'openInput', { name: file, data: new Blob([bytes]) });
  if (summary.kind !== 'capture') throw new Error('Not a capture.');
  return [client, summary];
}

const params = { ...EVERYTHING, type: null, nativeProfile: 'opensearch', overrides: {} };

const INTAKE = ['http1 request POST /intake/v2/events  json'];

test.each([
  ['a field of the first message', 'choices', [], 0],
  ['a field of a later one', 'a', [], 22],
  ['the same, within a group', 'a', INTAKE, 26],
  ['a field in a field, compressed', 'span.trace_id', [], 60],
  ['a field of other groups alone', 'choices', INTAKE, null],
  ['a field of no message', 'nothing', [], null],
])('the first message with %s', async (_, path, groups, ordinal) => {
  const [client] = await open('json-parts.pcap');
  const asked = { ...params, nativeProfile: null, scope: { ...ALL, groups }, path };
  expect(await ask(client, 'firstWith', asked)).toBe(ordinal);
});

describe('a capture', () => {
  test.each([
    ['remote-write.pcapng', 'pcapng', 8],
    ['vitess-gzip.pcapng', 'pcapng', 6],
    ['otlp-http-gzip.pcapng', 'pcapng', 6],
  ])('%s: its messages, and layers that sum to the file', async (file, format, messages) => {
    const [, summary] = await open(file);
    expect(summary).toMatchObject({ format, messages, complete: true, size: summary.bytes });
    expect(sumLayers(summary.layers!)).toBe(summary.bytes);
    const { groups, flows, flowCount } = summary;
    expect(flowCount).toBe(flows.length);
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
    expect(sum(groups.map((group) => group.messages))).toBe(messages);
    expect(sum(groups.map((group) => group.capturedBytes))).toBe(summary.capturedBytes);
    expect(sum(flows.map((flow) => flow.messages))).toBe(messages);
  });

  test('a gzipped capture holds the same', async () => {
    const [, plain] = await open('vitess-gzip.pcapng');
    const gzipped = new Uint8Array(gzipSync(bytesOf('vitess-gzip.pcapng')));
    const [, summary] = await open('vitess-gzip.pcapng', gzipped);
    expect(summary).toEqual({ ...plain, size: gzipped.length });
  });
});

describe('its messages', () => {
  test('the transport names the types: ExecuteBatch, request and response', async () => {
    const [client] = await open('vitess-gzip.pcapng');
    expect(await ask(client, 'groupReadings', { types: {} })).toEqual({
      'grpc request /queryservice.Query/ExecuteBatch': { type: 'query.ExecuteBatchRequest', by: 'transport' },
      'grpc response /queryservice.Query/ExecuteBatch': { type: 'query.ExecuteBatchResponse', by: 'transport' },
    });
    const { profiles, origins, opaque } = await ask(client, 'analyze', params);
    expect(
      profiles.map(({ type, messages, ledgers, unattributed }) => [
        type,
        messages,
        ledgers['protobuf']!.bytes,
        unattributed,
      ]),
    ).toEqual([
      ['query.ExecuteBatchRequest', 3, 27526, 0],
      ['query.ExecuteBatchResponse', 3, 13950, 0],
    ]);
    expect(origins.map(({ messages, bytes, first }) => [messages, bytes, first])).toEqual([
      [3, 27526, 0],
      [3, 13950, 1],
    ]);
    expect(opaque.messages).toBe(0);
  });

  test('a chosen group gives exactly its sum, and a chosen type is used', async () => {
    const [client] = await open('vitess-gzip.pcapng');
    const group = 'grpc response /queryservice.Query/ExecuteBatch';
    const scope = { ...ALL, groups: [group] };
    const chosen = await ask(client, 'analyze', { ...params, scope });
    expect(chosen.profiles.map(({ type }) => type)).toEqual(['query.ExecuteBatchResponse']);
    const types = { [group]: 'query.ExecuteBatchRequest' };
    const decided = await ask(client, 'analyze', { ...params, scope, types });
    expect(decided.profiles.map(({ type, ledgers }) => [type, ledgers['protobuf']!.bytes])).toEqual([
      ['query.ExecuteBatchRequest', 13950],
    ]);
    const numbers = await ask(client, 'analyze', { ...params, scope, types: { [group]: null } });
    expect(numbers.profiles.map(({ type, ledgers }) => [type, ledgers['protobuf']!.bytes])).toEqual([['', 13950]]);
    const { candidates } = await ask(client, 'planReading', { scope, types: {} });
    expect(candidates[0]).toMatchObject({ type: 'query.ExecuteBatchResponse', score: 1 });
  });

  test('a type that a method names and its messages contradict is named with the group, unless another is chosen', async () => {
    const wrong = `syntax = "proto3"; package lab.v1;
      message Wrong { int64 payload = 1; string id = 2; string ids = 3; }
      service Lab { rpc Unary(Wrong) returns (Wrong); }`;
    const [client] = await open('web-rpc.har', undefined, [{ path: 'wrong.proto', content: wrong }]);
    const readings = await ask(client, 'groupReadings', { types: {} });
    const contradicting = Object.entries(readings).filter(([, { contradicted }]) => contradicted !== undefined);
    expect(contradicting.map(([, reading]) => reading)).toContainEqual({
      type: null,
      by: 'guess',
      contradicted: 'lab.v1.Wrong',
    });
    const [key] = contradicting[0]!;
    for (const type of [null, 'lab.v1.Wrong'])
      expect((await ask(client, 'groupReadings', { types: { [key]: type } }))[key]).toEqual({ type, by: 'hand' });
  });

  test('error responses are a group of their own type', async () => {
    const [client, { groups }] = await open('opensearch-shard-error.pcap', undefined, bundleOf(OPENSEARCH));
    const readings = await ask(client, 'groupReadings', { types: {} });
    const responses = groups.filter(({ method, direction }) => method?.includes('query') && direction === 'response');
    expect(responses.map(({ key, status, messages }) => [status, messages, readings[key]?.type])).toEqual([
      ['error', 8, 'org.opensearch.stream.ErrorResponse'],
    ]);
  });

  test('native messages are read by the layout of their action, and cost their captured bytes', async () => {
    const files = bundleOf(OPENSEARCH);
    const [client] = await open('opensearch-plain.pcap', undefined, files);
    const wanted = { ...params, nativeProfile: 'laid-out' };
    const { profiles, origins, opaque } = await ask(client, 'analyze', wanted);
    const costs = profiles.map(({ type, messages, ledgers }, index) => [
      type.slice(type.lastIndexOf('.') + 1),
      messages,
      ledgers['laid-out']!.bytes! - origins[index]!.bytes,
    ]);
    expect(costs).toContainEqual(['QuerySearchResult', 4, 0]);
    expect(costs).toContainEqual(['FetchSearchResultProto', 1, 0]);
    expect(opaque.groups.every((group) => !group.includes('indices:data/read/search'))).toBe(true);

    const reading = await ask(client, 'groupReadings', { types: {} });
    expect(reading['opensearch response indices:data/read/search[phase/fetch/id]']).toEqual({
      type: 'org.opensearch.proto.search.FetchSearchResultProto',
      by: 'layout',
    });
    const first = origins[profiles.findIndex(({ type }) => type.endsWith('QuerySearchResult'))]!.first;
    const { protobuf, native, captured, header } = await ask(client, 'inspect', { ...wanted, ordinal: first });
    expect(captured).toBe('native');
    expect(protobuf.table.length).toBeGreaterThan(10);
    expect(native?.bytes.length).toBe(315);
    expect(pathsOf(header!.native!)).toContain('response_headers.value.values');
  });

  test('the header of each message has rows, also if the body has no layout', async () => {
    const [client] = await open('opensearch-unknown-action.pcap', undefined, bundleOf(OPENSEARCH));
    const { protobuf, native, header } = await ask(client, 'inspect', { ...params, ordinal: 0 });
    expect([protobuf.table.length, native]).toEqual([1, null]);
    expect(pathsOf(header!.native!)).toEqual(['request_headers', 'response_headers', 'features', 'action']);
    const side = header!.native!;
    const action = rowOf(side, { path: 'action', occurrence: 0 });
    const text = new TextDecoder().decode(
      side.bytes.subarray(startAt(side.table, action) + 1, endAt(side.table, action)),
    );
    expect(text).toBe('internal:coordination/fault_retention/follower_check');
    expect(endAt(side.table, 0)).toBe(side.bytes.length);
    expect(header?.protobuf.counterpart[side.counterpart[action]!]).toBe(action);
  });

  test('a loaded layout explains an action without a bundled one; if it does not fit, the message has a finding', async () => {
    const [client] = await open('opensearch-unknown-action.pcap', undefined, bundleOf(OPENSEARCH));
    // After the term, a node's name of 6 letters and two strings of 22; the rest is not checked.
    const layout = (rest: string) => `syntax = "proto3"; package mine; import "native/options.proto";
      service Checks { rpc Follower(Check) returns (Answer) {
        option (wirecost.native.action) = "internal:coordination/fault_retention/follower_check"; } }
      message Answer {}
      message Check {
        string parent = 1 [(wirecost.native.write) = STRING]; int64 term = 2 [(wirecost.native.write) = LONG];
        string name = 3 [(wirecost.native.write) = STRING]; string id = 4 [(wirecost.native.write) = STRING]; ${rest} }`;
    const load = (rest: string) =>
      ask(client, 'setSchema', {
        files: [...bundleOf(['native/options']), { path: 'mine.proto', content: layout(rest) }],
      });
    const wanted = { ...params, nativeProfile: 'laid-out' };

    await load('bytes rest = 5 [(wirecost.native.write) = REST];');
    const { profiles, opaque } = await ask(client, 'analyze', wanted);
    expect(profiles.find(({ type }) => type === 'mine.Check')).toMatchObject({
      messages: 6,
      ledgers: { 'laid-out': { bytes: 864 } },
    });
    expect(profiles.some(({ type }) => type.endsWith('QuerySearchResult'))).toBe(true);
    expect(opaque.groups.some((group) => group.includes('follower_check'))).toBe(false);

    await load('');
    const short = await ask(client, 'analyze', wanted);
    expect(short.opaque.groups.some((group) => group.includes('follower_check'))).toBe(true);
    expect(short.diagnostics[0]).toMatchObject({ code: 'native/trailing-bytes', ordinal: 0, start: 39, end: 144 });
    const { native, diagnostics } = await ask(client, 'inspect', { ...wanted, ordinal: 0 });
    expect(pathsOf(native!)).toEqual(['parent', 'term', 'name', 'id']);
    expect(diagnostics).toMatchObject([{ code: 'native/trailing-bytes', ordinal: 0 }]);
  });

  test('native messages without a layout are counted, and never read as protobuf', async () => {
    const [client, { messages }] = await open('opensearch-plain.pcap');
    const { profiles, opaque } = await ask(client, 'analyze', params);
    expect(profiles).toEqual([]);
    expect(opaque.messages).toBe(messages);
    expect(opaque.headerBytes).toBeGreaterThan(0);
    const { protobuf, native, group, header } = await ask(client, 'inspect', { ...params, ordinal: 0 });
    expect(protobuf.table.length).toBe(1);
    expect(protobuf.bytes.length).toBe(144);
    expect(native).toBeNull();
    expect(header).toBeNull();
    expect(group).toBe('opensearch request internal:coordination/fault_detection/follower_check');
  });

  test.each([
    ['by method', { name: 'free_context' }, (row: { group: string }) => row.group.includes('free_context')],
    ['by size', { minBytes: 300 }, (row: { size: number }) => row.size >= 300],
    ['by flow', { name: ':5761' }, (row: { flow: string | null }) => row.flow!.includes(':5761')],
    ['by status', { name: 'OK' }, (row: { status: string | null }) => row.status === 'ok'],
  ] as const)('filtered %s', async (_, scope, passes) => {
    const [client] = await open('opensearch-plain.pcap');
    const list = (wanted: object) =>
      ask(client, 'messages', { from: 0, to: 500, order: IN_ORDER, types: {}, scope: { ...ALL, ...wanted } });
    const all = await list({});
    const some = await list(scope);
    expect(some.rows.map(({ ordinal }) => ordinal)).toEqual(
      all.rows.filter((row) => passes(row)).map(({ ordinal }) => ordinal),
    );
    expect(some.total).toBeGreaterThan(0);
    expect(some.total).toBeLessThan(all.total);
  });

  test('a list does not inflate large bodies for its lines', async () => {
    const plain = new Uint8Array(2 << 20).fill(65);
    // Field 1 with all other bytes.
    plain.set([0x0a, 0xfb, 0xff, 0x7f]);
    const said = [Uint8Array.of(0x0a, 2, 65, 66), plain]
      .map((one) => gzipSync(one))
      .map((body) => ({
        side: 0 as const,
        bytes: new Uint8Array(
          Buffer.concat([
            Buffer.from(
              `POST /a HTTP/1.1\r\ncontent-type: application/x-protobuf\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`,
            ),
            body,
          ]),
        ),
      }));
    const [client] = await open('made.pcap', writeConversation(said).slice() as Uint8Array<ArrayBuffer>);
    const { rows } = await ask(client, 'messages', { from: 0, to: 9, order: IN_ORDER, scope: ALL, types: {} });
    expect(rows.map(({ size, preview }) => [size, preview])).toEqual([
      [4, 'AB'],
      [plain.length, ''],
    ]);
  });

  test('requests to a URL are one group, and a name finds their queries, which are listed', async () => {
    const said = ['a', 'b', 'b', 'c'].map((db) => ({
      side: 0 as const,
      bytes: new TextEncoder().encode(
        `POST /ingest?db=${db} HTTP/1.1\r\ncontent-type: application/x-protobuf\r\ncontent-length: 2\r\n\r\n\b1`,
      ),
    }));
    const [client, { groups }] = await open('made.pcap', writeConversation(said).slice() as Uint8Array<ArrayBuffer>);
    expect(groups).toMatchObject([{ key: 'http1 request POST /ingest', method: 'POST /ingest', messages: 4 }]);
    const find = async (name: string) => {
      const scope = { ...ALL, name };
      const { rows } = await ask(client, 'messages', { from: 0, to: 9, order: IN_ORDER, scope, types: {} });
      return rows.map(({ ordinal, method }) => `${ordinal} ${method}`);
    };
    const found = ['1 POST /ingest?db=b', '2 POST /ingest?db=b'];
    const all = ['0 POST /ingest?db=a', ...found, '3 POST /ingest?db=c'];
    expect([await find('ingest'), await find('DB=b'), await find('db=d')]).toEqual([all, found, []]);
  });

  test('a capture lasts from its first packet to its last one, a recording from its first message to its last one', async () => {
    const [, plain] = await open('opensearch-plain.pcap');
    expect(plain.span!.map((time) => time / 1000)).toEqual([1795228224.9455, 1795228227.621429]);
    const [, { span, firstTime, lastTime }] = await open('web-rpc.har');
    expect(span).toEqual([firstTime, lastTime]);
  });

  test('a capture that grows is shown from its first message on', async () => {
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000));
    onTestFinished(() => void vi.restoreAllMocks());
    const capture = bytesOf('opensearch-plain.pcap');
    const other = new Uint8Array(16 + 65_000);
    new DataView(other.buffer).setUint32(8, 65_000, true);
    new DataView(other.buffer).setUint32(12, 65_000, true);
    const others = Array.from({ length: 300 }, () => other);
    const parts = [capture.subarray(0, 24), ...others, capture.subarray(24), ...others];
    const grown: number[] = [];
    const found = await startClient().call(
      'openInput',
      { name: 'x.pcap', data: new Blob(parts) },
      { onSoFar: ({ messages }) => void grown.push(messages) },
    );
    expect(found).toMatchObject({ ok: true, value: { complete: true } });
    expect(grown.length).toBeGreaterThan(0);
    expect(Math.min(...grown)).toBeGreaterThan(0);
  });

  test('messages of one flow, within a time', async () => {
    const [client, { flows, firstTime }] = await open('opensearch-plain.pcap');
    const flow = flows[0]!;
    const ofFlow = { from: 0, to: 500, order: IN_ORDER, types: {}, scope: { ...ALL, flow: flow.name } };
    const { rows, total } = await ask(client, 'messages', ofFlow);
    expect(total).toBe(flow.messages);
    expect(new Set(rows.map((row) => row.flow))).toEqual(new Set([flow.name]));
    const other = await ask(client, 'messages', { ...ofFlow, scope: { ...ALL, flow: 'of another capture' } });
    expect(other.total).toBe(0);
    const last = rows.at(-1)!.time!;
    const scope = { ...ofFlow.scope, time: [firstTime!, last] as const };
    expect((await ask(client, 'messages', { ...ofFlow, scope })).total).toBe(
      rows.filter(({ time }) => time! < last).length,
    );
  });

  test('rows of a sorted list are ranges of ordinals', async () => {
    const [client] = await open('remote-write.pcapng');
    const wanted = { from: 0, to: 3, order: { column: 'bytes', descending: true } as const, ...EVERYTHING };
    const { rows } = await ask(client, 'messages', wanted);
    expect(rows.map(({ size }) => size)).toEqual([75276, 72800, 66410]);
    expect(rows.map(({ ordinal }) => ordinal)).toEqual([6, 7, 1]);
    expect(await ask(client, 'rangesOf', wanted)).toEqual([
      [1, 2],
      [6, 8],
    ]);
    expect(await ask(client, 'rowOf', { ...wanted, ordinal: 1 })).toBe(2);
    const large = { ...wanted, scope: { ...ALL, minBytes: 70_000 } };
    expect(await ask(client, 'rowOf', { ...large, ordinal: 7 })).toBe(1);
    expect(await ask(client, 'rowOf', { ...large, ordinal: 1 })).toBeNull();
  });

  test('the timeline has every captured byte, and marks the chosen ones', async () => {
    const [client, { capturedBytes, groups, lastTime }] = await open('vitess-gzip.pcapng');
    const sum = (bins: Float64Array) => bins.reduce((total, bytes) => total + bytes, 0);
    const [response] = groups.filter(({ direction }) => direction === 'response');
    const scope = { ...ALL, groups: [response!.key] };
    const timeline = (await ask(client, 'timeline', { bins: 20, scope, types: {} }))!;
    const headers = groups.reduce((total, { headerBytes }) => total + headerBytes, 0);
    expect(timeline.requests.length).toBe(20);
    expect(timeline.to - lastTime!).toBeLessThan(0.01);
    expect(sum(timeline.requests) + sum(timeline.responses)).toBe(capturedBytes + headers);
    expect(sum(timeline.chosenRequests)).toBe(0);
    expect(sum(timeline.chosenResponses)).toBe(response!.capturedBytes + response!.headerBytes);
  });
});

describe('a body in Brotli', () => {
  const payload = Buffer.from('0a0568656c6c6f'.repeat(20), 'hex');
  const body = brotliCompressSync(payload);
  const head = (first: string) =>
    `${first}\r\nContent-Type: application/x-protobuf\r\nContent-Encoding: br\r\nContent-Length: ${body.length}\r\n\r\n`;
  const capture = writeConversation([
    { side: 0, bytes: new Uint8Array(Buffer.concat([Buffer.from(head('POST /a HTTP/1.1')), body])) },
  ]);
  test('is read with the decoder that loads on demand', async () => {
    const client = startClient();
    const data = new Blob([new Uint8Array(capture)]);
    const summary = (await ask(client, 'openInput', { name: 'a.pcap', data })) as CaptureSummary;
    expect([summary.messages, summary.payloadBytes, summary.diagnostics]).toEqual([1, payload.length, []]);
  });
});

test('several captures of an archive are looked at with what belongs to them', async () => {
  const recorded = unzipSync(
    new Uint8Array(readFileSync(new URL('../fixtures/capture/playwright-attached.zip', import.meta.url))),
  );
  const under = (folder: string) =>
    Object.fromEntries(Object.entries(recorded).map(([path, bytes]) => [`${folder}/${path}`, bytes]));
  const files = { ...under('a'), ...under('b'), 'notes.txt': new TextEncoder().encode('Two runs.') };
  const client = startClient();
  const inside = await ask(client, 'lookInside', { name: 'runs.zip', data: new Blob([zipSync(files)]) });
  expect(inside).toMatchObject({ schemas: 0, beside: ['notes.txt'] });
  expect(inside.captures).toHaveLength(2);
  for (const data of inside.captures) {
    const summary = await ask(client, 'openInput', { name: 'x.har', data });
    expect(summary).toMatchObject({ kind: 'capture', messages: 12, diagnostics: [] });
  }
  const one = await ask(client, 'lookInside', {
    name: 'run.zip',
    data: new Blob([zipSync({ ...under('a'), 'n.txt': files['notes.txt'] })]),
  });
  expect(one).toMatchObject({ schemas: 0, captures: [], beside: [] });
});

describe('a key log in an archive', () => {
  const tls = (name: string) => new Uint8Array(bytesOf(`../tls/${name}`));
  const pcap = tls('node-tls13-chacha20.pcap');
  const keys = tls('node-tls13-chacha20.keys');
  const lines = Buffer.from(keys).toString('latin1');

  test('decrypts the capture beside it', async () => {
    const [client, summary] = await open('x.zip', new Uint8Array(zipSync({ 'x.pcap': pcap, 'keys.txt': keys })));
    expect(summary).toMatchObject({ format: 'pcap', messages: 6, diagnostics: [], steps: [{ id: 'zip', keyLogs: 1 }] });
    const [plain] = await open('x.pcap', pcap);
    const found = await ask(client, 'messages', { from: 0, to: 10, order: IN_ORDER, scope: ALL, types: {} });
    await ask(plain, 'openInput', { name: 'x.pcap', data: new Blob([pcap]), keyLog: lines });
    expect(await ask(plain, 'messages', { from: 0, to: 10, order: IN_ORDER, scope: ALL, types: {} })).toEqual(found);
    expect(found.rows).toHaveLength(6);
  });

  test.each<[string, Record<string, Uint8Array>, number, number, readonly string[]]>([
    [
      'several captures are inputs of their own, and it is of all',
      { 'x.pcap': pcap, 'y.pcap': pcap, keys },
      2,
      2,
      [lines],
    ],
    ['one capture: the archive is the input, and has it', { 'x.pcap': pcap, keys }, 0, 1, []],
    [
      "one of Fiddler's: the archive is the input, and has it",
      { 'raw/1_c.txt': new TextEncoder().encode('GET / HTTP/1.1\r\n\r\n'), keys },
      0,
      1,
      [],
    ],
    ['alone', { keys }, 0, 0, [lines]],
    ['beside a schema', { keys, 'a.proto': new TextEncoder().encode('syntax = "proto3";') }, 0, 0, [lines]],
  ])('%s', async (_, files, captures, payloads, keyLogs) => {
    const client = startClient();
    const found = await ask(client, 'lookInside', { name: 'x.zip', data: new Blob([new Uint8Array(zipSync(files))]) });
    expect(found).toMatchObject({ payloads, beside: [], keyLogs });
    expect(found.captures).toHaveLength(captures);
  });

  test('compressed and without an archive, its lines are for the capture that is open', async () => {
    const data = new Blob([new Uint8Array(gzipSync(keys))]);
    const found = await ask(startClient(), 'lookInside', { name: 'keys.txt.gz', data });
    expect(found).toEqual({ schemas: 0, payloads: 0, captures: [], beside: [], keyLogs: [lines] });
  });
});
