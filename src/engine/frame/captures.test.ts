import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesSource } from '../bytes/source.ts';
import { sumLayers } from '../capture/containers/packets-layers.ts';
import type { Traffic } from '../capture/containers/packets-traffic.ts';
import type { CaptureFacts, CaptureOptions } from './capture-facts.ts';
import type { Message } from './message.ts';
import { printLayers, printMessage } from './print-capture.ts';
import { readBody } from './read-body.ts';
import { readCapture } from './read-capture.ts';

const FOLDER = new URL('../../../fixtures/capture/', import.meta.url);
const CAPTURES = readdirSync(FOLDER).filter((name) => /\.(pcap|pcapng|har|flow|binlog|tap)$/.test(name));
const read = (name: string): Uint8Array => new Uint8Array(readFileSync(new URL(name, FOLDER)));
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

interface Found {
  readonly facts: CaptureFacts;
  readonly messages: readonly (Message & { readonly sha256: string })[];
}

async function find(bytes: Uint8Array, options: CaptureOptions = {}): Promise<Found> {
  const messages: (Message & { sha256: string })[] = [];
  const facts = await readCapture(
    bytesSource('capture', bytes),
    (message, payload) => messages.push({ ...message, sha256: sha256(payload) }),
    options,
  );
  return { facts, messages };
}

/** Each byte is of one layer; packets that are not TCP are those of theirs, and connections of no transport unattributed. */
function expectSums({ layers, traffic }: CaptureFacts, size: number): void {
  const sum = (unit: Traffic['unit']): number =>
    traffic.reduce((total, kind) => total + (kind.unit === unit ? kind.bytes : 0), 0);
  expect(sumLayers(layers)).toBe(size);
  expect(sum('packet')).toBe(layers['other-protocols']);
  expect(sum('connection')).toBeLessThanOrEqual(layers.unattributed);
}

describe.each(CAPTURES)('%s', (name) => {
  test('holds these messages, layers and findings', async () => {
    const { facts, messages } = await find(read(name));
    const text = [
      ...messages.map((message) => `${printMessage(message)}  sha256 ${message.sha256.slice(0, 16)}`),
      '',
      printLayers(facts),
      '',
      ...facts.diagnostics.map(
        ({ code, severity, message, start, end }) => `${severity}  ${code}  ${start}–${end}  ${message}`,
      ),
    ];
    const golden = new URL(`${name}.messages.txt`, FOLDER).pathname;
    await expect(`${text.join('\n').trimEnd()}\n`).toMatchFileSnapshot(golden);
  });

  test('layers sum to the file', async () => {
    const bytes = read(name);
    const { facts } = await find(bytes);
    expectSums(facts, bytes.length);
  });

  test('every body can be read again from its position', async () => {
    const bytes = read(name);
    const { messages } = await find(bytes);
    for (const { body, sha256: expected } of messages) {
      const again = await readBody(bytesSource(name, bytes), body);
      expect(again.ok && sha256(again.value)).toBe(expected);
    }
  });

  test('chunks of any size give the same', async () => {
    const bytes = read(name);
    const whole = await find(bytes);
    for (const chunkBytes of [1, 7, 1000, 65_536]) expect(await find(bytes, { chunkBytes })).toEqual(whole);
  });
});

/**
 * Recorded by Chromium and dumpcap at once: a page that asks a connect-go and a grpc-web server by Connect (POST, GET,
 * streams), by gRPC-web and by its text form. Connect by GET over HTTP/2, of connect-node. And gRPC, HTTP/1.1, a WebSocket
 * and TCP through mitmproxy. The servers noted what they read and wrote. And gRPC's binary logs, as protobuf's own parser
 * for Python reads them.
 */
describe('messages that servers noted', () => {
  test.each<[string, string, readonly string[]]>([
    ['connect-get.pcapng', 'connect-get', []],
    ['web-rpc.pcapng', 'web-rpc', []],
    ['mitmproxy.flow', 'mitmproxy', []],
    ['grpc-go.binlog', 'grpc-go', []],
    ['grpc-go-cut.binlog', 'grpc-go-cut', []],
    ['grpc-java.binlog', 'grpc-java', []],
    // Playwright writes requests as text, and keeps nothing of streams that end in an error.
    [
      'web-rpc.har',
      'web-rpc',
      ['request 32', 'request 32', 'request 32', 'response 0', 'response 0', 'response 43', 'response 43'],
    ],
  ])('%s: exactly the messages that the servers read and wrote', async (name, noted, lost) => {
    const served = readFileSync(new URL(`${noted}.served.txt`, FOLDER), 'utf8')
      .trim()
      .split('\n')
      .sort();
    const { messages } = await find(read(name));
    const found = messages
      .filter(({ format }) => format === undefined)
      .map(({ direction, bytes, sha256: sum }) => `${direction} ${bytes} ${sum}`);
    const missing = [...served];
    for (const line of found) {
      const at = missing.indexOf(line);
      expect(at, line).toBeGreaterThanOrEqual(0);
      missing.splice(at, 1);
    }
    expect(missing.map((line) => line.split(' ', 2).join(' '))).toEqual(lost);
  });
});

/** The programs on both ends noted what they sent. Not in the HAR: a message that only the other runs have. */
test.each<[string, readonly string[]]>([
  ['websocket-plain.pcapng', []],
  ['websocket-no-takeover.pcapng', []],
  ['websocket-takeover.pcapng', []],
  ['websocket.har', ['response 70004']],
])('%s: exactly the messages that were sent', async (name, missing) => {
  const sent = readFileSync(new URL('websocket.sent.txt', FOLDER), 'utf8').trim().split('\n');
  const { messages } = await find(read(name));
  const found = messages.map(({ direction, bytes, sha256: sum }) => `${direction} ${bytes} ${sum}`);
  const inOrder = ['request', 'response'].flatMap((direction) => found.filter((line) => line.startsWith(direction)));
  expect(inOrder).toEqual(sent.filter((line) => !missing.some((one) => line.startsWith(one))));
});

describe('a mutated capture', () => {
  const captures = CAPTURES.map((name) => read(name).subarray(0, 12_000));
  const mutation = fc.record({
    capture: fc.nat(captures.length - 1),
    changes: fc.array(fc.tuple(fc.nat(11_999), fc.nat(255)), { maxLength: 20 }),
    cut: fc.nat(12_000),
  });

  test('neither throws nor loses a byte of the ledger', async () => {
    await fc.assert(
      fc.asyncProperty(mutation, async ({ capture, changes, cut }) => {
        const bytes = captures[capture]!.slice(0, Math.max(1, cut));
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        const { facts } = await find(bytes);
        expectSums(facts, bytes.length);
      }),
      { numRuns: 1500 },
    );
  });
});
