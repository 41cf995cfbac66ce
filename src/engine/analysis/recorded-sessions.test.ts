/** Recordings by proxies as text, from the text to the messages. */
import { describe, expect, test } from 'vitest';
import { bytesSource } from '../bytes/source.ts';
import { readInput } from './read-input.ts';

async function read(text: string | Uint8Array) {
  const messages: string[] = [];
  const times: (number | null)[] = [];
  const bytes = new Uint8Array(Buffer.from(text as string, 'latin1'));
  const input = await readInput(bytesSource('recorded', bytes), {}, ({ direction, method, status, time }, payload) => {
    messages.push(`${direction} ${method} ${status}: ${Buffer.from(payload).toString('latin1')}`);
    times.push(time);
  });
  return { messages, times, kind: input.kind, codes: input.diagnostics.map(({ code }) => code) };
}

const REQUEST = 'POST /a HTTP/2\r\nHost: x\r\nContent-Type: application/x-protobuf\r\n\r\n\n\x02hi';
const RESPONSE = 'HTTP/2 200 OK\r\nContent-Type: application/x-protobuf\r\n\r\n\n\x03y\xffu';
const ASKED = 'request POST /a null: \n\x02hi';
const ANSWERED = 'response POST /a 200: \n\x03y\xffu';

describe('items that Burp Suite saved', () => {
  const DTD = '<!DOCTYPE items [\n<!ELEMENT items (item*)>\n<!ATTLIST items burpVersion CDATA "">\n]>\n';
  const base64 = (text: string): string => `base64="true"><![CDATA[${btoa(text)}]]>`;
  const plain = (text: string): string => `base64="false"><![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
  const item = (request: string, response: string, zone = 'UTC'): string => `  <item>
    <time>Sun Aug 20 17:51:44 ${zone} 2023</time>
    <url><![CDATA[https://x/a]]></url>
    <host ip="10.0.0.1">x</host>
    <request ${request}</request>
    <status>200</status>
    <response ${response}</response>
    <comment></comment>
  </item>\n`;
  const items = (...all: readonly string[]): string =>
    `<?xml version="1.0"?>\n${DTD}<items burpVersion="2023.9.2" exportTime="Mon Aug 21 00:27:10 UTC 2023">\n${all.join('')}</items>`;
  const JSON_REQUEST = 'POST /a HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\r\n{"id":1}';
  const MARKUP = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"a":"<item>]]></item>"}';
  const JSON_MESSAGES = ['request POST /a null: {"id":1}', 'response POST /a 200: {"a":"<item>]]></item>"}'];

  test.each<[string, string, readonly string[]]>([
    ['one, as base64', items(item(base64(REQUEST), base64(RESPONSE))), [ASKED, ANSWERED]],
    ['one, as it is', items(item(plain(JSON_REQUEST), plain(MARKUP))), JSON_MESSAGES],
    [
      'two, and markup in a body',
      items(item(plain(JSON_REQUEST), plain(MARKUP)), item(base64(REQUEST), base64(RESPONSE))),
      [...JSON_MESSAGES, ASKED, ANSWERED],
    ],
    ['without a response', items(item(base64(REQUEST), base64(''))), [ASKED]],
    ['none', items(), []],
    ['of a file that was cut', items(item(base64(REQUEST), base64(RESPONSE))).slice(0, -90), [ASKED]],
  ])('%s', async (_, text, messages) => {
    expect(await read(text)).toMatchObject({ kind: 'capture', messages, codes: [] });
  });

  test('a time counts if its zone is known', async () => {
    const { times } = await read(items(item(base64(REQUEST), ''), item(base64(REQUEST), '', 'ECT')));
    expect(times).toEqual([Date.UTC(2023, 7, 20, 17, 51, 44), null]);
  });
});

describe('a session that Charles exported', () => {
  const headers = [{ name: 'Content-Type', value: 'application/x-protobuf' }];
  const entry = (request: unknown, response: unknown) => ({
    status: 'COMPLETE',
    method: 'POST',
    protocolVersion: 'HTTP/1.1',
    scheme: 'https',
    host: 'x',
    actualPort: 443,
    path: '/a',
    query: null,
    tunnel: false,
    remoteAddress: 'x/10.0.0.1',
    clientAddress: '/127.0.0.1',
    times: { start: '2023-08-20T17:51:44.000+02:00' },
    request,
    response,
  });
  const request = { header: { firstLine: 'POST /a HTTP/1.1', headers }, body: { text: '\n\x02hi' } };
  const response = {
    status: 200,
    header: { firstLine: 'HTTP/1.1 200 OK', headers },
    body: { encoding: 'base64', encoded: btoa('\n\x03y\xffu') },
  };

  test.each<[string, readonly unknown[], readonly string[]]>([
    ['one', [entry(request, response)], [ASKED, ANSWERED]],
    ['two, one without a response', [entry(request, null), entry(request, response)], [ASKED, ASKED, ANSWERED]],
    [
      'bodies that are missing, and one of no base64',
      [entry({ ...request, body: {} }, { ...response, body: { encoded: '!' } })],
      [],
    ],
  ])('%s', async (_, session, messages) => {
    const found = await read(JSON.stringify(session, null, 2));
    expect(found).toMatchObject({ kind: 'capture', messages, codes: [] });
    expect(found.times.every((time) => time === Date.UTC(2023, 7, 20, 15, 51, 44))).toBe(true);
  });

  test('one that was cut is damaged', async () => {
    const text = JSON.stringify([entry(request, response)]).slice(0, -20);
    expect(await read(text)).toMatchObject({ messages: [], codes: ['capture/damaged'] });
  });

  test('other JSON with a status and a method is JSON', async () => {
    const { kind } = await read(JSON.stringify([{ status: 'COMPLETE', method: 'POST', path: '/a' }]));
    expect(kind).toBe('payloads');
  });
});
