/** Fiddler's archives, from the file to its messages. */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { bytesSource } from '../bytes/source.ts';
import { sumLayers } from '../capture/containers/packets-layers.ts';
import { zipOfSessions } from '../capture/containers/zip-of-sessions.ts';
import { readBody } from './read-body.ts';
import { readCapture } from './read-capture.ts';
import { unwrap } from './unwrap/unwrap.ts';

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
type Files = Readonly<Record<string, string>>;
const archiveOf = (files: Files): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, bytesOf(text)])));
const storedOf = (files: Files): Uint8Array =>
  zipOfSessions(Object.entries(files).map(([path, text]) => ({ path, bytes: bytesOf(text) })));

async function read(bytes: Uint8Array, chunkBytes = 1 << 20) {
  const { source } = await unwrap(bytesSource('a.saz', bytes));
  const messages: string[] = [];
  const bodies: (() => Promise<void>)[] = [];
  const facts = await readCapture(
    source,
    ({ direction, method, status, time, flow, body }, payload) => {
      const text = Buffer.from(payload).toString('latin1');
      messages.push(`${direction} ${method} ${status} ${time} ${flow}: ${text}`);
      bodies.push(async () => {
        const again = await readBody(source, body);
        expect(again.ok && Buffer.from(again.value).toString('latin1')).toBe(text);
      });
    },
    { chunkBytes },
  );
  expect(sumLayers(facts.layers)).toBe(source.size);
  for (const check of bodies) await check();
  return { messages, facts, codes: facts.diagnostics.map(({ code }) => code) };
}

const HEAD = 'Content-Type: application/x-protobuf\r\n';
const ask = (path: string, body: string): string =>
  `POST https://api.example${path} HTTP/1.1\r\n${HEAD}Content-Length: ${body.length}\r\n\r\n${body}`;
const packed = gzipSync('\n\x05there').toString('latin1');
const inChunks = `${packed.slice(0, 9).length.toString(16)}\r\n${packed.slice(0, 9)}\r\n${packed.slice(9).length.toString(16)}\r\n${packed.slice(9)}\r\n0\r\n\r\n`;
const ANSWER = `HTTP/1.1 200 OK\r\n${HEAD}Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n${inChunks}`;
const facts = (client: string): string =>
  `\xef\xbb\xbf<?xml version="1.0"?>\r\n<Session SID="7"><SessionTimers ClientConnected="2026-01-02T03:00:00.1-07:00" ClientBeginRequest="2026-01-02T03:04:05.6789012-07:00" ServerBeginResponse="2026-01-02T03:04:06-07:00" /><SessionFlags><SessionFlag N="x-egressport" V="1" /><SessionFlag N="x-clientport" V="50" /><SessionFlag N="x-clientip" V="${client}" /><SessionFlag N="x-hostip" V="10.0.0.2" /></SessionFlags></Session>`;

const FILES: Files = {
  'raw/10_c.txt': ask('/b', '\n\x02hi'),
  '_index.htm': '<html></html>',
  'raw/2_s.txt': ANSWER,
  'raw/2_c.txt': ask('/a', '\n\x03you'),
  'raw/2_m.xml': facts('::1'),
  '[Content_Types].xml': '<Types/>',
};
const MESSAGES = [
  'request POST /a null 1767348245678 [::1]:50 → 10.0.0.2: \n\x03you',
  'response POST /a 200 1767348246000 10.0.0.2 → [::1]:50: \n\x05there',
  'request POST /b null null client → server: \n\x02hi',
];

