/** The worker and the command line give the same analysis of the same files. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { profileJson } from '#engine/cost/profile-json.ts';
import { analyze, annotate, readSchema } from '../library/wirecost.ts';
import { MEASURE_OPTIONS, measure } from './measure/measure.ts';
import { parseOptions } from './options/arguments.ts';
import {
  adviceThroughCommand,
  messagesThroughCommand,
  openWorker,
  streamsThroughCommand,
  throughCommand,
} from './parity.testing.ts';
import { run } from './run.ts';

const ROOT = new URL('../../', import.meta.url);
/** Schemas, explanations, and what other tools read of the captures. */
const NO_INPUT = /\.(proto|md|sha256)$|\.fds\.binpb$|\.truth\.json$|\.(messages|served|sent)\.txt$/;
const FILES = [
  ...['fixtures/input/', 'fixtures/capture/', 'fixtures/bits/', 'fixtures/compression/', 'fixtures/otlp-json/'],
  ...['fixtures/tls/', 'public/samples/'],
].flatMap((folder) =>
  readdirSync(new URL(folder, ROOT), { withFileTypes: true })
    .filter((entry) => entry.isFile() && !NO_INPUT.test(entry.name))
    .map(({ name }) => `${folder}${name}`),
);
const CAPTURES = FILES.filter((file) => /\.(pcap|pcapng|har)(\.gz)?$/.test(file));

