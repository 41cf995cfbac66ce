/** Traces of Envoy's tap, from the file to the messages. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { bytesSource } from '../bytes/source.ts';
import { createEnvoyTapReader } from '../capture/containers/envoy-tap.ts';
import { emptyLayers, sumLayers } from '../capture/containers/packets-layers.ts';
import { CaptureLog } from '../capture/containers/packets-log.ts';
import { isEnvoyTap } from '../capture/containers/sniff-capture.ts';
import { readCapture } from './read-capture.ts';
import { joinedTraces } from './unwrap/capture-inside.ts';
import { unwrap } from './unwrap/unwrap.ts';

const fixture = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../../fixtures/capture/${name}`, import.meta.url)));
const join = (...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array =>
  new Uint8Array(Buffer.concat(parts.map((part) => Uint8Array.from(part))));
const varint = (value: number): number[] => (value < 128 ? [value] : [(value % 128) + 128, ...varint(value >> 7)]);
const number = (field: number, value: number): Uint8Array => join(varint(field * 8), varint(value));
const record = (field: number, ...contents: readonly (Uint8Array | string)[]): Uint8Array => {
  const bytes = join(...contents.map((one) => (typeof one === 'string' ? Buffer.from(one, 'latin1') : one)));
  return join(varint(field * 8 + 2), varint(bytes.length), bytes);
};

const header = (field: number, text: string): Uint8Array => {
  const [, name, value] = /^(:?[^:]+): (.*)$/.exec(text)!;
  return record(field, record(1, name!), record(2, value!));
};
const headers = (field: number, ...list: readonly string[]): Uint8Array[] => list.map((one) => header(field, one));
const body = (field: number, text: string, isCut = false): Uint8Array =>
  record(field, record(1, text), ...(isCut ? [number(3, 1)] : []));
const asString = (field: number, text: string): Uint8Array => record(field, record(2, text));
const time = (field: number, seconds: number): Uint8Array => record(field, number(1, seconds), number(2, 500_000_000));
const address = (field: number, host: string, port: number): Uint8Array =>
  record(field, record(1, record(2, host), number(3, port)));
const pipe = (field: number, path: string): Uint8Array => record(field, record(2, record(1, path)));
const PROTO = 'content-type: application/x-protobuf';
const GRPC = 'content-type: application/grpc';
const ENDS = record(3, address(1, '10.0.0.1', 80), address(2, '::1', 5));
const ASK = [':path: /a', ':method: POST', PROTO] as const;
const CALL = [':path: /a.B/C', ':method: POST', GRPC] as const;

const exchange = (request: readonly Uint8Array[], response: readonly Uint8Array[], ...more: readonly Uint8Array[]) =>
  record(1, record(1, ...request), record(2, ...response), ...more);
const segment = (id: number, ...piece: readonly Uint8Array[]): Uint8Array => record(2, number(1, id), ...piece);
const event = (field: number, at: number, ...what: readonly Uint8Array[]): Uint8Array =>
  record(field, time(1, at), ...what);
const got = (text: string, isCut = false): Uint8Array => record(2, body(1, text, isCut));
const sent = (text: string, isCut = false): Uint8Array => record(3, body(1, text, isCut));
const delimited = (...traces: readonly Uint8Array[]): Uint8Array =>
  join(...traces.flatMap((one) => [varint(one.length), one]));

async function read(bytes: Uint8Array, { chunkBytes = 1 << 20, name = 'tap' } = {}) {
  const { source, steps } = await unwrap(bytesSource(name, bytes));
  const messages: string[] = [];
  const facts = await readCapture(
    source,
    ({ transport, direction, method, status, time: at, flow }, payload) => {
      const text = Buffer.from(payload).toString('latin1');
      messages.push(`${transport} ${direction} ${method} ${status} ${at} ${flow}: ${text}`);
    },
    { chunkBytes },
  );
  expect(sumLayers(facts.layers)).toBe(source.size);
  const found = facts.diagnostics.map(({ code, message }) => `${code} ${message}`);
  return { messages, found, facts, steps: steps.map(({ id }) => id) };
}

const HTTP = exchange(
  [...headers(1, ...ASK), body(2, '\n\x02hi'), time(4, 3)],
  [...headers(1, ':status: 200', PROTO), body(2, '\n\x03you'), time(4, 4)],
  ENDS,
);
const HTTP_MESSAGES = [
  'envoy-tap request POST /a null 3500 [::1]:5 → 10.0.0.1:80: \n\x02hi',
  'envoy-tap response POST /a 200 4500 10.0.0.1:80 → [::1]:5: \n\x03you',
];
const GRPC_REQUEST = '\0\0\0\0\x02\b\x01';

test.each<[string, Uint8Array]>([
  ['without a size', HTTP],
  ['after its size', delimited(HTTP)],
])('an exchange %s: all but its bodies is the container', async (_name, file) => {
  for (const chunkBytes of [1, 7, file.length]) {
    const { messages, found, facts } = await read(file, { chunkBytes });
    expect([messages, found]).toEqual([HTTP_MESSAGES, []]);
    expect([facts.layers.message, facts.layers.container]).toEqual([9, file.length - 9]);
  }
});

test.each<[string, Uint8Array, readonly string[], readonly string[]]>([
  [
    'traces one after another, with a rate of samples between them',
    join(HTTP, record(5, number(1, 1)), HTTP),
    [...HTTP_MESSAGES, ...HTTP_MESSAGES],
    [],
  ],
  [
    'a call of gRPC, and its status behind the body',
    exchange(
      [...headers(1, ...CALL), body(2, GRPC_REQUEST)],
      [...headers(1, ':status: 200', GRPC), body(2, GRPC_REQUEST), ...headers(3, 'grpc-status: 5')],
    ),
    ['grpc request /a.B/C null null null: \b\x01', 'grpc response /a.B/C 5 null null: \b\x01'],
    [],
  ],
  [
    'a cut body of one message, and one without any byte of it',
    exchange(
      [...headers(1, ...ASK), body(2, '\n\x09hi', true)],
      [...headers(1, ':status: 200', PROTO), record(2, number(3, 1))],
      ENDS,
    ),
    [],
    [
      'http/cut The body of POST /a was recorded in part, 4 bytes of it: it cannot be read. Not read: 4 bytes of [::1]:5 → 10.0.0.1:80.',
      'http/no-contents The body of the response to POST /a was recorded without its contents, and its size is not stated: it cannot be read.',
    ],
  ],
  [
    'a cut body of gRPC: its messages before the cut',
    exchange(
      [...headers(1, ...CALL), body(2, `${GRPC_REQUEST}\0\0\0\0\x09`, true)],
      headers(1, ':status: 200', GRPC, 'grpc-status: 0'),
    ),
    ['grpc request /a.B/C null null null: \b\x01'],
    [
      'http/cut The body of POST /a.B/C was recorded in part, 12 bytes of it: only messages that are whole in it are read.',
      'grpc/incomplete The last message of /a.B/C is not whole. Not read: 5 bytes of the file.',
    ],
  ],
  [
    'segments of two traces at once, a message across two of them',
    delimited(
      segment(1, record(2, ...headers(1, ...CALL))),
      segment(2, record(2, ...headers(1, ...ASK))),
      segment(1, body(3, GRPC_REQUEST.slice(0, 6))),
      segment(2, body(3, '\n\x02')),
      segment(2, body(3, 'hi')),
      segment(1, body(3, GRPC_REQUEST.slice(6))),
      segment(1, record(4, ...headers(1, 'x: y'))),
      segment(2, record(5, ...headers(1, ':status: 204'))),
      segment(1, record(5, ...headers(1, ':status: 200', GRPC))),
      segment(1, body(6, GRPC_REQUEST)),
      segment(1, record(7, ...headers(1, 'grpc-status: 0'))),
    ),
    [
      'grpc request /a.B/C null null null: \b\x01',
      'grpc response /a.B/C 0 null null: \b\x01',
      'envoy-tap request POST /a null null null: \n\x02hi',
    ],
    [],
  ],
  [
    'segments behind a cut one',
    delimited(
      segment(1, record(2, ...headers(1, ...ASK))),
      segment(1, body(3, '\n\x09', true)),
      segment(1, body(3, 'hi')),
    ),
    [],
    [
      'envoy-tap/cut Bytes before these were not recorded. Not read: 2 bytes of the file.',
      'http/cut The body of POST /a was recorded in part, 2 bytes of it: it cannot be read. Not read: 2 bytes of the file.',
    ],
  ],
  [
    'segments without the headers before them',
    delimited(
      segment(2, record(2, ...headers(1, ...ASK))),
      segment(1, body(3, 'hi')),
      segment(1, record(5, ...headers(1, ':status: 200', PROTO))),
      segment(1, body(6, '\n\x03you')),
    ),
    ['envoy-tap response  / 200 null null: \n\x03you'],
    [
      'envoy-tap/cut The headers before these bytes were not recorded, or are no longer held. Not read: 2 bytes of the file.',
    ],
  ],
  [
    'a string that lost bytes, and one that did not',
    join(
      exchange([...headers(1, ...ASK), asString(2, '\n\x02h ')], headers(1, ':status: 204')),
      exchange([...headers(1, ...ASK), asString(2, '\n\x02hi')], headers(1, ':status: 204')),
    ),
    ['envoy-tap request POST /a null null null: \n\x02h ', 'envoy-tap request POST /a null null null: \n\x02hi'],
    [
      'envoy-tap/as-string A body of this trace was recorded as a string, in which Envoy writes a space for each byte that is not UTF-8: what is read may differ from what was sent. JSON_BODY_AS_BYTES keeps all bytes.',
    ],
  ],
  [
    'a socket that Envoy opened',
    record(
      3,
      number(1, 9),
      record(2, address(1, '10.0.0.1', 5), address(2, '10.0.0.2', 80)),
      event(3, 1, sent('POST /a HTTP/1.1\r\nContent-Type: application/x-protobuf\r\nContent-Length: 4\r\n\r\n')),
      event(3, 2, sent('\n\x02hi')),
      event(3, 3, got('HTTP/1.1 204 No Content\r\n\r\n')),
      event(3, 4, record(4)),
    ),
    ['http1 request POST /a null 1500 10.0.0.1:5 → 10.0.0.2:80: \n\x02hi'],
    [],
  ],
  [
    'segments of a socket that the other end opened, its bytes cut',
    delimited(
      record(4, number(1, 9), record(2, pipe(1, '/run/envoy'), address(2, '10.0.0.2', 80))),
      record(4, number(1, 9), event(3, 1, got('POST /a HTTP/1.1\r\nContent-Type: application/x-protobuf\r\n'))),
      record(4, number(1, 9), record(4, event(1, 2, got('Content-Length: 4\r\n\r\n')), event(1, 2, got('\n\x02hi')))),
      record(4, number(1, 9), event(3, 3, got('POST', true))),
      record(4, number(1, 9), event(3, 4, got(' /b'))),
      record(4, number(1, 9), event(3, 5, record(4))),
    ),
    ['http1 request POST /a null 1500 10.0.0.2:80 → unix:/run/envoy: \n\x02hi'],
    [
      'envoy-tap/cut Bytes of 10.0.0.2:80 → unix:/run/envoy were recorded in part; what follows is not read. max_buffered_rx_bytes and max_buffered_tx_bytes of the tap say how much is recorded.',
      'envoy-tap/cut Bytes before these were not recorded. Not read: 3 bytes of the file.',
      'http1/incomplete The stream ends within the header of an HTTP message. Not read: 4 bytes of 10.0.0.2:80 → unix:/run/envoy.',
    ],
  ],
  [
    'a trace that is not well-formed',
    join(HTTP, record(1, '\xff'), HTTP),
    [...HTTP_MESSAGES, ...HTTP_MESSAGES],
    ['envoy-tap/malformed This trace is not well-formed; reading continues after it. Not read: 3 bytes of the file.'],
  ],
  [
    'a body that is not well-formed, and one beside it',
    exchange([...headers(1, ...ASK), record(2, '\xff')], [...headers(1, ':status: 200', PROTO), body(2, '\n\x03you')]),
    ['envoy-tap response POST /a 200 null null: \n\x03you'],
    [
      'http/no-contents The body of POST /a was recorded without its contents, and its size is not stated: it cannot be read.',
      'envoy-tap/malformed A part of this trace is not well-formed and is not read, the rest of it is.',
    ],
  ],
  [
    'headers of a segment that are not well-formed',
    delimited(
      segment(1, record(2, ...headers(1, ...ASK))),
      segment(1, body(3, '\n\x02hi')),
      segment(1, record(5, '\xff')),
    ),
    ['envoy-tap request POST /a null null null: \n\x02hi'],
    ['envoy-tap/malformed A part of this trace is not well-formed and is not read, the rest of it is.'],
  ],
  [
    'the end within a trace',
    join(HTTP, HTTP.slice(0, -1)),
    HTTP_MESSAGES,
    [`capture/ends-early The file ends within a trace. Not read: ${HTTP.length - 1} bytes of the file.`],
  ],
  [
    'other bytes behind a trace',
    join(HTTP, [0x08, 1]),
    HTTP_MESSAGES,
    ['envoy-tap/malformed No trace begins here; the rest of the file is not read. Not read: 2 bytes of the file.'],
  ],
])('%s', async (_name, file, messages, found) => {
  const all = await read(file);
  expect(all.messages).toEqual(messages);
  expect(all.found).toEqual(found);
});

test('more traces without trailers than are open at once: their bodies are whole', async () => {
  const traces = Array.from({ length: 4100 }, (_, id) => [
    segment(id + 1, record(2, ...headers(1, ...ASK))),
    segment(id + 1, body(3, '\n\x02hi')),
    segment(id + 1, record(5, ...headers(1, ':status: 200', PROTO))),
    segment(id + 1, body(6, '\n\x03you')),
  ]);
  const { messages, found } = await read(delimited(...traces.flat()));
  expect([messages.length, found]).toEqual([8200, []]);
});

test('the trace that was idle longest is given first', async () => {
  const first = (id: number) => segment(id, record(2, ...headers(1, ...ASK)));
  const others = Array.from({ length: 4095 }, (_, n) => first(n + 2));
  const traces = [first(1), ...others, segment(1, body(3, '\n\x02')), first(5000), segment(1, body(3, 'hi'))];
  const { messages, found } = await read(delimited(...traces));
  expect([messages, found]).toEqual([['envoy-tap request POST /a null null null: \n\x02hi'], []]);
});

test('bodies of open traces are held up to a limit; those of the stated size are whole', () => {
  const layers = emptyLayers();
  const given: string[] = [];
  const sink = {
    exchange: ({ url, request }: { url: string; request: { body: { isCut?: boolean } | null } }) =>
      given.push(`${url} ${request.body?.isCut}`),
    connection: () => ({ data: () => {}, end: () => {} }),
  };
  const reader = createEnvoyTapReader(sink, layers, new CaptureLog(layers));
  const large = 'x'.repeat(33 << 20);
  for (const [id, more] of [[], [`content-length: ${33 << 20}`], ['content-length: 99999999'], []].entries()) {
    reader.push(delimited(segment(id, record(2, ...headers(1, `:path: /${id}`, ...more)))));
    reader.push(delimited(segment(id, body(3, large))));
  }
  expect(given).toEqual(['/0 true', '/1 false', '/2 true']);
  reader.end();
  expect(given.at(-1)).toBe('/3 false');
});

test('events of a socket in any order: each byte is in a layer', async () => {
  const pieces = [
    got('POST /a'),
    sent('HTTP/1.1 204'),
    record(4),
    got('x', true),
    record(5, address(1, '::1', 5)),
    got(''),
  ];
  const one = fc.tuple(fc.integer({ min: 1, max: 2 }), fc.boolean(), fc.array(fc.constantFrom(...pieces)));
  const connection = record(2, address(1, '10.0.0.1', 5), address(2, '10.0.0.2', 80));
  const begin = record(4, number(1, 1), connection);
  await fc.assert(
    fc.asyncProperty(fc.array(one), async (segments) => {
      const rest = segments.map(([id, isList, events]) => {
        const list = events.map((what) => event(isList ? 1 : 3, 1, what));
        return record(4, number(1, id), ...(isList ? [record(4, ...list)] : list));
      });
      await read(delimited(begin, ...rest));
    }),
  );
});

describe('JSON', () => {
  const json = (value: unknown): string => JSON.stringify(value, null, 1);
  const side = (list: readonly string[], text: unknown) => ({
    headers: list.map((one) => {
      const [, key, value] = /^(:?[^:]+): (.*)$/.exec(one)!;
      return { key, value, raw_value: '' };
    }),
    body: text,
    trailers: [],
    headers_received_time: '1970-01-01T00:00:03.5Z',
  });
  const bytes = (text: string) => ({ as_bytes: Buffer.from(text, 'latin1').toString('base64'), truncated: false });
  const socket = (host: string, port: number) => ({ socket_address: { address: host, port_value: port } });
  const trace = {
    http_buffered_trace: {
      request: side(ASK, bytes('\n\x02hi')),
      response: {
        ...side([':status: 200', PROTO], bytes('\n\x03you')),
        headers_received_time: '1970-01-01T00:00:04.5Z',
      },
      downstream_connection: { local_address: socket('10.0.0.1', 80), remote_address: socket('::1', 5) },
    },
  };
  const camel = json(trace).replace(/"[a-z_]+":/g, (name) =>
    name.replace(/_([a-z])/g, (_, one: string) => one.toUpperCase()),
  );
  const asText = {
    http_buffered_trace: { request: side(ASK, { as_string: '\n\x03\u00e9i' }), response: side([':status: 204'], null) },
  };
  const segmentOf = (trace_id: string, piece: unknown) =>
    json({ http_streamed_trace_segment: { trace_id, ...(piece as object) } });

  test.each<[string, string, readonly string[], readonly string[]]>([
    ['a trace', json(trace), HTTP_MESSAGES, []],
    ['traces one after another', `${json(trace)}${json(trace)}\n`, [...HTTP_MESSAGES, ...HTTP_MESSAGES], []],
    ['a body as a string', json(asText), ['envoy-tap request POST /a null 3500 null: \n\x03Ã©i'], []],
    [
      'ids of 64 bits that differ in the last one',
      [
        segmentOf('18446744073709551615', { request_headers: side(ASK, null) }),
        segmentOf('18446744073709551614', { request_headers: side(ASK, null) }),
        segmentOf('18446744073709551615', { request_body_chunk: bytes('\n\x02hi') }),
      ].join('\n'),
      ['envoy-tap request POST /a null null null: \n\x02hi'],
      [],
    ],
    [
      'one that is not whole at the end, with braces in a text',
      `${json(trace)}{"http_buffered_trace": {"request": "}\\"}"`,
      HTTP_MESSAGES,
      [
        'envoy-tap/malformed This trace is not well-formed; reading continues after it. Not read: 44 bytes of the file.',
      ],
    ],
  ])('%s', async (_name, text, messages, found) => {
    const all = await read(new Uint8Array(Buffer.from(text)));
    expect([all.messages, all.found, all.steps]).toEqual([messages, found, ['envoy']]);
  });

  test('names in camel case', async () => {
    const all = await read(new Uint8Array(Buffer.from(camel)));
    expect([all.messages, all.steps]).toEqual([HTTP_MESSAGES, ['envoy']]);
  });
});

describe('an archive', () => {
  const notes = new Uint8Array(Buffer.from('Recorded on the second node.'));
  const traces = {
    'tap/a_1.pb': HTTP,
    'tap/a_2.pb_length_delimited': delimited(HTTP, HTTP),
    'tap/a_3.pb': HTTP.slice(0, -1),
  };

  test('its traces are one capture; other files are beside them, and a broken one costs no other', async () => {
    const archive = zipSync({ 'tap/a_0.pb': HTTP, ...traces, 'notes.txt': notes });
    const { source, steps, diagnostics } = await unwrap(bytesSource('taps.zip', archive));
    expect(steps.map(({ id }) => id)).toEqual(['zip']);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'The 4 files with traces of Envoy in the archive are read as one capture. One other file is not read: notes.txt.',
    ]);
    const { messages, found } = await read(await source.read(0, source.size));
    expect(messages).toEqual(Array(4).fill(HTTP_MESSAGES).flat());
    expect(found.map((one) => one.split(' ', 1)[0])).toEqual(['envoy-tap/malformed']);
  });

  test('traces as JSON, as Envoy 1.40 wrote them', async () => {
    const { messages, steps } = await read(fixture('envoy-json.zip'), { name: 'taps.zip' });
    expect(steps).toEqual(['zip']);
    expect(messages).toHaveLength(15);
  });

  /** Files that begin with these bytes, and the sizes of what is read of them. */
  function archiveOf(...each: readonly (readonly [bytes: Uint8Array, size: number])[]) {
    const sizes: number[] = [];
    const startOf = (n: number): number => each.slice(0, n).reduce((sum, [, size]) => sum + size, 0);
    const files = each.map(([bytes], n) => ({ path: `${n}.pb`, bytes, start: startOf(n), end: startOf(n + 1) }));
    const source = {
      name: 'taps.tar',
      size: startOf(each.length),
      read: async (start: number, end: number) => {
        sizes.push(end - start);
        return join(
          files.find((file) => file.start === start)!.bytes,
          new Uint8Array(Math.min(end - start, 1 << 14)),
        ).slice(0, end - start);
      },
    };
    return { source, files, sizes };
  }

  test('traces beyond a limit of memory are reported, and not read', async () => {
    const { source, files, sizes } = archiveOf([HTTP, HTTP.length], [HTTP, HTTP.length], [HTTP, 300 << 20]);
    const { bytes, beside } = (await joinedTraces(source, files, files, {}))!;
    expect(bytes).toEqual(join(HTTP, HTTP));
    expect(beside.map(({ severity, message }) => `${severity} ${message}`)).toEqual([
      'warning The first of the 3 files with traces of Envoy in the archive are read as one capture, up to 268,435,456 bytes of them. One other file is not read: 2.pb.',
    ]);
    expect(Math.max(...sizes)).toBe(1 << 14);
  });

  test('only the first bytes of other captures are read', async () => {
    const packets = fixture('vitess-gzip.pcapng');
    const { source, files, sizes } = archiveOf([packets, 60 << 20], [HTTP, HTTP.length]);
    expect(await joinedTraces(source, files, files, {})).toBe(null);
    expect(sizes).toEqual([1 << 14]);
  });

  test('reading them can be cancelled', async () => {
    const { source, files, sizes } = archiveOf([HTTP, HTTP.length], [HTTP, HTTP.length]);
    const signal = { aborted: true };
    await expect(joinedTraces(source, files, files, { signal })).rejects.toThrow('Cancelled.');
    expect(sizes).toEqual([]);
  });

  test('other captures beside them: one is read, as of any', async () => {
    const { steps } = await unwrap(
      bytesSource('x.zip', zipSync({ ...traces, 'x.pcapng': fixture('vitess-gzip.pcapng') })),
    );
    expect(steps.map(({ id, member }) => `${id}:${member}`)).toEqual(['zip:x.pcapng']);
  });
});