describe('an archive of Fiddler', () => {
  test('gives the bodies of its sessions in their order, in chunks of any size', async () => {
    for (const chunk of [1, 7, 100, 1 << 20]) {
      const { messages, codes, facts: found } = await read(archiveOf(FILES), chunk);
      expect([messages, codes]).toEqual([MESSAGES, []]);
      expect([found.format, found.connectionCount]).toEqual(['saz', 2]);
    }
  });

  test('a key log in it is counted and left out', async () => {
    const keys = `CLIENT_RANDOM ${'ab'.repeat(32)} ${'cd'.repeat(48)}\n`;
    const { source, steps, keyLogs } = await unwrap(bytesSource('a.saz', archiveOf({ ...FILES, 'keys.txt': keys })));
    expect([keyLogs, steps.map(({ keyLogs }) => keyLogs)]).toEqual([[keys], [1]]);
    expect(await source.read(0, source.size)).toEqual(storedOf(FILES));
  });

  test.each([
    ['raw/2_w.txt', 'The messages of a WebSocket are not read.'],
    ['raw/2_x.txt', 'The contents of raw/2_x.txt are not read.'],
  ])('%s of a session is reported as unread', async (path, reason) => {
    const { facts: found } = await read(archiveOf({ ...FILES, [path]: 'Request-Length: 3\r\n' }));
    expect(found.diagnostics).toMatchObject([{ code: 'saz/unread', message: expect.stringContaining(reason) }]);
    expect(found.layers.unattributed).toBe('Request-Length: 3\r\n'.length);
  });

  test.each([
    ['no end and no time', '', '', 'client → server'],
    [
      'the client without its port',
      '0001-01-01T00:00:00',
      '<SessionFlag N="x-clientip" V="10.0.0.1" />',
      '10.0.0.1 → server',
    ],
  ])('facts that state %s', async (_, time, flags, flow) => {
    const stated = `<Session><SessionTimers ClientBeginRequest="${time}" /><SessionFlags>${flags}</SessionFlags></Session>`;
    const { messages } = await read(archiveOf({ 'raw/1_m.xml': stated, 'raw/1_c.txt': ask('/b', '\n\x02hi') }));
    expect(messages).toEqual([`request POST /b null null ${flow}: \n\x02hi`]);
  });

  test('an answer without a byte is complete', async () => {
    const { codes } = await read(archiveOf({ 'raw/1_c.txt': ask('/b', '\n\x02hi'), 'raw/1_s.txt': '' }));
    expect(codes).toEqual([]);
  });

  test('after bytes that begin no file, the rest is lost', async () => {
    const [session, rest] = [storedOf({ 'raw/1_c.txt': ask('/b', '\n\x02hi') }), 'x'.repeat(40)];
    for (const chunk of [7, 1 << 20]) {
      const { messages, codes, facts: found } = await read(Buffer.concat([session, bytesOf(rest)]), chunk);
      expect([messages, codes]).toEqual([MESSAGES.slice(2), ['saz/malformed']]);
      expect(found.layers.unattributed).toBe(rest.length);
    }
  });

  test('a message in the address is at its place, though the address is whole', async () => {
    const target = 'https://api.example/p.S/M?connect=v1&encoding=proto&base64=1&message=CgJoaQ';
    const { messages } = await read(archiveOf({ 'raw/1_c.txt': `GET ${target} HTTP/1.1\r\n\r\n` }));
    expect(messages).toEqual(['request GET /p.S/M null null client → server: \n\x02hi']);
  });

  test('a session that is not HTTP/1.1 is reported as unread', async () => {
    const { messages, codes } = await read(archiveOf({ 'raw/1_c.txt': 'GET /a HTTP/2\r\n\r\n' }));
    expect([messages, codes]).toEqual([[], ['frame/unread']]);
  });

  test('without its compression, cut at any byte, it gives the bodies before the cut', async () => {
    const whole = storedOf(FILES);
    for (let cut = 34; cut < whole.length; cut++) {
      const { messages } = await read(whole.subarray(0, cut));
      expect(MESSAGES.slice(0, messages.length)).toEqual(messages);
    }
    expect((await read(whole.subarray(0, -1))).codes).toEqual(['capture/ends-early']);
  });

  test('any mutation neither throws nor loses a byte of the ledger', async () => {
    const whole = storedOf(FILES);
    const change = fc.tuple(fc.integer({ min: 34, max: whole.length - 1 }), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 8 }), async (changes) => {
        const mutated = whole.slice();
        for (const [at, value] of changes) mutated[at] = value;
        await readCapture(bytesSource('a.saz', mutated), () => undefined, { chunkBytes: 61 }).then(({ layers }) =>
          expect(sumLayers(layers)).toBe(mutated.length),
        );
      }),
      { numRuns: 500 },
    );
  });
});

test.each<[string, Files]>([
  ['a zip without requests', { 'raw/1_s.txt': ANSWER }],
  ['a zip with files of such names elsewhere', { 'a/raw/1_c.txt': ask('/a', '') }],
])('%s is not an archive of Fiddler', async (_name, files) => {
  const { steps } = await unwrap(bytesSource('a.zip', archiveOf(files)));
  expect(steps[0]?.files).toEqual(Object.keys(files));
});
