/**
 * Descriptors in responses of gRPC's server reflection. `grpc-reflection.pcap`: grpcurl calls a server of grpc-go 1.85,
 * whose descriptors it asked for.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bytesSource } from '../bytes/source.ts';
import { compileSchema } from '../schema/compile.ts';
import { analyze } from './analyze.ts';
import { openInput } from './read-input.ts';
import { reflectedSchema } from './reflected-schema.ts';
import { storeMessages } from './store/message-store.ts';

async function reflected(name: string, bytes: Uint8Array): Promise<Uint8Array | null> {
  const opened = await openInput(bytesSource(name, bytes), {}, {}, () => []);
  const { store } = await storeMessages(opened, {}, { nextTurn: () => Promise.resolve() });
  return reflectedSchema(store);
}
const fixture = (path: string): Promise<Uint8Array | null> =>
  reflected(path, new Uint8Array(readFileSync(new URL(`../../../${path}`, import.meta.url))));

test('the files that a server of grpc-go sent are a schema: its services, and those of gRPC that it has', async () => {
  const set = await fixture('fixtures/capture/grpc-reflection.pcap');
  const { registry, diagnostics } = compileSchema([{ path: 'x.binpb', content: set! }]);
  expect(diagnostics).toEqual([]);
  expect([...registry.services.keys()]).toEqual(['routeguide.RouteGuide', 'grpc.health.v1.Health']);
  expect(registry.messages.get('routeguide.Feature')!.fields.map(({ name }) => name)).toEqual(['name', 'location']);
});

test('a capture is read once with the descriptors that it holds', async () => {
  const bytes = new Uint8Array(
    readFileSync(new URL('../../../fixtures/capture/grpc-reflection.pcap', import.meta.url)),
  );
  const read: number[] = [];
  const onProgress = (done: number, total: number): void => {
    if (total === bytes.length) read.push(done);
  };
  const { profiles } = await analyze(bytesSource('x.pcap', bytes), {}, {}, { onProgress });
  expect(profiles.map(({ type }) => type)).toContain('routeguide.Feature');
  expect(read).toEqual([bytes.length]);
});

test('a capture without such calls has none', async () => {
  expect(await fixture('public/samples/opensearch-search.pcap')).toBeNull();
});

/** A field of wire type LEN. */
const len = (number: number, contents: string): string =>
  String.fromCharCode((number << 3) | 2, contents.length) + contents;
const file = (name: string): string => len(1, len(1, `${name}.proto`));
const answer = (files: string): string => len(4, files);

/** A HAR of responses of gRPC-web in the calls of a path. */
function recorded(path: string, messages: readonly string[]): Uint8Array {
  const entries = messages.map((message) => {
    const body = Buffer.from(`\0\0\0\0${String.fromCharCode(message.length)}${message}`, 'latin1');
    const mimeType = 'application/grpc-web+proto';
    const headers = [{ name: 'Content-Type', value: mimeType }];
    const content = { mimeType, encoding: 'base64', text: body.toString('base64') };
    return {
      request: { method: 'POST', url: `https://x${path}`, headers },
      response: { status: 200, headers, content },
    };
  });
  return Buffer.from(JSON.stringify({ log: { entries } }));
}

const V1 = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
test.each([
  ['one file', V1, [answer(file('a'))], file('a')],
  ['the older version', V1.replace('v1', 'v1alpha'), [answer(file('a'))], file('a')],
  [
    'several files in several responses',
    V1,
    [answer(file('a') + file('b')), answer(file('c'))],
    file('a') + file('b') + file('c'),
  ],
  ['a file that two clients asked for', V1, [answer(file('a')), answer(file('a') + file('b'))], file('a') + file('b')],
  ['other fields before it', V1, [len(1, 'host') + len(2, len(4, 'x.Y')) + answer(file('a'))], file('a')],
  ['a list of services', V1, [len(6, len(1, len(1, 'x.Y')))], null],
  ['an error', V1, [len(7, '\x08\x05')], null],
  ['a response that ends in its second file', V1, [answer(file('a') + file('b').slice(0, -1))], file('a')],
  ['bytes that cannot be read', V1, ['\xff\xff\xff'], null],
  ['another method', '/x.Y/Z', [answer(file('a'))], null],
])('%s', async (_name, path, messages, set) => {
  const found = await reflected('x.har', recorded(path, messages));
  expect(found === null ? null : Buffer.from(found).toString('latin1')).toBe(set);
});
