import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Zstd } from '@hpcc-js/wasm-zstd';
import { describe, expect, test } from 'vitest';
import { writeConversation } from '#engine/capture/containers/packets-writer.testing.ts';
import { sumCells } from '#engine/cost/profile.ts';
import type { ProfileJson } from '#engine/cost/profile-json.ts';
import { withoutPacket } from '#testing/without-packet.ts';
import { keepingFiles } from './kept-files.testing.ts';
import { run } from './run.ts';

const FOLDER = join(import.meta.dirname, '../../fixtures/capture');
const at = (name: string): string => join(FOLDER, name);
const REMOTE_WRITE = at('remote-write.pcapng');
const VITESS = at('vitess-gzip.pcapng');
const OTLP = at('otlp-http-gzip.pcapng');
const OPENSEARCH = at('opensearch-plain.pcap');
/** Its checks under an action without a layout, like the action of a plugin. */
const UNKNOWN_ACTION = at('opensearch-unknown-action.pcap');

const CAPTURES = [
  { name: 'vitess-gzip.pcapng', held: 6 },
  { name: 'remote-write.pcapng', held: 8 },
  { name: 'otlp-http-gzip.pcapng', held: 6 },
  { name: 'opensearch-plain.pcap', held: 34 },
  { name: 'opensearch-deflate.pcap', held: 28 },
  { name: 'opensearch-cooked2.pcap', held: 28 },
  { name: 'opensearch-shard-error.pcap', held: 30 },
  { name: 'opensearch-cut-by-snaplen.pcapng', held: 20 },
  { name: 'kafka.pcap', held: 111 },
  { name: 'grpc-opensearch.pcap', held: 14 },
];

/** As `tcpdump -XX` writes a pcap file of low bytes first. */
function dumped(path: string): string {
  const file = readFileSync(path);
  let text = '';
  for (let at = 24; at < file.length; at += 16 + file.readUInt32LE(at + 8)) {
    text += '10:31:07.125034 IP 127.0.0.1.38172 > 127.0.0.1.9302: Flags [P.], length 223\n';
    const packet = file.subarray(at + 16, at + 16 + file.readUInt32LE(at + 8));
    for (let row = 0; row < packet.length; row += 16) {
      const bytes = packet.subarray(row, row + 16);
      const ascii = bytes.toString('latin1').replace(/[^!-~]/g, '.');
      text += `\t0x${row.toString(16).padStart(4, '0')}:  ${bytes
        .toString('hex')
        .replace(/.{1,4}/g, '$& ')
        .padEnd(40)} ${ascii}\n`;
    }
  }
  return text;
}

const { write } = keepingFiles();
const gzipped = (path: string, name: string): string => write(name, gzipSync(readFileSync(path)));

interface Line {
  readonly ordinal: number;
  readonly flow: string;
  readonly direction: string;
  readonly transport: string;
  readonly method: string;
  readonly type: string | null;
  readonly bytes: number;
  readonly wireBytes: number;
  readonly sha256: string;
}

async function succeed(...args: readonly string[]): Promise<string> {
  const { code, out, err } = await run(args);
  expect(code, err).toBe(0);
  return out;
}

const json = async (...args: readonly string[]) => JSON.parse(await succeed(...args, '--json'));

async function list(...args: readonly string[]): Promise<readonly Line[]> {
  const out = await succeed('messages', ...args, '--json');
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

const RW1 = readFileSync(join(import.meta.dirname, '../../fixtures/input/codecfixture.rw1.binpb'));
const posted = (url: string, mimeType: string, bytes: Uint8Array) => ({
  request: {
    method: 'POST',
    url,
    headers: [{ name: 'Content-Type', value: mimeType }],
    postData: { mimeType, encoding: 'base64', text: Buffer.from(bytes).toString('base64') },
  },
  response: { status: 204, headers: [], content: {} },
});
const HAR = JSON.stringify({
  log: {
    entries: [
      posted('https://x/queryservice.Query/ExecuteBatch', 'application/grpc-web+proto', Uint8Array.of(0, 0, 0, 0, 0)),
      posted('https://x/api/v1/write', 'application/x-protobuf', RW1),
    ],
  },
});

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);

/** Whole-file goldens of the engine: one line a message, up to the first empty line. */
const goldenLines = (name: string): readonly string[] =>
  readFileSync(at(`${name}.messages.txt`), 'utf8')
    .split('\n\n')[0]!
    .split('\n');