describe('first bytes', () => {
  const connection = record(2, address(1, '10.0.0.1', 5));
  test.each<[string, Uint8Array, boolean]>([
    ['an exchange', HTTP, true],
    ['an exchange after its size', delimited(HTTP), true],
    ['a segment', segment(1, record(2, ...headers(1, ':path: /a'))), true],
    ['a socket', record(3, connection), true],
    ['a segment of a socket after its size', delimited(record(4, number(1, 300), connection)), true],
    ['a socket of a pipe', record(3, number(1, 1), record(2, pipe(2, '/run/x'))), true],
    ['a socket of IPv6', record(3, record(2, address(2, 'fe80::1', 5))), true],
    ['a socket that names no address', record(3, record(2, record(1, record(1, record(2, 'left'))))), false],
    ['a pipe with another text than a path', record(3, record(2, pipe(1, 'left'))), false],
    ['a path in place of an address', record(3, record(2, record(1, record(1, record(1, '/run/x'))))), false],
    ['a tree of nodes', record(3, record(2, record(1, record(2, record(2, record(3, 'leaf')))))), false],
    ['a text that begins with a colon', record(1, record(1, record(1, record(1, ':-) hello')))), false],
    ['a colon and a word, without a value', record(1, record(1, record(1, record(1, ':hello')))), false],
    [
      'sizes that exceed the one around them',
      join([0x0a, 20, 0x0a, 8, 0x0a, 9, 0x0a, 5], Buffer.from(':path\x12\x01/')),
      false,
    ],
    [
      'an address that exceeds the record around it',
      join([0x1a, 9, 0x12, 7, 0x0a, 5, 0x0a, 3, 0x12, 7], Buffer.from('1.2.3.4')),
      false,
    ],
    ['a size before it that is too small', join(varint(HTTP.length - 1), HTTP), false],
    ['another message of nested ones', record(1, record(1, record(1, record(1, 'path')))), false],
    ['no bytes', new Uint8Array(), false],
    ['the beginning of a trace', HTTP.slice(0, 8), false],
  ])('%s', (_name, bytes, is) => expect(isEnvoyTap(bytes)).toBe(is));
});
