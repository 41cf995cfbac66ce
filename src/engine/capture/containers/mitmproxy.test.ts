import { describe, expect, test } from 'vitest';
import { createMitmproxyReader } from './mitmproxy.ts';
import { emptyLayers, sumLayers } from './packets-layers.ts';
import { CaptureLog } from './packets-log.ts';
import { sniffCapture } from './sniff-capture.ts';

type Value = null | boolean | number | string | Uint8Array | readonly Value[] | { readonly [key: string]: Value };

const ascii = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
const join = (parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

/** As mitmproxy writes it; texts as bytes. @param keys type of the keys */
function dump(value: Value, keys = ';'): Uint8Array {
  const item = (data: Uint8Array, type: string): Uint8Array => join([ascii(`${data.length}:`), data, ascii(type)]);
  if (value === null) return item(ascii(''), '~');
  if (typeof value === 'boolean') return item(ascii(String(value)), '!');
  if (typeof value === 'number') return item(ascii(String(value)), Number.isInteger(value) ? '#' : '^');
  if (typeof value === 'string') return item(ascii(value), ',');
  if (value instanceof Uint8Array) return item(value, ';');
  if (Array.isArray(value)) return item(join(value.map((one) => dump(one, keys))), ']');
  const pairs = Object.entries(value).flatMap(([key, one]) => [item(ascii(key), keys), dump(one, keys)]);
  return item(join(pairs), '}');
}

interface Options {
  readonly chunk?: number;
  readonly longestFlow?: number;
}

/** Items that are given, one line for each item, and what was found and spent. */
function read(bytes: Uint8Array, { chunk = 1 << 20, longestFlow = 1 << 20 }: Options = {}) {
  const layers = emptyLayers();
  const log = new CaptureLog(layers);
  const given: string[] = [];
  let contents = 0;
  const content = (start: number, data: Uint8Array): string => {
    contents += data.length;
    const text = Buffer.from(data).toString('latin1');
    expect(Buffer.from(bytes.subarray(start, start + data.length)).toString('latin1')).toBe(text);
    return text;
  };
  const reader = createMitmproxyReader(
    {
      exchange({ method, url, status, transport, ends, request, response }) {
        const [sent, got] = [request, response].map(
          ({ body, time, headers, trailers, statedSize }) =>
            `${time} ${body === null ? `no body of ${statedSize}` : content(body.captureOffset, body.bytes)}${[...headers, ...(trailers ?? [])].map((pair) => ` ${pair.join('=')}`).join('')}`,
        );
        given.push(`${method} ${url} ${transport} ${ends?.join(' ')}`, `  → ${sent}`, `  ← ${status} ${got}`);
      },
      socket({ opened, messages }) {
        for (const { isFromClient, isText, time, captureOffset, bytes: data } of messages) {
          const what = `${isText ? 'text' : 'binary'} ${time} ${content(captureOffset, data)}`;
          given.push(`socket ${opened && `${opened.method} ${opened.url}`} ${isFromClient ? '→' : '←'} ${what}`);
        }
      },
      connection(ends) {
        given.push(`connection ${ends.join(' ')}`);
        return {
          data: (side, data, start, end, at, time) =>
            given.push(`  ${side === 0 ? '→' : '←'} ${time} ${content(at, data.subarray(start, end))}`),
          end: (side) => given.push(`  end ${side}`),
        };
      },
      other: (name, start, end) => given.push(`${name} ${content(start, bytes.subarray(start, end))}`),
    },
    layers,
    log,
    longestFlow,
  );
  for (let at = 0; at < bytes.length; at += chunk) reader.push(bytes.slice(at, at + chunk));
  reader.end();
  expect(sumLayers(layers) + contents).toBe(bytes.length);
  return { given, codes: log.finish().map(({ code }) => code), unattributed: layers.unattributed };
}

const side = (content: Value, more: Readonly<Record<string, Value>> = {}): Value => ({
  timestamp_start: 1.5,
  headers: [['Content-Type', 'a/b']],
  content,
  ...more,
});
const request = { method: 'POST', path: '/a', http_version: 'HTTP/1.1' };
const http = (more: Readonly<Record<string, Value>> = {}): Readonly<Record<string, Value>> => ({
  type: ascii('http'),
  version: 21,
  client_conn: { peername: [ascii('::1'), 50] },
  server_conn: { address: [ascii('host'), 80] },
  request: side('in', request),
  response: side('out', { status_code: 200 }),
  ...more,
});
const PLAIN = ['POST /a http1 [::1]:50 host:80', '  → 1500 in content-type=a/b', '  ← 200 1500 out content-type=a/b'];

describe('a flow', () => {
  test.each<[string, Value, readonly string[]]>([
    ['an exchange', http(), PLAIN],
    ['with a state before a change', http({ backup: http({ request: side('before', request) }) }), PLAIN],
    [
      'at a time that no date has',
      http({ request: side('in', { ...request, timestamp_start: 8.7e12 }) }),
      [PLAIN[0]!, '  → null in content-type=a/b', PLAIN[2]!],
    ],
    ['without an answer', http({ response: null }), [...PLAIN.slice(0, 2), '  ←  null no body of 0']],
    [
      'bodies that were streamed',
      http({
        request: side(null, { ...request, headers: [['content-length', '9']] }),
        response: side(null, { status_code: 200 }),
      }),
      [PLAIN[0]!, '  → 1500 no body of 9 content-length=9', '  ← 200 1500 no body of null content-type=a/b'],
    ],
    [
      'HTTP/2 with trailers, and a header that is repeated',
      http({
        request: side('in', { ...request, http_version: 'HTTP/2.0' }),
        response: side('out', {
          status_code: 200,
          headers: [
            ['a', '1'],
            ['A', '2'],
          ],
          trailers: [['grpc-status', '0']],
        }),
      }),
      [PLAIN[0]!.replace('http1', 'http2'), PLAIN[1]!, '  ← 200 1500 out a=1, 2 grpc-status=0'],
    ],
    [
      'HTTP/3',
      http({ request: side('in', { ...request, http_version: 'HTTP/3' }) }),
      [PLAIN[0]!.replace('http1', 'http3'), ...PLAIN.slice(1)],
    ],
    [
      'of version 0.11',
      {
        type: 'http',
        version: [0, 11],
        client_conn: { address: { address: ['127.0.0.1', 50], use_ipv6: false } },
        server_conn: { address: { address: ['host', 80], use_ipv6: false } },
        request: side('in', { method: 'POST', path: '/a', httpversion: [1, 1] }),
        response: side('out', { code: 200, httpversion: [1, 1] }),
      },
      [PLAIN[0]!.replace('[::1]', '127.0.0.1'), ...PLAIN.slice(1)],
    ],
    [
      'of version 0.14, where content was named body',
      http({ request: { timestamp_start: 1.5, headers: [], body: 'in', ...request } }),
      [PLAIN[0]!, '  → 1500 in', PLAIN[2]!],
    ],
    [
      'a WebSocket',
      http({
        websocket: {
          messages: [
            [2, true, 'ask', 2.5, false, false],
            [1, false, 'reply', 3, false, false],
          ],
        },
      }),
      [...PLAIN, 'socket POST /a → binary 2500 ask', 'socket POST /a ← text 3000 reply'],
    ],
    [
      'a WebSocket of version 7, in a flow of its own',
      {
        type: ascii('websocket'),
        version: 7,
        messages: [
          [2, 1, 'ask', 2.5],
          [1, true, ascii('reply'), 3],
        ],
      },
      ['socket null ← binary 2500 ask', 'socket null → text 3000 reply'],
    ],
    [
      'a TCP connection',
      {
        type: ascii('tcp'),
        client_conn: { peername: [ascii('10.0.0.1'), 50] },
        server_conn: { address: [ascii('host'), 80] },
        messages: [
          [true, 'ask', 2.5],
          [false, 'answer', 3],
        ],
      },
      ['connection 10.0.0.1:50 host:80', '  → 2500 ask', '  ← 3000 answer', '  end 0', '  end 1'],
    ],
    ['datagrams', { type: ascii('udp'), messages: [[true, 'ask', 2.5]] }, ['UDP ask']],
  ])('%s', (_name, flow, expected) => {
    for (const keys of [';', ','])
      expect(read(dump(flow, keys))).toEqual({ given: expected, codes: [], unattributed: 0 });
  });

  test('a flow of a type that is not read is reported', () => {
    const found = read(join([dump({ type: ascii('dns'), request: { questions: [] } }), dump(http())]));
    expect(found).toEqual({ given: PLAIN, codes: ['mitmproxy/unread'], unattributed: 0 });
  });
});

const FILE = [http(), http({ request: side('12:x,', { ...request, method: 'PUT' }) }), http()];
const FLOWS = FILE.map((flow) => dump(flow));
const GIVEN = FILE.map((flow) => read(dump(flow)).given);

describe('a file', () => {
  test('chunks of any size give the same', () => {
    for (const chunk of [1, 2, 3, 50, 1 << 20])
      expect(read(join(FLOWS), { chunk })).toEqual({ given: GIVEN.flat(), codes: [], unattributed: 0 });
  });

  test('a flow that is not well-formed is reported, and the next ones are read', () => {
    const [first, second, third] = FLOWS as [Uint8Array, Uint8Array, Uint8Array];
    const broken = second.slice();
    broken[Buffer.from(second).indexOf('headers') + 'headers;'.length] = 0x39;
    const found = read(join([first, broken, third]));
    const codes = ['mitmproxy/malformed'];
    expect(found).toEqual({ given: [GIVEN[0], GIVEN[2]].flat(), codes, unattributed: second.length });
  });

  test('a flow that is too long is skipped, in chunks of any size', () => {
    const [first, , third] = FLOWS as [Uint8Array, Uint8Array, Uint8Array];
    const long = dump(http({ request: side('x'.repeat(5000), request) }));
    for (const chunk of [1, 700, 1 << 20]) {
      const codes = ['mitmproxy/too-large'];
      const expected = { given: [GIVEN[0], GIVEN[2]].flat(), codes, unattributed: long.length };
      expect(read(join([first, long, third]), { chunk, longestFlow: 1000 })).toEqual(expected);
    }
  });

  test('after bytes that do not begin a flow, the rest is lost', () => {
    const rest = join([ascii('oops'), FLOWS[1]!]);
    const found = read(join([FLOWS[0]!, rest]), { chunk: 9 });
    expect(found).toEqual({ given: GIVEN[0], codes: ['mitmproxy/malformed'], unattributed: rest.length });
  });

  test('cut at any byte, it gives the flows before the cut', () => {
    const whole = join(FLOWS);
    const ends = FLOWS.map((_, n) => join(FLOWS.slice(0, n + 1)).length);
    for (let cut = 0; cut <= whole.length; cut++) {
      const before = ends.filter((end) => end <= cut);
      const left = cut - (before.at(-1) ?? 0);
      expect(read(whole.subarray(0, cut))).toEqual({
        given: GIVEN.slice(0, before.length).flat(),
        codes: left === 0 ? [] : ['capture/ends-early'],
        unattributed: left,
      });
    }
  });
});

test.each<[string, Uint8Array, string | null]>([
  ['a flow', FLOWS[0]!, 'mitmproxy'],
  ['a flow with bytes as keys', dump(FILE[0]!, ','), 'mitmproxy'],
  ['a netstring', ascii('11:hello world,'), null],
  ['a key of another length', ascii('30:5:type;1:2#'), null],
  ['a time of the day', ascii('12:30:type'), null],
])('%s is recognised', (_name, bytes, expected) => {
  expect(sniffCapture(bytes)).toBe(expected);
});