const count = (value: number): string => value.toLocaleString('en');

describe.each(CAPTURES)('$name', ({ name, held }) => {
  test('messages: each line equals the golden file', async () => {
    const lines = await list(at(name));
    const golden = goldenLines(name);
    expect(lines.map(({ ordinal }) => ordinal)).toEqual(Array.from({ length: held }, (_, n) => n));
    expect(golden).toHaveLength(held);
    for (const { ordinal, flow, direction, transport, method, bytes, wireBytes, sha256 } of lines) {
      const columns = golden[ordinal]!.trim().split(/ {2,}/);
      const size = `${count(bytes)} ${bytes === 1 ? 'byte' : 'bytes'}`;
      expect(columns.slice(0, 4)).toEqual([String(ordinal), direction, transport, method]);
      expect(columns).toContain(wireBytes === bytes ? size : `${size} (${count(wireBytes)} captured)`);
      expect(columns.slice(-2)).toEqual([flow, `sha256 ${sha256.slice(0, 16)}`]);
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  test('layers: they sum to the size of the file', async () => {
    const { size, bytes, layers } = await json('layers', at(name));
    expect(size).toBe(statSync(at(name)).size);
    expect(bytes).toBe(size);
    expect(sum(Object.values<number>(layers))).toBe(size);
  });

  test('a gzipped capture gives the same', async () => {
    const zipped = gzipped(at(name), `${name}.gz`);
    expect(await list(zipped)).toEqual(await list(at(name)));
    const { size, name: _, ...inside } = await json('layers', zipped);
    const { size: plainSize, name: __, ...plain } = await json('layers', at(name));
    expect(inside).toEqual(plain);
    expect(inside.bytes).toBe(plainSize);
    expect(size).toBe(statSync(zipped).size);
  });
});

test('a capture in zstd gives the same messages', async () => {
  const packed = write('vitess.pcapng.zst', (await Zstd.load()).compress(readFileSync(VITESS), 3));
  expect(await list(packed)).toEqual(await list(VITESS));
});

test('a capture as tcpdump prints it gives the same messages, with a text encoding chosen too', async () => {
  const text = write('grpc.txt', dumped(at('grpc-opensearch.pcap')));
  const messages = (await list(at('grpc-opensearch.pcap'))).map((message) => ({ ...message, time: null }));
  expect(await list(text)).toEqual(messages);
  expect(await list(text, '--text-encoding', 'hexdump')).toEqual(messages);
  expect(await succeed('analyze', text)).toMatch(/ decoded to [\d,]+ bytes, pcapng of /);
});

describe('messages', () => {
  test.each([
    ['a gRPC method, by side', VITESS, ['query.ExecuteBatchRequest', 'query.ExecuteBatchResponse']],
    ['a remote write', REMOTE_WRITE, ['prometheus.WriteRequest']],
    [
      'an OpenSearch action, by side; of one without a layout none',
      UNKNOWN_ACTION,
      [
        null,
        'org.opensearch.stream.ShardSearchRequest',
        'org.opensearch.stream.QuerySearchResult',
        'org.opensearch.stream.SearchFreeContextRequest',
        'org.opensearch.stream.SearchFreeContextResponse',
        'org.opensearch.stream.ShardFetchSearchRequest',
        'org.opensearch.proto.search.FetchSearchResultProto',
      ],
    ],
  ])('the type of %s', async (_, path, types) => {
    expect([...new Set((await list(path)).map(({ type }) => type))]).toEqual(types);
  });

  test('are selected by method and type, and keep their ordinals', async () => {
    const fetches = await list(OPENSEARCH, '--method', 'phase/fetch');
    expect(fetches.map(({ ordinal }) => ordinal)).toEqual([23, 24]);
    const responses = await list(VITESS, '--type', 'query.ExecuteBatchResponse');
    expect(responses.map(({ ordinal }) => ordinal)).toEqual([1, 3, 5]);
    expect(await list(VITESS, '--direction', 'response')).toEqual(responses);
    const answers = await list(OPENSEARCH, '--method', 'phase/fetch', '--direction', 'response');
    expect(answers.map(({ ordinal }) => ordinal)).toEqual([24]);
  });

  test('the JSON says how much layouts and types explain, and what the capture lacks', async () => {
    const report = await json('analyze', at('opensearch-unknown-action.pcap'));
    expect(report.coverage).toEqual({
      all: { messages: 34, bytes: 12_901 },
      explained: { messages: 16, bytes: 11_705 },
    });
    const [cut] = (await json('analyze', at('opensearch-cut-by-snaplen.pcapng'))).inputs;
    expect(cut).toMatchObject({ cut: { count: 29, kept: 600, first: 7, last: 67 }, missing: null });
  });

  test('bytes of a message whose layout stops are not explained, on both outputs', async () => {
    const damaged = readFileSync(OPENSEARCH);
    damaged[20_000]! ^= 0x80;
    const { out, err } = await run(['analyze', write('damaged.pcap', damaged)]);
    expect(out.replace(/\s+/g, ' ')).toContain(
      'Layouts and types explain 12,583 of 12,901 bytes (97.5 %), in 33 of 34 messages.',
    );
    expect(err).toContain(
      'explain to the last byte 33 of 34 native messages that have one, 97.5 % of their 12,901 bytes',
    );
  });

  test('a message that inflates beyond the limit is reported, and is read with a larger limit', async () => {
    const { out, err } = await run(['messages', REMOTE_WRITE, '--limit', '0.03']);
    expect(out.split('\n').length - 1).toBeLessThan(8);
    expect(err).toContain('error compression/limit');
    expect((await list(REMOTE_WRITE, '--limit', '0.2')).length).toBe(8);
  });

  test.each([
    ['mitmproxy.flow', 'mitmproxy', 62],
    ['wireshark.json', 'pcapng', 2],
    ['wireshark.ek.json', 'pcapng', 2],
  ])('%s, a recording of another program', async (name, format, count) => {
    const path = at(name);
    expect(await list(path)).toHaveLength(count);
    expect((await json('layers', path)).format).toBe(format);
  });

  test('a HAR: each body with its type, and no flow', async () => {
    const bodies = await list(write('browser.har', HAR));
    expect(bodies).toMatchObject([
      { direction: 'request', transport: 'grpc-web', method: 'POST /queryservice.Query/ExecuteBatch', flow: null },
      { direction: 'request', transport: 'har', type: 'prometheus.WriteRequest', bytes: 430, wireBytes: 576 },
    ]);
    expect(bodies[0]!.type).toBe('query.ExecuteBatchRequest');
    expect(bodies[1]!.sha256).toBe(createHash('sha256').update(RW1).digest('hex'));
    expect((await json('layers', write('browser.har', HAR))).format).toBe('har');
    expect((await run(['layers', write('browser.har', HAR)])).out).toMatch(/bytes, har, \d+ messages of/);
    const report = await json('analyze', write('browser.har', HAR));
    checkSums(report);
    expect(report.types.map(({ type }: ProfileJson) => type)).toEqual([
      'prometheus.WriteRequest',
      'query.ExecuteBatchRequest',
    ]);
  });
});

/** Every sum that docs/profile-json.md promises of captures. */
function checkSums(report: Awaited<ReturnType<typeof json>>): void {
  for (const { bytes, unattributed, fields } of report.types as readonly ProfileJson[]) {
    expect(sum(fields.map(({ protobuf: p }) => sumCells(p))) + unattributed).toBe(bytes.protobuf);
    expect(sum(fields.map(({ native: n }) => sumCells(n)))).toBe(bytes.native);
  }
  let [messages, bytes] = [0, 0];
  for (const input of report.inputs) {
    expect(sum(Object.values<number>(input.layers))).toBe(input.bytes);
    messages += input.messages - input.leftOut.messages;
    bytes += input.payloadBytes - input.leftOut.bytes;
  }
  expect(sum(report.types.map((profile: ProfileJson) => profile.messages))).toBe(messages);
  expect(sum(report.types.map((profile: ProfileJson) => profile.bytes.protobuf))).toBe(bytes);
}

describe('analyze', () => {
  test('remote write: eight messages, each byte in a field', async () => {
    const report = await json('analyze', REMOTE_WRITE);
    checkSums(report);
    expect(report.inputs).toMatchObject([
      { format: 'pcapng', packets: 56, connections: 2, messages: 8, payloadBytes: 241_898 },
    ]);
    expect(report.types).toMatchObject([
      { type: 'prometheus.WriteRequest', messages: 8, bytes: { protobuf: 241_898 }, unattributed: 0 },
    ]);
  });

  test('several types: one profile each, most bytes first', async () => {
    const report = await json('analyze', OTLP);
    checkSums(report);
    const sizes = report.types.map(({ bytes }: ProfileJson) => bytes.protobuf);
    expect(sizes).toEqual([43_335, 17_698, 5136, 0, 0, 0]);
    expect(new Set(report.types.map(({ type }: ProfileJson) => type)).size).toBe(6);
  });

  test('several captures: a type that occurs in two is summed', async () => {
    const report = await json('analyze', REMOTE_WRITE, VITESS, gzipped(REMOTE_WRITE, 'again.gz'));
    checkSums(report);
    expect(report.types.map(({ type, messages }: ProfileJson) => [type, messages])).toEqual([
      ['prometheus.WriteRequest', 16],
      ['query.ExecuteBatchRequest', 3],
      ['query.ExecuteBatchResponse', 3],
    ]);
  });

  test('unselected messages are left out and counted', async () => {
    const { code, out, err } = await run(['analyze', VITESS, '--type', 'query.ExecuteBatchRequest', '--json']);
    const report = JSON.parse(out);
    checkSums(report);
    expect([code, report.inputs[0].leftOut]).toEqual([0, { messages: 3, bytes: 269 + 1337 + 12_344 }]);
    expect(err).toContain('3 messages left out');
  });

  test('a gzipped capture gives the same profiles and findings', async () => {
    const [plain, zipped] = [await json('analyze', OTLP), await json('analyze', gzipped(OTLP, 'otlp.gz'))];
    expect(zipped.types).toEqual(plain.types);
    expect(zipped.diagnostics).toEqual(plain.diagnostics);
  });
});

describe('where no type is known', () => {
  const schema = (): string =>
    write(
      'lab.proto',
      `syntax = "proto3"; package close;
       message Ask { string payload = 1; string id = 2; repeated string ids = 3; }
       message Wrong { int64 payload = 1; }`,
    );

  test('the candidates are named with their reasons, and the user decides', async () => {
    const args = ['analyze', at('web-rpc.har'), '--method', 'POST /lab.v1.Lab/Unary', '--direction', 'request'];
    const { code, out, err } = await run([...args, '--schema', schema()]);
    expect([code, out.includes('Without a type, 7 messages of POST /lab.v1.Lab/Unary, requests. ')]).toEqual([0, true]);
    const lines = err.split('\n');
    const title = 'wirecost: no type of the schemas fits 7 messages of POST /lab.v1.Lab/Unary, requests; ';
    const best = lines[lines.findIndex((line) => line.startsWith(title)) + 1];
    expect(best).toMatch(/^ {2}[\w.]+ explains \d+\.\d %: \d+ \w+/);
    expect(await succeed(...args, '--explain')).toMatch(/^Candidates of .*\/lab\.v1\.Lab\/Unary\. No type fits\.$/m);
    expect(await succeed(...args, '--schema', schema(), '--type', 'close.Ask')).toContain('close.Ask, ');
  });

  test('a type of a method is not claimed for messages that contradict it', async () => {
    const other = `syntax = "proto3"; package lab.v1;
      message Wrong { int64 payload = 1; string id = 2; string ids = 3; }
      service Lab { rpc Unary(Wrong) returns (Wrong); }`;
    const args = ['--method', 'POST /lab.v1.Lab/Unary', '--direction', 'request', '-s', write('wrong.proto', other)];
    const { out, err } = await run(['analyze', at('web-rpc.har'), ...args]);
    expect(out).toContain('Without a type, 7 messages of POST /lab.v1.Lab/Unary, requests. ');
    expect(err).toContain('7 messages of POST /lab.v1.Lab/Unary, requests contradict lab.v1.Wrong, the type that');
  });
});

describe('where no message is found', () => {
  const lost = (name: string): string =>
    write(name, writeConversation([{ side: 0, bytes: new TextEncoder().encode('+PONG\r\n') }]));

  test.each(['messages', 'analyze'])('%s exits with 1 and prints the reason', async (command) => {
    const { code, out, err } = await run([command, lost(`${command}.pcap`)]);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^wirecost: .* holds no message that can be read\. It holds 1 connection of Redis\. /m);
    expect(err).toContain('1 connection of Redis: no messages are read from it. Not read: 7');
  });

  test('messages exits with 1 if no message is selected', async () => {
    const { code, err } = await run(['messages', OTLP, '--method', 'nothing']);
    expect([code, err]).toEqual([1, `wirecost: None of the 6 messages of ${OTLP} is selected\n`]);
  });
});

describe('native messages', () => {
  const native = CAPTURES.filter(({ name }) => name.startsWith('opensearch'));
  test.each(native)('$name: every byte of those with a layout', async ({ name }) => {
    const report = await json('analyze', at(name));
    expect(report.types.length).toBeGreaterThan(2);
    for (const { fields, bytes, unattributed } of report.types as readonly ProfileJson[]) {
      expect(unattributed).toBe(0);
      expect(sum(fields.map(({ native: n }) => sumCells(n)))).toBe(bytes.native);
    }
    const [input] = report.inputs;
    expect(sum(report.types.map((profile: ProfileJson) => profile.bytes.native))).toBe(
      input.payloadBytes - input.leftOut.bytes,
    );
  });

  test('a fetch response, row by row', async () => {
    const out = await succeed('annotate', OPENSEARCH, '--message', '24');
    expect(out).toContain('message 24, org.opensearch.proto.search.FetchSearchResultProto, native');
    expect(out).toMatch(/seq_no ZLong: -2/);
    expect(out).toMatch(/version Long: -1/);
    expect(out).not.toContain('unattributed');
  });

  test('the header of a message is printed row by row', async () => {
    const out = await succeed('annotate', OPENSEARCH, '--message', '23');
    const [, header] = out.split('its header, org.opensearch.stream.RequestHeader, native');
    expect(header).toContain('key String: "TASK_RESOURCE_USAGE"');
    expect(header).toContain('action String: "indices:data/read/search[phase/fetch/id]"');
  });

  test('are not read as protobuf, even if an action without a layout or another type is requested', async () => {
    for (const asked of [
      ['--method', 'fault_retention'],
      ['--method', 'fault_retention', '--type', 'query.BindVariable'],
    ]) {
      const { code, out, err } = await run(['analyze', UNKNOWN_ACTION, ...asked]);
      expect([code, out]).toEqual([1, '']);
      expect(err).toContain(
        '18 messages of opensearch, native without a layout: as protobuf the bytes would mean nothing',
      );
    }
  });

  test('responses whose request is not in the capture are named so, not as an action without a layout', async () => {
    let capture = Uint8Array.from(readFileSync(OPENSEARCH));
    for (let packet = 0; packet < 8; packet++) capture = withoutPacket(capture, 0);
    const path = write('begun-later.pcap', capture);
    const { err } = await run(['analyze', path]);
    expect(err).toContain(
      '2 messages of opensearch, native without a request in the capture: only that names the action',
    );
    expect(err).not.toContain('without a layout');
    const refused = await run(['annotate', path, '--message', '26']);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('response without its request')]);
  });

  test('a native message without a layout is refused', async () => {
    const { code, err } = await run(['annotate', UNKNOWN_ACTION, '--message', '0']);
    expect(code).toBe(1);
    expect(err).toContain('no loaded schema has a layout for it');
  });
});

