import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { outside } from './remote-sources.ts';

/** Answers `/3` with three mebibytes, compressed. */
let server: Server;
beforeAll(async () => {
  server = createServer(({ url }, response) => {
    response.writeHead(200, { 'Content-Encoding': 'gzip' });
    response.end(gzipSync(new Uint8Array(Number(url!.slice(1)) << 20), { level: 1 }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  vi.stubGlobal('document', { baseURI: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
});
afterAll(() => {
  vi.unstubAllGlobals();
  server.close();
  server.closeAllConnections();
});

test.each([
  ['nothing', 0, 0],
  ['some', 3, 3 << 20],
  ['more than may be', 257, 'it is larger than 256 MiB'],
])('an answer whose length is not known before: %s', async (_, mebibytes, outcome) => {
  const fetched = outside.fetch(String(mebibytes), new AbortController().signal);
  const found = await fetched.then(
    ({ size }) => size,
    ({ message }: Error) => message,
  );
  expect(found).toBe(outcome);
});
