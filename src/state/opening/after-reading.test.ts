/** Calls about messages wait for an input that is being read. */
import { expect, test } from 'vitest';
import { startClient } from '#worker/client.testing.ts';
import type { Client } from '#worker/connect.ts';
import { NO_SCOPE } from '#worker/input-api.ts';
import { afterReading } from './after-reading.ts';

const shown = { scope: NO_SCOPE, type: 'M', types: {}, nativeProfile: null, overrides: {}, shown: 'M' } as const;
const compressor = { id: 'gzip', level: null } as const;
const schema = { files: [{ path: 'm.proto', content: 'message M { optional int32 a = 1; }' }], shelf: [] };

test.each<readonly [string, (client: Client) => Promise<{ readonly ok: boolean }>]>([
  ['a search for a field', (client) => client.call('firstWith', { ...shown, path: 'a' })],
  [
    'a search for a value',
    (client) => client.call('firstLoss', { ...shown, lost: { encoding: 'json', kind: 'unknown', type: 'M' } }),
  ],
  ['what a field saves', (client) => client.call('saved', { ...shown, compressor, paths: ['a'] })],
  [
    'where bytes were copied from',
    (client) => client.call('copiedFrom', { ...shown, compressor, encoding: 'protobuf', ordinal: 0, start: 0, end: 1 }),
  ],
  ['sizes in two versions of the schema', (client) => client.call('versionSizes', { profiles: [shown] })],
])('%s', async (_, ask) => {
  const client = afterReading(startClient());
  await client.call('setSchema', schema);
  await client.call('setOther', schema);
  const data = new Blob(Array<BlobPart>(5_000).fill(Uint8Array.of(4, 8, 1, 16, 1)));
  const open = () => client.call('openInput', { name: 'x', data, textEncoding: 'binary', framing: 'varint' });
  await open();
  const before = await ask(client);
  expect(before).toMatchObject({ ok: true, value: expect.anything() });
  const again = open();
  expect(await ask(client)).toEqual(before);
  await again;
});

test('without an input, such a call ends like a cancelled one', async () => {
  const client = afterReading(startClient());
  expect(await client.call('firstWith', { ...shown, path: 'a' })).toMatchObject({ ok: false, cancelled: true });
});