test('a group that does not look like protobuf, beside another one: the evidence is that of its own bytes', async () => {
  const mimeType = 'application/x-protobuf';
  const request = { method: 'POST', url: 'http://a/b', postData: { mimeType, text: '\n\u0001a' } };
  const response = { status: 200, content: { mimeType, text: 'Internal error: upstream connect error or reset' } };
  const har = { log: { version: '1.2', entries: [{ request, response }] } };
  const { out } = await run(['analyze', write('text.har', JSON.stringify(har))]);
  expect(out).toMatch(/^This does not look like protobuf\. .* It is text from its first byte on\. /m);
});

test('--type decides where the evidence leaves the best type open', async () => {
  const content = { mimeType: 'application/x-protobuf', encoding: 'base64', text: 'CJYB', size: 3 };
  const response = { status: 200, headers: [], content };
  const har = { log: { version: '1.2', entries: [{ request: { method: 'GET', url: 'http://a/b' }, response }] } };
  const path = write('open.har', JSON.stringify(har));
  const proto = 'syntax = "proto3"; message Sizes { int32 width = 1; } message Names { string first = 1; }';
  const schema = write('open.proto', proto);
  const of = (type: string) => run(['analyze', path, '--schema', schema, '--type', type]);
  expect((await of('Sizes')).out).toContain('width');
  expect((await of('Names')).err).toContain('No message of type Names');
});