const bundled = readdirSync(new URL('schemas/', ROOT), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.proto'))
  .map((path) => ({ path, content: readFileSync(new URL(`schemas/${path}`, ROOT), 'utf8') }));

/** A schema with no type of the messages. */
const OTHER = {
  path: 'other.proto',
  content: 'syntax = "proto3"; package other; message Other { fixed32 odd = 9999; }',
};
const folder = mkdtempSync(join(tmpdir(), 'wirecost-'));

const bytesOf = (file: string) => new Uint8Array(readFileSync(new URL(file, ROOT)));
const pathOf = (file: string): string => new URL(file, ROOT).pathname;

const [shipped, foreign] = [await openWorker([], bundled), await openWorker([OTHER], [])];
const beside = await openWorker([OTHER], bundled);
afterAll(() => {
  shipped.close();
  foreign.close();
  beside.close();
  rmSync(folder, { recursive: true });
});

describe('with the schemas that ship', () => {
  test.each(FILES)(
    '%s',
    async (file) => {
      expect(await shipped.analyze(file, bytesOf(file))).toEqual(await throughCommand(pathOf(file), []));
    },
    180_000,
  );
});

describe('message by message: the list, the types, the rows', () => {
  const MOST = 12;
  /** Captures of the cluster and the calls that shorter ones have too. */
  const LONG = /term-1000|opensearch-hour/;
  test.each(FILES.filter((file) => !LONG.test(file)))('%s', async (file) => {
    const command = await run(['messages', pathOf(file)]);
    await shipped.open(file, bytesOf(file));
    const page = await shipped.messages(MOST);
    if (command.code === 0) expect(page).toEqual(await messagesThroughCommand(pathOf(file), MOST));
    else expect(page).toEqual([]);
  });
});

describe('bits of captured streams by field', () => {
  test.each([
    ['fixtures/capture/vitess-gzip.pcapng', 'query.ExecuteBatchResponse'],
    ['fixtures/capture/remote-write-1-and-2.pcapng', 'prometheus.WriteRequest'],
    ['fixtures/capture/otlp-http-gzip.pcapng', 'opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest'],
    ['fixtures/capture/opensearch-deflate.pcap', 'org.opensearch.proto.search.FetchSearchResultProto'],
  ])('%s', async (file, type) => {
    await shipped.open(file, bytesOf(file));
    const page = await shipped.streams(type);
    expect(page).not.toBeNull();
    expect(page).toEqual(await streamsThroughCommand(pathOf(file), type));
  });
});

describe('advice', () => {
  test.each([
    ['public/samples/prometheus-remote-write-1.binpb', 'prometheus.WriteRequest', 'schemas/prometheus'],
    ['fixtures/capture/vitess-gzip.pcapng', 'query.ExecuteBatchResponse', 'schemas'],
  ])('%s', async (file, type, schema) => {
    await shipped.open(file, bytesOf(file));
    expect(await shipped.advice(type)).toEqual(await adviceThroughCommand(pathOf(file), pathOf(schema), type));
  });
});

test('messages without a type are read by field number at every depth', async () => {
  const { profiles } = await foreign.analyze('x.pcapng', bytesOf('fixtures/capture/remote-write.pcapng'));
  expect(profiles.map(({ type, messages }) => [type, messages])).toEqual([['', 8]]);
  expect(profiles[0]!.fields.map(({ path }) => path)).toContain('?1.?1.?2');
});

describe('captures with a schema that has none of their types', () => {
  test.each(CAPTURES)('%s', async (file) => {
    const path = join(folder, OTHER.path);
    writeFileSync(path, OTHER.content);
    const command = await throughCommand(pathOf(file), [path]);
    const worker = await beside.analyze(file, bytesOf(file));
    expect(worker).toEqual(command);
  });
});

describe('a schema with an error', () => {
  const HALF = {
    path: 'half.proto',
    content: `syntax = "proto3"; package half; message Good { string name = 1; } message Bad { Missing m = 1; string note = 2; }
      message Uses { Bad bad = 1; string id = 2; }`,
  };
  const bytes = new Uint8Array(Buffer.from('0a0a0a02080112046e6f746512066f7264657231', 'hex'));
  const message = /An error of your schema touches half\.Uses: its messages may be read wrongly\./;
  const touched = expect.objectContaining({ code: 'schema/touched-type', message: expect.stringMatching(message) });
  const [schema, input] = [join(folder, HALF.path), join(folder, 'uses.binpb')];

  test('a type that it touches is read if it is chosen, with a finding: page, command line and library agree', async () => {
    writeFileSync(schema, HALF.content);
    writeFileSync(input, bytes);
    const worker = await openWorker([HALF], bundled);
    const page = await worker.analyze(input, bytes, 'half.Uses');
    worker.close();
    const command = await throughCommand(input, [schema], 'half.Uses');
    const library = await analyze(bytes, { schema: readSchema([HALF]), type: 'half.Uses' });
    expect([page.profiles, page.diagnostics]).toEqual([command.profiles, command.diagnostics]);
    expect(library.diagnostics).toEqual(command.diagnostics);
    expect(command.diagnostics).toEqual([touched, expect.objectContaining({ code: 'wire/unknown-field' })]);
    expect(library.profiles.map(({ type }) => type)).toEqual(['half.Uses']);
    expect(annotate(bytes, { schema: readSchema([HALF]), type: 'half.Uses' }).diagnostics).toContainEqual(touched);
    const { out } = await run(['annotate', input, '-s', schema, '-t', 'Uses']);
    expect(out).toMatch(message);
  });

  test('a type that it touches is not detected: page, command line and library agree', async () => {
    // Every byte has a field of the type.
    const bytes = new Uint8Array(Buffer.from('0a0612046e6f746512066f7264657231', 'hex'));
    writeFileSync(input, bytes);
    const worker = await openWorker([HALF], bundled);
    const page = await worker.analyze(input, bytes);
    worker.close();
    const command = await throughCommand(input, [schema]);
    expect(page).toEqual(command);
    expect(page.profiles.map(({ type }) => type)).toEqual(['']);
    const library = await analyze(bytes, { schema: readSchema([HALF]) });
    expect(library.profiles.map(({ type }) => type)).toEqual(['']);
    expect(annotate(bytes, { schema: readSchema([HALF]) }).rows.map(({ field }) => field)).toContain(1);
  });
});

describe('groups of a capture without a type name', () => {
  /** Responses whose addresses and content types say nothing of their messages. */
  const har = (payloads: readonly Uint8Array[]): string => {
    const entries = payloads.map((payload, at) => {
      const text = Buffer.from(payload).toString('base64');
      const content = { mimeType: 'application/x-protobuf', encoding: 'base64', text };
      const headers = [{ name: 'content-type', value: content.mimeType }];
      const request = { method: 'GET', url: `https://x.example/${at}`, headers: [] };
      return { startedDateTime: '2026-01-01T00:00:00Z', time: 1, request, response: { status: 200, headers, content } };
    });
    return JSON.stringify({ log: { version: '1.2', creator: { name: 'x', version: '1' }, entries } });
  };
  const path = join(folder, 'unnamed.har');
  const types = async (...options: string[]) => {
    const { profiles } = await measure(parseOptions([path, ...options], MEASURE_OPTIONS));
    return profiles.map(({ type }) => type).sort();
  };

  test('have the type that the evidence decides, on the page and on the command line; the others are read by field number', async () => {
    writeFileSync(
      path,
      har([
        bytesOf('public/samples/prometheus-remote-write-2.binpb'),
        bytesOf('public/samples/vitess-execute-batch.binpb'),
        // No type that ships has fields 109 to 111 of these wire types.
        Uint8Array.of(0xf8, 0x06, 1, 0xf0, 0x06, 2, 0xe8, 0x06, 3, 0xf8, 0x06, 1),
      ]),
    );
    const page = await shipped.analyze(path, new Uint8Array(readFileSync(path)));
    expect(page).toEqual(await throughCommand(path, []));
    expect(Object.values((page.plan as { readonly groups: object }).groups)).toEqual([
      { type: 'io.prometheus.write.v2.Request', by: 'evidence' },
      { type: 'query.ExecuteBatchRequest', by: 'evidence' },
      { type: null, by: 'guess' },
    ]);
    expect(await types()).toEqual(['', 'io.prometheus.write.v2.Request', 'query.ExecuteBatchRequest']);
    expect(await types('--type', 'query.ExecuteBatchRequest')).toEqual(['query.ExecuteBatchRequest']);
    const schema = readSchema(bundled);
    const library = async (type?: string) => {
      const { profiles } = await analyze(new Uint8Array(readFileSync(path)), { schema, ...(type && { type }) });
      return profiles;
    };
    expect(await library()).toEqual(page.profiles.map(profileJson));
    expect((await library('query.ExecuteBatchRequest')).map(({ type }) => type)).toEqual(['query.ExecuteBatchRequest']);
    expect(await types('--by-number')).toEqual(['', '', '']);
    const { out } = await run(['messages', path]);
    expect(out.match(/io\.prometheus\.write\.v2\.Request|query\.ExecuteBatchRequest/g)).toHaveLength(2);
    const { err } = await run(['analyze', path]);
    expect(err).toContain('1 message of GET /1, responses read as query.ExecuteBatchRequest (a field for every byte');
  });
});
