/** A failed call without a response leaves a finding: gRPC-web and Connect have the error in the body, over every transport. */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { bytesSource } from '../../bytes/source.ts';
import { type Saying, writeConversation } from '../../capture/containers/packets-writer.testing.ts';
import { bytes, says, short } from '../conversation.testing.ts';
import { readCapture } from '../read-capture.ts';

const WEB = 'application/grpc-web+proto';
const WEB_TEXT = 'application/grpc-web-text';
const CONNECT = 'application/connect+proto';

const part = (flag: number, text: string): Uint8Array => bytes([flag, 0, 0, 0, text.length], text);
const base64 = (of: Uint8Array): string => Buffer.from(of).toString('base64');

/** The call that the body answers, and the status of the answer. */
interface Call {
  /** Its content type; absent: that of the answer. */
  readonly type?: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly status: number;
}

const CALL: Call = { headers: [], status: 200 };
const REFUSED: Call = { headers: [['connect-protocol-version', '1']], status: 404 };

/** @param type of the answer; null: it has none */
type Door = (type: string | null, body: Uint8Array, call?: Call) => Promise<Found>;

interface Found {
  /** `severity: message` of the findings, and the status of each message. */
  readonly findings: readonly string[];
  readonly statuses: readonly (string | null)[];
}