describe('refusals', () => {
  test('an action without a layout', async () => {
    const { code, out, err } = await run(['analyze', UNKNOWN_ACTION, '--method', 'fault_retention']);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('No message of a method with fault_retention among the 34 messages');
    expect(err).toContain('"wirecost messages" lists them');
  });

  const payload = (): string => write('plain.bin', Uint8Array.of(8, 150, 1));
  test.each([
    ['layers of a payload', () => ['layers', payload()], 'is not a capture'],
    ['a capture beside a payload', () => ['analyze', VITESS, payload()], 'the captures are '],
    ['a method of payloads', () => ['analyze', payload(), '--method', 'x'], '--method is for captures'],
    [
      'a type that is not there',
      () => ['analyze', OPENSEARCH, '--type', 'prometheus.WriteRequest'],
      'No message of type',
    ],
    ['a method that is not there', () => ['analyze', VITESS, '--method', 'Nowhere'], 'of a method with Nowhere'],
    ['an unknown direction', () => ['messages', VITESS, '--direction', 'up'], 'takes request or response, not up'],
    ['a limit of 0', () => ['messages', VITESS, '--limit', '0'], '--limit takes a number of MiB'],
    ['two captures to list', () => ['messages', VITESS, OTLP], 'messages takes one CAPTURE'],
  ])('%s', async (_, args, words) => {
    const { code, out, err } = await run(args());
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(words);
  });
});

