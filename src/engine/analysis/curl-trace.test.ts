/** Traces by curl, from the text to the messages. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bytesSource } from '../bytes/source.ts';
import { curlTrace } from '../capture/text/curl-trace.ts';
import type { InputChoice } from '../frame/payload.ts';
import { readInput } from './read-input.ts';

/** A block as curl writes it: rows of 16 bytes, the text beside them. */
function block(what: string, text: string, { time = '', rows = Number.POSITIVE_INFINITY } = {}): string {
  const lines = [`${time}${what}, ${text.length} bytes (0x${text.length.toString(16)})`];
  for (let at = 0; at < text.length && at / 16 < rows; at += 16) {
    const part = text.slice(at, at + 16);
    const digits = Buffer.from(part, 'latin1').toString('hex').replace(/../g, '$& ');
    lines.push(`${at.toString(16).padStart(4, '0')}: ${digits.padEnd(48)}${part.replace(/[^ -~]/g, '.')}`);
  }
  return `${lines.join('\n')}\n`;
}

const head = (lines: readonly string[]): string => [...lines, '', ''].join('\r\n');
const SENT = head(['POST /a HTTP/1.1', 'Host: x:80', 'Content-Type: application/x-protobuf', 'Content-Length: 4']);
const ANSWER = head(['HTTP/1.1 200 OK', 'Content-Type: application/x-protobuf']);
const CHUNKED = head(['HTTP/1.1 200 OK', 'Content-Type: application/x-protobuf', 'Transfer-Encoding: chunked']);
const STREAM = CHUNKED.replace('x-protobuf', 'grpc-web+proto');
const REQUEST = block('=> Send header', SENT) + block('=> Send data', '\n\x02hi');
const PROXIED = block('=> Send header', SENT.replace('/a', 'http://x:80/a')) + block('=> Send data', '\n\x02hi');
const response = (...heads: readonly string[]): string =>
  heads.flatMap((one) => one.split(/(?<=\n)/).map((line) => block('<= Recv header', line))).join('');
const data = (text: string): string => block('<= Recv data', text);

async function read(text: string | Uint8Array, choice: InputChoice = {}) {
  const messages: string[] = [];
  const bytes = new Uint8Array(Buffer.from(text));
  const input = await readInput(
    bytesSource('trace.txt', bytes),
    choice,
    ({ transport, direction, method, status }, payload) =>
      messages.push(`${transport} ${direction} ${method} ${status}: ${Buffer.from(payload).toString('latin1')}`),
  );
  return { messages, kind: input.kind, codes: input.diagnostics.map(({ code }) => code) };
}

const ASKED = 'har request POST /a null: \n\x02hi';
const ANSWERED = 'har response POST /a 200: \n\x03you';

describe('requests and their responses', () => {
  test.each<[string, string, readonly string[], readonly string[]]>([
    ['one', `== Info: Connected\n${REQUEST}${response(ANSWER)}${data('\n\x03you')}`, [ASKED, ANSWERED], []],
    ['two', (REQUEST + response(ANSWER) + data('\n\x03you')).repeat(2), [ASKED, ANSWERED, ASKED, ANSWERED], []],
    [
      'with times, and records of TLS between them',
      block('=> Send SSL data', '\x17\x03\x03\x00\x01', { time: '10:00:00.000001 ' }) +
        block('=> Send header', SENT, { time: '10:00:00.000002 ' }) +
        block('=> Send SSL data', 'abcde', { time: '10:00:00.000003 ' }) +
        block('=> Send data', '\n\x02hi', { time: '10:00:00.000004 ' }),
      [ASKED],
      [],
    ],
    ['through a proxy', PROXIED + response(ANSWER) + data('\n\x03you'), [ASKED, ANSWERED], []],
    ['a response in two blocks', REQUEST + response(ANSWER) + data('\n\x03y') + data('ou'), [ASKED, ANSWERED], []],
    [
      'with chunks',
      REQUEST + response(CHUNKED) + data('2;x\r\n\n\x03\r\n') + data('3\r\nyou\r\n0\r\n\r\n'),
      [ASKED, ANSWERED],
      [],
    ],
    ['chunks that were taken out', REQUEST + response(CHUNKED) + data('\n\x03you'), [ASKED, ANSWERED], []],
    [
      'behind an interim response',
      REQUEST + response(head(['HTTP/1.1 100 Continue']), ANSWER) + data('\n\x03you'),
      [ASKED, ANSWERED],
      [],
    ],
    [
      'the end within a block',
      block('=> Send header', SENT) + block('=> Send data', '\n\x1e'.padEnd(32, 'x'), { rows: 1 }),
      [],
      ['http/cut'],
    ],
    [
      'the end before a body',
      block('=> Send header', SENT) + block('=> Send data', 'hi', { rows: 0 }),
      [],
      ['http/no-contents'],
    ],
    [
      'the end before all of the stated length',
      REQUEST.replace('0a 02 68 69', '0a 02 68').replace('data, 4', 'data, 3'),
      [],
      ['http/cut'],
    ],
    ['the end behind a chunk', REQUEST + response(CHUNKED) + data('5\r\n\n\x03you\r\n'), [ASKED], ['http/cut']],
    [
      'the end within a later chunk',
      REQUEST + response(CHUNKED) + data('2\r\n\n\x03\r\n') + data('3\r\nyo'),
      [ASKED],
      ['http/cut'],
    ],
    [
      'the end behind the size of the first chunk',
      REQUEST + response(CHUNKED) + data('5\r\n'),
      [ASKED],
      ['http/no-contents'],
    ],
    [
      'an empty body in chunks',
      REQUEST + response(CHUNKED) + data('0\r\n\r\n'),
      [ASKED, 'har response POST /a 200: '],
      [],
    ],
    [
      'the end of a stream: its whole messages are read',
      REQUEST + response(STREAM) + data('7\r\n\0\0\0\0\x02\n\0\r\n') + data('9\r\n\0\0\0\0\x02\n\0\0\0\r\n'),
      [ASKED, 'grpc-web response POST /a 200: \n\0', 'grpc-web response POST /a 200: \n\0'],
      ['http/cut', 'grpc/incomplete'],
    ],
  ])('%s', async (_name, text, messages, codes) => {
    const all = await read(text);
    expect(all).toEqual({ kind: 'capture', messages, codes });
  });

  test('a call of gRPC over HTTP/2, as curl 7.88.1 wrote it', async () => {
    const trace = readFileSync(new URL('../../../fixtures/capture/curl-grpc.trace.txt', import.meta.url));
    const { messages } = await read(trace);
    expect(messages).toEqual([
      'grpc request /grpc.examples.echo.Echo/UnaryEcho null: \n\x05hello',
      'grpc response /grpc.examples.echo.Echo/UnaryEcho 0: \n\x05hello',
    ]);
  });
});

test('through a proxy, the address is the one that was asked for, and headers begin behind the first line', () => {
  const har = JSON.parse(new TextDecoder().decode(curlTrace.read!(new TextEncoder().encode(PROXIED)).bytes));
  const { url, headers } = har.log.entries[0].request;
  expect([url, headers[0]]).toEqual(['http://x:80/a', { name: 'Host', value: 'x:80' }]);
});

test('the trace is a dump of bytes if that is chosen; without bytes it is text', async () => {
  const dump = await read(REQUEST, { textEncoding: 'hexdump', framing: 'single' });
  expect(dump.kind).toBe('payloads');
  const ascii = '=> Send header, 20 bytes (0x14)\n0000: POST /a HTTP/1.1\n0012: \n';
  expect((await read(ascii)).kind).toBe('payloads');
});
