import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { InputSummary } from '#worker/input-api.ts';
import { mayHoldSecrets, withoutSecrets } from './without-secrets.ts';

const file = (name: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(new URL(`../../../fixtures/tls/${name}`, import.meta.url)));

/** The worker's summary of a capture of this size, unzipped, with these places of secrets. */
const summary = (size: number, bytes: number, secrets: readonly { start: number; end: number }[]): InputSummary =>
  ({ kind: 'capture', size, bytes, secrets, steps: [] }) as unknown as InputSummary;

test('secrets are replaced by zeros, and every other byte is unchanged', async () => {
  const bytes = file('editcap-tls13-chacha20.pcapng');
  const log = Buffer.from(file('node-tls13-chacha20.keys'));
  const start = Buffer.from(bytes).indexOf(log);
  const end = start + log.length;
  const clean = withoutSecrets(new Blob([bytes]), summary(bytes.length, bytes.length, [{ start, end }]));
  const expected = bytes.slice().fill(0, start, end);
  expect(start).toBeGreaterThan(0);
  expect(new Uint8Array(await clean!.arrayBuffer())).toEqual(expected);
});

test('secrets in a gzipped capture cannot be removed', () => {
  expect(withoutSecrets(new Blob(['x']), summary(1, 900, [{ start: 5, end: 9 }]))).toBeNull();
});

test.each(['capture', 'payloads'])('an archive with a key log in it has no copy, read as %s', (kind) => {
  const read = { kind, size: 900, bytes: 900, secrets: [], steps: [{ id: 'tar', keyLogs: 1 }] };
  expect(withoutSecrets(new Blob(['x']), read as unknown as InputSummary)).toBeNull();
});

test.each([
  ['a pcapng', file('editcap-tls13-chacha20.pcapng'), true],
  ['gzip', Uint8Array.of(0x1f, 0x8b, 8, 0), true],
  ['zip', Uint8Array.of(0x50, 0x4b, 3, 4), true],
  ['zstd', Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd), true],
  ['text', new TextEncoder().encode('0a 0d 0d 0a 1c 00 00 00 4d 3c 2b 1a'), true],
  ['a pcap', file('node-tls13-chacha20.pcap'), false],
  ['a byte', Uint8Array.of(10), false],
])('%s may hold secrets: %s', async (_, bytes, expected) => {
  expect(await mayHoldSecrets(new Blob([bytes]))).toBe(expected);
});