test("OpenSearch's gRPC: each message has its type by the call's path, and the bytes that the stubs wrote", async () => {
  const sent = readFileSync(at('grpc-opensearch.sent.txt'), 'utf8').trim().split('\n');
  const lines = await list(at('grpc-opensearch.pcap'));
  expect(lines.map(({ type, bytes, sha256 }) => `${type} ${bytes} ${sha256}`).sort()).toEqual(sent.sort());
  const { out } = await run(['analyze', at('grpc-opensearch.pcap'), '--method', 'DocumentService/Bulk', '--json']);
  expect(out).toContain('"retry_on_conflict"');
});

const NATIVE = CAPTURES.filter(({ name }) => /^(?:opensearch|kafka)/.test(name));

test.each(NATIVE)('$name: advice is measured on all messages of a type, byte for byte', async ({ name }) => {
  const { types } = await json('analyze', at(name));
  const typed: readonly ProfileJson[] = types.filter(({ type }: ProfileJson) => type !== null);
  const [several = typed[0]!] = typed.filter(({ messages }) => messages > 1);
  const { code, out, err } = await run(['advise', at(name), '--type', several.type!, '--json']);
  expect([code, err]).toEqual([0, expect.not.stringContaining('cannot be read')]);
  expect(JSON.parse(out)).toMatchObject({ type: several.type, captured: { bytes: several.bytes.protobuf } });
});