const DOORS: Readonly<Record<string, Door>> = {
  async 'HTTP/1.1'(type, body, { type: asked = type, headers, status } = CALL) {
    const lines = headers.map((header) => `${header.join(': ')}\r\n`).join('');
    const typed = type === null ? '' : `Content-Type: ${type}\r\n`;
    const asks = `POST /p.S/M HTTP/1.1\r\n${lines}Content-Type: ${asked}\r\nContent-Length: 0\r\n\r\n`;
    const answers = `HTTP/1.1 ${status} Said\r\n${typed}Content-Length: ${body.length}\r\n\r\n`;
    return found([says(0, asks), says(1, answers, body)]);
  },
  async 'HTTP/2'(type, body, { type: asked = type, headers, status } = CALL) {
    const literal = (name: string, value: string) => bytes([0, ...short(name), ...short(value)]);
    const frame = (kind: number, flags: number, of: Uint8Array) =>
      bytes([0, 0, of.length, kind, flags, 0, 0, 0, kind === 4 ? 0 : 1], of);
    const settings = frame(4, 0, bytes(''));
    const typed = (by: string | null) => (by === null ? bytes('') : literal('content-type', by));
    const others = headers.map(([name, value]) => literal(name, value));
    const asks = frame(1, 5, bytes([0x83], literal(':path', '/p.S/M'), typed(asked), ...others));
    const answers = bytes(frame(1, 4, bytes(literal(':status', `${status}`), typed(type))), frame(0, 1, body));
    return found([says(0, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', settings, asks), says(1, settings, answers)]);
  },
  async HAR(type, body, { type: asked = type, headers, status } = CALL) {
    const content = { mimeType: type ?? '', encoding: 'base64', text: base64(body) };
    const sent = [...headers, ['content-type', asked] as const].map(([name, value]) => ({ name, value }));
    const entry = {
      request: { method: 'POST', url: 'https://x/p.S/M', headers: sent, bodySize: 0 },
      response: { status, headers: [], content },
    };
    const text = JSON.stringify({ log: { version: '1.2', entries: [entry] } });
    return foundIn(bytes(text));
  },
};

async function foundIn(file: Uint8Array): Promise<Found> {
  const statuses: (string | null)[] = [];
  const { diagnostics } = await readCapture(bytesSource('made', file), ({ direction, status }) => {
    if (direction === 'response') statuses.push(status);
  });
  return { findings: diagnostics.map(({ severity, message }) => `${severity}: ${message}`), statuses };
}

const found = (sayings: readonly Saying[]): Promise<Found> => foundIn(writeConversation(sayings));

describe.each(Object.entries(DOORS))('%s', (_door, door) => {
  test.each<[string, string, Uint8Array, string | null]>([
    ['gRPC-web', WEB, part(0x80, 'grpc-status:5\r\ngrpc-message:no\r\n'), 'grpc-status 5 (NOT_FOUND)'],
    ['gRPC-web, as grpcwebproxy writes it', WEB, part(0x80, 'Grpc-Status: 14\r\n'), 'grpc-status 14 (UNAVAILABLE)'],
    ['gRPC-web in base64', WEB_TEXT, bytes(base64(part(0x80, 'grpc-status: 7'))), 'grpc-status 7 (PERMISSION_DENIED)'],
    ['gRPC-web without an error', WEB, part(0x80, 'grpc-status:0\r\n'), null],
    ['gRPC-web behind a message', WEB, bytes(part(0, 'hi'), part(0x80, 'grpc-status:5\r\n')), null],
    ['Connect', CONNECT, part(2, '{"error":{"code":"not_found","message":"no"}}'), 'the error not_found'],
    [
      'Connect, compressed',
      CONNECT,
      part(3, gzipSync('{"error":{"code":"not_found"}}').toString('latin1')),
      'the error not_found',
    ],
    [
      'gRPC-web, compressed',
      WEB,
      part(0x81, gzipSync('grpc-status:5\r\n').toString('latin1')),
      'grpc-status 5 (NOT_FOUND)',
    ],
    ['gRPC-web, without an error in two digits', WEB, part(0x80, 'grpc-status:00\r\n'), null],
    ['Connect without an error', CONNECT, part(2, '{}'), null],
    ['Connect behind a message', CONNECT, bytes(part(0, 'hi'), part(2, '{"error":{"code":"internal"}}')), null],
    ['Connect with an end that is not JSON', CONNECT, part(2, '{"error'), null],
  ])('%s', async (_name, type, body, error) => {
    const expected = `info: The call /p.S/M ended with ${error} and without a response.`;
    expect((await door(type, body)).findings).toEqual(error === null ? [] : [expected]);
  });

  test.each<[string, string, string, string]>([
    ['its code', 'application/json', '{"code":"not_found","message":"no"}', 'the error not_found'],
    ['JSON without a code', 'application/json', '{}', 'HTTP status 404'],
    ['a list', 'application/json', '[]', 'HTTP status 404'],
    ['null', 'application/json', 'null', 'HTTP status 404'],
    ['the page of a proxy', 'text/html', '<p>no</p>', 'HTTP status 404'],
    ['without a body', 'application/json', '', 'HTTP status 404'],
  ])('a call of Connect that an error of HTTP answered: %s', async (_name, type, body, error) => {
    const text = `info: The call /p.S/M ended with ${error} and without a response.`;
    expect(await door(type, bytes(body), REFUSED)).toEqual({ findings: [text], statuses: [] });
  });

  test.each(
    ['application/grpc', WEB, WEB_TEXT, 'application/proto', CONNECT].flatMap((asked) =>
      ['text/html', 'application/json', null].flatMap((type) =>
        ['', 'no upstream'].map((body) => [asked, type, body] as const),
      ),
    ),
  )('a call of %s that a proxy answered, with the type %s and the body “%s”', async (asked, type, body) => {
    const text = 'info: The call /p.S/M ended with HTTP status 503 and without a response.';
    const call = { type: asked, headers: [], status: 503 };
    expect(await door(type, bytes(body), call)).toEqual({ findings: [text], statuses: [] });
  });

  test.each([
    ['a request that is not a call', 'application/json', 'text/html', 503],
    ['a call of gRPC-web with a response', WEB, WEB, 503],
    ['a call of gRPC with the HTTP status 200', 'application/grpc', 'text/html', 200],
  ])('no call that HTTP answered with an error: %s', async (_name, asked, type, status) => {
    expect((await door(type, bytes(''), { type: asked, headers: [], status })).findings).toEqual([]);
  });

  test.each<[string, string, Uint8Array, string]>([
    ['gRPC-web', WEB, part(0x80, 'grpc-status:8\r\n'), '8'],
    ['gRPC-web without an error', WEB, part(0x80, 'grpc-status:0\r\n'), '200'],
    ['Connect', CONNECT, part(2, '{"error":{"code":"resource_exhausted"}}'), 'resource_exhausted'],
    ['Connect without an error', CONNECT, part(2, '{}'), '200'],
    ['Connect without its end', CONNECT, bytes(), '200'],
  ])('the last message has the error that follows it: %s', async (_name, type, end, status) => {
    const { findings, statuses } = await door(type, bytes(part(0, 'hi'), part(0, 'ho'), end));
    expect([findings, statuses]).toEqual([[], ['200', status]]);
  });
});

test('a call whose answer was not recorded has no error', async () => {
  expect((await DOORS['HAR']!(null, bytes(''), { type: WEB, headers: [], status: 0 })).findings).toEqual([]);
});
