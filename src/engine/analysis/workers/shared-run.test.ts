/** However many workers add messages up, profiles and findings are the same, to the byte of their JSON. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryMessages } from '#testing/arbitrary-message.ts';
import { readSchemaFiles } from '../../../cli/inputs/schema-files.ts';
import { bytesSource, type Source } from '../../bytes/source.ts';
import { setVarint } from '../../bytes/varint.ts';
import { NATIVE_PROFILES, type NativeProfile, SCHEMA_LAYOUT_PROFILE } from '../../native/profiles.ts';
import { compileSchema } from '../../schema/compile.ts';
import type { MessageDescriptor, Registry } from '../../schema/descriptor.ts';
import { libraryOf } from '../analyze.ts';
import { openInput } from '../read-input.ts';
import { runMessages } from '../run-messages.ts';
import { allMessages, storeMessages } from '../store/message-store.ts';
import { type Counted, nextTurn, poolOf } from './helper-port.testing.ts';
import type { Pool } from './pool.ts';

interface Run {
  readonly registry: Registry;
  readonly type?: MessageDescriptor | undefined;
  readonly nativeProfile?: NativeProfile;
}

async function runOf(name: string, bytes: Uint8Array, framing: string | undefined, run: Run, pool: Pool) {
  const source: Source = { ...bytesSource(name, bytes), handle: bytes };
  const choice = framing === undefined ? {} : { framing, textEncoding: 'binary' };
  const { store } = await storeMessages(await openInput(source, choice), choice, { nextTurn });
  const { registry, type = null, nativeProfile = SCHEMA_LAYOUT_PROFILE } = run;
  const request = {
    library: libraryOf([{ registry }]),
    type,
    types: {},
    evidence: {},
    guesses: new Map(),
    nativeProfile,
  };
  const [found] = await runMessages([{ store, ordinals: allMessages(store) }], request, { pool });
  return JSON.stringify(found);
}

const delimited = (messages: readonly Uint8Array[]): Uint8Array => {
  const bytes: number[] = [];
  for (const message of messages) {
    const size = new Uint8Array(5);
    bytes.push(...size.subarray(0, setVarint(size, 0, message.length)), ...message);
  }
  return Uint8Array.from(bytes);
};

const registryOf = (proto: string): Registry => {
  const options = readFileSync(new URL('../../../../schemas/native/options.proto', import.meta.url), 'utf8');
  return compileSchema([
    { path: 'random.proto', content: proto },
    { path: 'native/options.proto', content: options },
  ]).registry;
};

test('any messages, with and without a type, give the same with one, two, three and eight workers', async () => {
  const counted: Counted = { ranges: 0, shares: 0 };
  const junk = fc.array(fc.uint8Array({ maxLength: 12 }), { maxLength: 4 });
  const some = fc.tuple(
    arbitraryMessages({ maxMessages: 12, any: true }),
    junk,
    fc.constantFrom(...NATIVE_PROFILES),
    fc.boolean(),
  );
  await fc.assert(
    fc.asyncProperty(some, async ([{ proto, messages }, others, nativeProfile, isTyped]) => {
      const registry = registryOf(proto);
      const type = isTyped ? registry.messages.get('random.A')! : undefined;
      const bytes = delimited([...messages, ...others, ...messages.slice(0, 3)]);
      const by = (workers: number) =>
        runOf('a.binpb', bytes, 'varint', { registry, type, nativeProfile }, poolOf(workers, counted));
      const alone = await by(1);
      for (const workers of [2, 3, 8]) expect(await by(workers)).toBe(alone);
    }),
    { numRuns: 25, endOnFailure: true },
  );
  expect(counted.ranges).toBeGreaterThan(100);
});

test('JSON with more names than have rows of their own', async () => {
  const counted: Counted = { ranges: 0, shares: 0 };
  // The last names are in two messages.
  const lines = Array.from({ length: 10_600 }, (_, at) => `{"labels":{"k${at < 10_200 ? at : at - 400}":0}}`);
  const bytes = new TextEncoder().encode(lines.join('\n'));
  const { registry } = compileSchema([]);
  const [alone, shared] = [
    await runOf('a.ndjson', bytes, undefined, { registry }, poolOf(1, counted)),
    await runOf('a.ndjson', bytes, undefined, { registry }, poolOf(3, counted)),
  ];
  expect(counted.ranges).toBeGreaterThan(0);
  expect(shared).toBe(alone);
});

test('captures, with the schemas that ship', async () => {
  const sources = await readSchemaFiles([new URL('../../../../schemas', import.meta.url).pathname]);
  const { registry } = compileSchema(sources);
  const counted: Counted = { ranges: 0, shares: 0 };
  const pool = poolOf(3, counted);
  for (const name of [
    'opensearch-plain.pcap',
    'otlp-http-gzip.pcapng',
    'vitess-gzip.pcapng',
    'kafka.pcap',
    'web-rpc.pcapng',
  ]) {
    const bytes = new Uint8Array(readFileSync(new URL(`../../../../fixtures/capture/${name}`, import.meta.url)));
    const alone = await runOf(name, bytes, undefined, { registry }, poolOf(1, counted));
    expect(await runOf(name, bytes, undefined, { registry }, pool), name).toBe(alone);
  }
  expect(counted.ranges).toBeGreaterThan(5);
});

test('if a worker does not start, its ranges are computed here', async () => {
  const registry = registryOf('syntax = "proto3"; package random; message A { int32 a = 1; }');
  const bytes = delimited(Array.from({ length: 100 }, (_, at) => Uint8Array.of(8, at)));
  const counted: Counted = { ranges: 0, shares: 0 };
  const alone = await runOf('a.binpb', bytes, 'varint', { registry }, poolOf(1, counted));
  expect(await runOf('a.binpb', bytes, 'varint', { registry }, poolOf(2, counted, true))).toBe(alone);
  expect(counted.ranges).toBe(1);
});