test('a capture is read with the descriptors that servers sent in it, unless --schema gives others', async () => {
  const capture = at('grpc-reflection.pcap');
  const typesOf = async (...args: readonly string[]) => {
    const lines = await list(capture, ...args);
    return [...new Set(lines.filter(({ method }) => method.includes('RouteGuide')).map(({ type }) => type))].sort();
  };
  const found = ['routeguide.Feature', 'routeguide.Point', 'routeguide.Rectangle'];
  expect(await typesOf()).toEqual(found);
  // The name is also that of bundled types.
  expect(await typesOf('--type', 'Feature')).toEqual(['routeguide.Feature']);
  expect(await typesOf('--schema', 'schemas/prometheus')).toEqual([null]);
  const { err } = await run(['analyze', capture]);
  expect(err).toContain("read with the schema that servers sent in the capture (gRPC's server reflection)");
  const advised = await run(['advise', capture, '--json', '--compressor', 'gzip']);
  expect(JSON.parse(advised.out)).toMatchObject({ type: 'routeguide.Feature' });
  const named = ['--type', 'grpc.reflection.v1.ServerReflectionResponse'];
  const ofBundled = await run(['advise', capture, '--json', '--compressor', 'gzip', ...named]);
  expect(JSON.parse(ofBundled.out)).toMatchObject({ type: 'grpc.reflection.v1.ServerReflectionResponse' });
  const unknown = await run(['analyze', capture, '--type', 'Featuer']);
  expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('No message type Featuer in the schema')]);
});
