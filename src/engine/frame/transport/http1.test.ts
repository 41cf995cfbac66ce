import { readFileSync } from 'node:fs';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { latin1 } from '../../bytes/latin1.ts';
import { bytes, loses, read, says } from '../conversation.testing.ts';

const PAYLOAD = readFileSync(new URL('../../../../fixtures/input/codecfixture.rw1.binpb', import.meta.url));

describe('HTTP/1.1', () => {
  const post = (path: string, body: Uint8Array | string, ...headers: readonly string[]): Uint8Array => {
    const content = typeof body === 'string' ? bytes(body) : body;
    return bytes(
      `POST ${path} HTTP/1.1\r\nContent-Length: ${content.length}\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`,
      content,
    );
  };
  const ok = bytes('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
  const answer = (headers: string, body: Uint8Array): Uint8Array =>
    bytes(`HTTP/1.1 200 OK\r\n${headers}Content-Length: ${body.length}\r\n\r\n`, body);
  const PROTOBUF = 'Content-Type: application/x-protobuf';
  const METRICS =
    'Content-Type: application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited';
  const CHUNKS = 'Content-Type: application/x-streamed-protobuf; proto=prometheus.ChunkedReadResponse';

  test.each([
    ...['ACL', 'BASELINE-CONTROL', 'BIND', 'CHECKIN', 'CHECKOUT', 'CONNECT', 'COPY', 'DELETE', 'GET', 'HEAD', 'LABEL'],
    ...['LINK', 'LOCK', 'MERGE', 'MKACTIVITY', 'MKCALENDAR', 'MKCOL', 'MKREDIRECTREF', 'MKWORKSPACE', 'MOVE'],
    ...['OPTIONS', 'ORDERPATCH', 'PATCH', 'POST', 'PROPFIND', 'PROPPATCH', 'PUT', 'QUERY', 'REBIND', 'REPORT'],
    ...[
      'SEARCH',
      'TRACE',
      'UNBIND',
      'UNCHECKOUT',
      'UNLINK',
      'UNLOCK',
      'UPDATE',
      'UPDATEREDIRECTREF',
      'VERSION-CONTROL',
    ],
  ])('%s, of which only the request was captured', async (method) => {
    const request = post('/a', 'hi', PROTOBUF);
    const { messages, codes } = await read([says(0, method, request.subarray('POST'.length))]);
    expect([messages, codes]).toEqual([[`http1 request ${method} /a: hi`], []]);
  });

  test.each([
    ['to /', '/', 'DynamoDB_20120810.GetItem'],
    ['to another path', '/a', 'POST /a'],
  ])("AWS's name of the operation is the method of both messages, if the request is %s", async (_, path, method) => {
    const json = 'Content-Type: application/x-amz-json-1.0';
    const { messages, codes } = await read([
      says(0, post(path, '{"a":1}', json, 'X-Amz-Target: DynamoDB_20120810.GetItem')),
      says(1, answer(`${json}\r\n`, bytes('{"b":2}'))),
    ]);
    expect([messages, codes]).toEqual([
      [`http1 request ${method}: {"a":1}`, `http1 response ${method} 200: {"b":2}`],
      [],
    ]);
  });

  test.each(['Content-Length: 500', 'Transfer-Encoding: chunked'])(
    'the answer to a HEAD that was not captured, with %s: the next response follows its head',
    async (length) => {
      for (const segment of [3, 1460]) {
        const { messages, codes } = await read(
          [
            says(0, post('/a', 'hi', PROTOBUF)),
            says(1, answer(`${PROTOBUF}\r\n`, bytes('ho'))),
            loses(0, 40),
            says(1, `HTTP/1.1 200 OK\r\n${PROTOBUF}\r\n${length}\r\n\r\n`),
            says(0, post('/b', 'hi', PROTOBUF)),
            says(1, answer(`${PROTOBUF}\r\n`, bytes('ho'))),
          ],
          { segment },
        );
        const of = (path: string) => [`http1 request POST ${path}: hi`, `http1 response POST ${path} 200: ho`];
        expect([messages.sort(), codes]).toEqual([[...of('/a'), ...of('/b')].sort(), ['stream/hole']]);
      }
    },
  );

  test('bytes after a gap at the beginning of a direction are lost where they are', async () => {
    const { diagnostics } = await read([
      says(0, post('/a', 'hi', PROTOBUF)),
      loses(1, 9),
      says(1, 'the rest', ok),
      says(0, post('/b', 'hi', PROTOBUF)),
    ]);
    const [lost] = diagnostics.filter(({ code }) => code === 'http1/resynchronised');
    expect(lost!.end - lost!.start).toBe('the rest'.length);
  });

  test('a line that is not a request is lost whole, though it has the version in it', async () => {
    const line = 'GET / HTTP/1.1 HTTP/1.1\r\n\r\n';
    const { messages, diagnostics, layers } = await read([
      says(0, ok),
      says(0, line),
      says(0, post('/a', 'hi', PROTOBUF)),
    ]);
    expect(messages).toEqual(['http1 request POST /a: hi']);
    expect(diagnostics.map(({ message }) => message.split('Not read: ')[1])).toEqual([
      expect.stringMatching(`^${line.length} bytes`),
    ]);
    expect(layers.unattributed).toBe(line.length);
  });

  test.each([
    [
      'remote write 1',
      [says(0, post('/api/v1/write', bytes([2, 4], 'hi'), PROTOBUF, 'Content-Encoding: snappy')), says(1, ok)],
      ['http1 request POST /api/v1/write prometheus.WriteRequest: hi'],
    ],
    [
      'remote write 2',
      [says(0, post('/w', 'v2', `${PROTOBUF};proto=io.prometheus.write.v2.Request`)), says(1, ok)],
      ['http1 request POST /w io.prometheus.write.v2.Request: v2'],
    ],
    [
      'remote write 1 to another path',
      [says(0, post('/in', bytes([2, 4], 'hi'), PROTOBUF, 'X-Prometheus-Remote-Write-Version: 0.1.0'))],
      ['http1 request POST /in prometheus.WriteRequest: hi'],
    ],
    [
      'paths that end like that of remote write name no type',
      [says(0, ...['/loki/api/v1/push', '/v1/receive', '/write'].map((path) => post(path, 'hi', PROTOBUF)))],
      ['/loki/api/v1/push', '/v1/receive', '/write'].map((path) => `http1 request POST ${path}: hi`),
    ],
    [
      'pipelined',
      [
        says(0, post('/a', '1', PROTOBUF), post('/b', '2', PROTOBUF)),
        says(
          1,
          `HTTP/1.1 200 OK\r\n${PROTOBUF}\r\nContent-Length: 1\r\n\r\n3HTTP/1.1 201 OK\r\n${PROTOBUF}\r\nContent-Length: 1\r\n\r\n4`,
        ),
      ],
      [
        'http1 request POST /a: 1',
        'http1 request POST /b: 2',
        'http1 response POST /a 200: 3',
        'http1 response POST /b 201: 4',
      ],
    ],
    [
      'chunked',
      [
        says(
          0,
          `POST /a HTTP/1.1\r\n${PROTOBUF}\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nTrailer: t\r\n\r\n`,
          post('/b', 'next', PROTOBUF),
        ),
      ],
      ['http1 request POST /a: abcde', 'http1 request POST /b: next'],
    ],
    [
      'a coding whose name only begins like that of chunks',
      [says(0, post('/a', 'hi', PROTOBUF, 'Transfer-Encoding: chunkedx'), post('/b', 'next', PROTOBUF))],
      ['http1 request POST /a: hi', 'http1 request POST /b: next'],
    ],
    [
      'gzip',
      [says(0, post('/v1/traces', gzipSync('spans'), PROTOBUF, 'Content-Encoding: gzip'))],
      ['http1 request POST /v1/traces opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest: spans'],
    ],
    [
      "OTLP's profiles, and their response",
      [
        says(0, post('/v1development/profiles', 'stacks', PROTOBUF)),
        says(1, `HTTP/1.1 200 OK\r\n${PROTOBUF}\r\nContent-Length: 0\r\n\r\n`),
      ],
      [
        'http1 request POST /v1development/profiles opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest: stacks',
        'http1 response POST /v1development/profiles 200 opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceResponse: ',
      ],
    ],
    [
      "Connect's GET, its message in the query",
      [
        says(0, 'GET /c/p.S/M?connect=v1&encoding=proto&base64=1&message=b25l HTTP/1.1\r\nHost: x\r\n\r\n'),
        says(1, 'HTTP/1.1 200 OK\r\nContent-Type: application/proto\r\nContent-Length: 3\r\n\r\ntwo'),
      ],
      ['connect request GET /c/p.S/M: one', 'connect response GET /c/p.S/M 200: two'],
    ],
    [
      "Connect's messages in JSON, in the query and in bodies",
      [
        says(0, 'GET /p.S/M?connect=v1&encoding=json&message=%7B%22a%22%3A1%7D HTTP/1.1\r\nHost: x\r\n\r\n'),
        says(1, 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{"b":2}'),
        says(0, post('/p.S/N', '{"c":3}', 'Content-Type: application/json', 'Connect-Protocol-Version: 1')),
        says(1, 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{"d":4}'),
      ],
      [
        'connect request GET /p.S/M: {"a":1}',
        'connect response GET /p.S/M 200: {"b":2}',
        'connect request POST /p.S/N: {"c":3}',
        'connect response POST /p.S/N 200: {"d":4}',
      ],
    ],
    [
      'metrics of Prometheus in protobuf, each after its size',
      [
        says(0, 'GET /metrics HTTP/1.1\r\n\r\nGET /metrics HTTP/1.1\r\n\r\n'),
        says(1, answer(`${METRICS}\r\n`, bytes([3], 'one', [0, 200, 1], 'x'.repeat(200)))),
        says(1, answer(`${METRICS}\r\nContent-Encoding: gzip\r\n`, gzipSync(bytes([2], 'hi', [1], '!')))),
      ],
      ['one', '', 'x'.repeat(200), 'hi', '!'].map(
        (plain) => `http1 response GET /metrics 200 io.prometheus.client.MetricFamily: ${plain}`,
      ),
    ],
    [
      'remote read of Prometheus, each message after its size and checksum',
      [
        says(0, 'POST /api/v1/read HTTP/1.1\r\nContent-Length: 0\r\n\r\n'),
        says(1, answer(`${CHUNKS}\r\n`, bytes([3, 1, 2, 3, 4], 'one', [3, 5, 6, 7, 8], 'two'))),
      ],
      ['one', 'two'].map((plain) => `http1 response POST /api/v1/read 200 prometheus.ChunkedReadResponse: ${plain}`),
    ],
    [
      'a vector tile',
      [
        says(0, 'GET /1/2/3.mvt HTTP/1.1\r\n\r\n'),
        says(1, answer('Content-Type: application/vnd.mapbox-vector-tile\r\n', bytes('tile'))),
      ],
      ['http1 response GET /1/2/3.mvt 200 vector_tile.Tile: tile'],
    ],
    [
      'an error of OTLP/HTTP is a status',
      [
        says(0, post('/v1/logs', 'logs', PROTOBUF)),
        says(1, `HTTP/1.1 400 Bad Request\r\n${PROTOBUF}\r\nContent-Length: 3\r\n\r\nwhy`),
      ],
      [
        'http1 request POST /v1/logs opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest: logs',
        'http1 response POST /v1/logs 400 google.rpc.Status: why',
      ],
    ],
    [
      'to the end of the connection',
      [says(0, 'GET /x HTTP/1.0\r\n\r\n'), says(1, `HTTP/1.0 200 OK\r\n${PROTOBUF}\r\n\r\nall`, 'of it')],
      ['http1 response GET /x 200: allof it'],
    ],
    [
      'HEAD, 1xx, 204 and 304 have no body, even if their headers describe one',
      [
        says(
          0,
          `HEAD /a HTTP/1.1\r\n${PROTOBUF}\r\n\r\nGET /b HTTP/1.1\r\n\r\nGET /c HTTP/1.1\r\n\r\nGET /d HTTP/1.1\r\n\r\n`,
        ),
        says(
          1,
          `HTTP/1.1 200 OK\r\n${PROTOBUF}\r\nContent-Length: 99\r\n\r\nHTTP/1.1 103 Early Hints\r\n${PROTOBUF}\r\n\r\nHTTP/1.1 204 No\r\n${PROTOBUF}\r\n\r\nHTTP/1.1 304 Not\r\n${PROTOBUF}\r\nContent-Length: 9\r\n\r\nHTTP/1.1 200 OK\r\n${PROTOBUF}\r\nContent-Length: 1\r\n\r\nd`,
        ),
      ],
      ['http1 response GET /d 200: d'],
    ],
    [
      'a transfer coding around the chunks, outside a content coding',
      [
        says(
          0,
          `POST /a HTTP/1.1\r\n${PROTOBUF}\r\nContent-Encoding: deflate\r\nTransfer-Encoding: gzip, chunked\r\n\r\n`,
          ...[gzipSync(deflateSync('hi'))].flatMap((body) => [
            `${body.length.toString(16)}\r\n`,
            body,
            '\r\n0\r\n\r\n',
          ]),
        ),
      ],
      ['http1 request POST /a: hi'],
    ],
    [
      'a transfer coding that the bytes do not show',
      [
        says(
          0,
          `POST /a HTTP/1.1\r\n${PROTOBUF}\r\nTransfer-Encoding: gzip, xchunked, chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n`,
        ),
      ],
      ['http1 request POST /a: hi'],
    ],
    [
      'a part of a body is not a message, the whole one is',
      [
        says(0, 'GET /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\n'),
        says(
          1,
          ...['bytes 0-1/4', 'bytes 0-1/2'].map(
            (range) => `HTTP/1.1 206 Partial\r\n${PROTOBUF}\r\nContent-Range: ${range}\r\nContent-Length: 2\r\n\r\nhi`,
          ),
        ),
      ],
      ['http1 response GET /b 206: hi'],
    ],
    [
      'text is not a message',
      [
        says(0, 'GET /metrics HTTP/1.1\r\n\r\n'),
        says(1, 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nup'),
      ],
      [],
    ],
    [
      'a response captured before its request',
      [says(1, `HTTP/1.1 200 OK\r\n${PROTOBUF}\r\nContent-Length: 1\r\n\r\n!`), says(0, post('/a', '1', PROTOBUF))],
      ['http1 response 200: !', 'http1 request POST /a: 1'],
    ],
    [
      'gRPC-web',
      [
        says(
          0,
          post(
            '/p.S/M',
            bytes([0, 0, 0, 0, 2], 'hi', [0, 0, 0, 0, 1], '!'),
            'Content-Type: application/grpc-web+proto',
          ),
        ),
        says(
          1,
          'HTTP/1.1 200 OK\r\nContent-Type: application/grpc-web-text\r\nContent-Length: 36\r\n\r\n',
          Buffer.from(bytes([0, 0, 0, 0, 2], 'ok', [128, 0, 0, 0, 13], 'grpc-status:0')).toString('base64'),
        ),
      ],
      ['grpc-web request POST /p.S/M: hi', 'grpc-web request POST /p.S/M: !', 'grpc-web response POST /p.S/M 200: ok'],
    ],
    [
      'Connect',
      [
        says(
          0,
          post('/p.S/M', 'hi', 'Content-Type: application/proto'),
          post(
            '/p.S/N',
            bytes([1, 0, 0, 0, 24], gzipSync('four'), [2, 0, 0, 0, 2], '{}'),
            'Content-Type: application/connect+proto',
            'Connect-Content-Encoding: gzip',
          ),
        ),
      ],
      ['connect request POST /p.S/M: hi', 'connect request POST /p.S/N: four'],
    ],
  ])('%s', async (_name, sayings, expected) => {
    for (const segment of [1, 7, 1460]) {
      const { messages, codes, layers } = await read(sayings, { segment });
      expect(messages.toSorted()).toEqual([...expected].sort());
      expect(codes).toEqual([]);
      expect(layers.unattributed + layers.incomplete).toBe(0);
    }
  });

  test.each([
    ['its contents are a message', '\b\x07\x12\x02hi', ['http1 request POST /a: \b\x07\x12\x02hi'], []],
    ['its contents are not a message', '\x89PNG\r\n\x1a\n\0\0\0\r', [], ['http/unknown-body']],
  ])('a body without a specific media type: %s', async (_name, body, expected, reported) => {
    for (const type of [[], ['Content-Type: application/octet-stream']]) {
      const { messages, codes, layers } = await read([says(0, post('/a', body, ...type))]);
      expect(messages).toEqual(expected);
      expect(codes).toEqual(reported);
      expect([layers.message, layers['other-bodies']]).toEqual(
        reported.length > 0 ? [0, body.length] : [body.length, 0],
      );
    }
  });

  const hello = bytes([10, 12], 'hello, world');
  test.each([
    ['a snappy block', bytes([14, 13 << 2], hello), hello],
    ['a message that may also be a snappy block', bytes([10, 10], '0123456789'), bytes([10, 10], '0123456789')],
    ['a snappy block of text', bytes([12, 11 << 2], 'hello, world'), bytes([12, 11 << 2], 'hello, world')],
  ])('a body without a content-encoding: %s', async (_name, body, plain) => {
    const { messages, codes, layers } = await read([says(0, post('/a', body, PROTOBUF))]);
    expect(messages).toEqual([`http1 request POST /a: ${latin1(plain)}`]);
    expect(codes).toEqual(plain === hello ? ['http/other-coding'] : []);
    expect([layers.message, layers.compressed]).toEqual(plain === hello ? [0, body.length] : [body.length, 0]);
  });

  test('a gap inside a body loses that message; the next is read', async () => {
    const first = post('/a', 'x'.repeat(100), PROTOBUF);
    const { messages, codes } = await read([
      says(0, first.subarray(0, -60)),
      loses(0, 30),
      says(0, first.subarray(-30), post('/b', 'next', PROTOBUF)),
    ]);
    expect(messages).toEqual(['http1 request POST /b: next']);
    expect(codes).toEqual(['stream/hole', 'http1/incomplete']);
  });

  test('the prefixes of sizes are in a layer of their own, also of a body that is cut', async () => {
    const body = bytes([3], 'one', [9], 'cut');
    const { messages, codes, layers } = await read([
      says(1, answer(`${METRICS}\r\n`, body)),
      says(1, answer(`${METRICS}\r\nContent-Encoding: gzip\r\n`, gzipSync(body))),
    ]);
    expect(messages).toEqual(Array(2).fill('http1 response 200 io.prometheus.client.MetricFamily: one'));
    expect(codes).toEqual(['http1/incomplete', 'http/incomplete']);
    // Half of the body is a whole message.
    const half = gzipSync(body).length / 2;
    expect([layers['size-prefix'], layers.message, layers.incomplete, layers.compressed]).toEqual([
      1,
      3,
      4 + half,
      half,
    ]);
  });

  test('a message of a stream has the time at which it began, and is given when it is whole', async () => {
    const head =
      'POST /p.S/M HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Type: application/connect+proto\r\n\r\n';
    const part = (text: string) => bytes([0, 0, 0, 0, text.length], text);
    const chunk = (body: Uint8Array) => bytes(`${body.length.toString(16)}\r\n`, body, '\r\n');
    const [two, three] = [part('two'), part('three')];
    const { messages, times } = await read([
      says(0, head),
      says(0, chunk(part('one'))),
      says(0, chunk(bytes(two, three.subarray(0, 7)))),
      says(0, chunk(three.subarray(7))),
    ]);
    expect(messages).toEqual(['one', 'two', 'three'].map((text) => `connect request POST /p.S/M: ${text}`));
    expect(times.map((time) => time! - times[0]!)).toEqual([0, 1, 1]);
  });

  test.each([
    ['one message', PROTOBUF, ['http1/incomplete'], 0],
    ['messages after their sizes', METRICS, [], 10],
  ])('a body larger than one message may be, of %s', async (_name, type, expected, count) => {
    const body = bytes(...Array(10).fill(bytes([3], 'one')));
    const { messages, codes } = await read([says(0, post('/a', body, type))], { limit: 20, segment: 10 });
    expect([messages.length, codes]).toEqual([count, expected]);
  });

  test.each([
    ['inside a message', 30, ['one', 'three']],
    ['over the prefix of a message', 38, ['one']],
  ])('a gap %s of a stream of Connect is one loss; reading continues', async (_, size, expected) => {
    const part = (text: string) => bytes([0, 0, 0, 0, text.length], text);
    const texts = ['one', 'x'.repeat(40), 'three'];
    const first = post('/p.S/M', bytes(...texts.map(part)), 'Content-Type: application/connect+proto');
    const cut = first.length - 46;
    for (const segment of [1, 1460]) {
      const said = [
        says(0, first.subarray(0, cut)),
        loses(0, size),
        says(0, first.subarray(cut + size), post('/b', 'next', PROTOBUF)),
      ];
      const { messages, codes, layers } = await read(said, { segment });
      expect(messages).toEqual([
        ...expected.map((text) => `connect request POST /p.S/M: ${text}`),
        'http1 request POST /b: next',
      ]);
      expect(codes).toEqual(['stream/hole', 'grpc/incomplete']);
      const lost = texts.filter((text) => !expected.includes(text));
      expect([layers.incomplete, layers.unattributed]).toEqual([bytes(...lost.map(part)).length - size, 0]);
    }
  });

  test.each([
    ['at a chunk', 0, ['one', 'ten', 'six', 'END']],
    ['inside a chunk', 3, ['one', 'END']],
    ['at a chunk, and another request may have begun', 0, ['one', 'END']],
  ])('a gap over chunks that ends %s is one loss', async (name, into, expected) => {
    const typed = 'Transfer-Encoding: chunked\r\nContent-Type: application/connect+proto\r\n\r\n';
    const part = (text: string) => bytes([0, 0, 0, 0, 3], text);
    const chunk = (text: string) => bytes('8\r\n', part(text), '\r\n');
    const rest = bytes(chunk('ten'), chunk('six'), '0\r\n\r\n');
    const asks = 'POST /p.S/M HTTP/1.1\r\nContent-Length: 0\r\n\r\n';
    for (const segment of [1, 1460]) {
      const { messages, codes, layers } = await read(
        [
          says(0, asks, ...(name.includes('another') ? [asks] : [])),
          says(1, `HTTP/1.1 200 OK\r\n${typed}`, chunk('one'), chunk('two').subarray(0, 5)),
          loses(1, 20 + into),
          says(1, rest.subarray(into), answer('Content-Type: application/connect+proto\r\n', part('END'))),
        ],
        { segment },
      );
      expect(messages.map((line) => line.slice(-3))).toEqual(expected);
      expect(codes).toEqual(['stream/hole', 'http1/incomplete']);
      expect([layers.incomplete, layers.unattributed]).toEqual([2 + (expected.length > 2 ? 0 : rest.length - into), 0]);
    }
  });

  // Compressed, two of them are longer than the first byte of gzip says as a size.
  const one = bytes([10, 29], 'abcdefghijklmnopqrstuvwxyz012');
  test.each([
    [
      'gRPC-web, compressed as a whole',
      'application/grpc-web',
      gzipSync(bytes([0, 0, 0, 0, 31], one)),
      [one],
      'http/other-coding',
    ],
    [
      'messages after their sizes, compressed as a whole',
      METRICS.slice(14),
      gzipSync(bytes([31], one, [31], one)),
      [one, one],
      'http/other-coding',
    ],
    ['a first message as long as the first byte of gzip', METRICS.slice(14), bytes([31], one), [one], null],
    ['a page', 'application/grpc-web+proto', bytes('<html>'), [], 'grpc/incomplete'],
  ])('what is in the place of an envelope: %s', async (_name, type, body, expected, code) => {
    for (const segment of [1, 1460]) {
      const { messages, codes, layers } = await read(
        [says(0, post('/p.S/M', new Uint8Array(body), `Content-Type: ${type}`))],
        { segment },
      );
      expect(messages.map((line) => line.split(': ')[1])).toEqual(expected.map((plain) => latin1(plain)));
      expect(new Set(codes)).toEqual(new Set(code === null ? [] : [code]));
      expect(layers.compressed).toBe(code === 'http/other-coding' ? body.length : 0);
    }
  });

  const asks = (path: string) => says(0, post(path, '1', PROTOBUF));
  const answers = (body: string) => says(1, answer(`${PROTOBUF}\r\n`, bytes(body)));
  const lost = ({ side, bytes }: ReturnType<typeof says>) => loses(side, bytes.length);
  test.each<[what: string, sayings: ReturnType<typeof says>[], responses: readonly string[]]>([
    [
      'a response',
      [asks('/a'), answers('A'), asks('/b'), lost(answers('B')), asks('/c'), answers('C'), asks('/d'), answers('D')],
      ['POST /a 200: A', '200: C', 'POST /d 200: D'],
    ],
    [
      'a response and the next request',
      [asks('/a'), lost(answers('A')), lost(asks('/b')), answers('B'), asks('/c'), answers('C')],
      ['200: B', 'POST /c 200: C'],
    ],
    ['a response and the last request', [asks('/a'), lost(answers('A')), lost(asks('/b')), answers('B')], ['200: B']],
    [
      'a request',
      [asks('/a'), answers('A'), lost(asks('/b')), answers('B'), asks('/c'), answers('C')],
      ['POST /a 200: A', '200: B', 'POST /c 200: C'],
    ],
    [
      'a request between pipelined ones',
      [asks('/a'), lost(asks('/b')), asks('/c'), answers('A'), answers('B'), answers('C'), asks('/d'), answers('D')],
      ['POST /a 200: A', '200: B', '200: C', 'POST /d 200: D'],
    ],
    [
      'a request and its response',
      [asks('/a'), answers('A'), lost(asks('/b')), lost(answers('B')), asks('/c'), answers('C')],
      ['POST /a 200: A', 'POST /c 200: C'],
    ],
    [
      'a response, of which the last follows',
      [asks('/a'), answers('A'), loses(1, 9), asks('/b'), answers('B')],
      ['POST /a 200: A', 'POST /b 200: B'],
    ],
  ])('after a gap over %s, a response has only the request that is surely its own', async (_, sayings, responses) => {
    for (const first of [[], [says(1, ok)]]) {
      const { messages } = await read([...first, ...sayings], { whole: first.length === 0 });
      const found = messages.flatMap((line) => line.split('http1 response ')[1] ?? []);
      expect(found).toEqual(responses);
    }
  });

  test('after a gap over a header, reading continues at the next header', async () => {
    const { messages, codes } = await read([
      says(0, post('/a', '1', PROTOBUF)),
      loses(0, 30),
      says(0, 'rest', post('/b', 'next', PROTOBUF)),
    ]);
    expect(messages).toEqual(['http1 request POST /a: 1', 'http1 request POST /b: next']);
    expect(codes).toEqual(['stream/hole', 'http1/resynchronised']);
  });

  test.each([
    ['zstd', readFileSync(new URL('../../../../fixtures/compression/codecfixture.rw1.binpb.zst', import.meta.url))],
    ['gzip', gzipSync(PAYLOAD)],
    ['deflate', deflateSync(PAYLOAD)],
    ['deflate', deflateRawSync(PAYLOAD)],
    [
      'zstd, gzip',
      gzipSync(readFileSync(new URL('../../../../fixtures/compression/codecfixture.rw1.binpb.zst', import.meta.url))),
    ],
  ])('content-encoding %s', async (encoding, body) => {
    const { messages, codes } = await read([
      says(
        0,
        post('/a', new Uint8Array(body), PROTOBUF, `Content-Encoding: ${encoding}`),
        post('/b', 'next', PROTOBUF),
      ),
    ]);
    expect(messages).toEqual([`http1 request POST /a: ${PAYLOAD.toString('latin1')}`, 'http1 request POST /b: next']);
    expect(codes).toEqual([]);
  });

  test.each<[what: string, body: Uint8Array, headers: readonly string[], payload: string, found: readonly string[]]>([
    ['gzip that no header names', gzipSync('hi'), [PROTOBUF], 'hi', ['gzip, though its headers name none']],
    [
      'gzip under another name',
      gzipSync('hi'),
      [PROTOBUF, 'Content-Encoding: snappy'],
      'hi',
      ['gzip, though its headers name snappy'],
    ],
    ['bytes that only begin like zlib', bytes([0x78, 1], 'and more'), [PROTOBUF], 'x\x01and more', []],
    ['a download', gzipSync('a file'), ['Content-Type: application/octet-stream'], '', ['unknown-body']],
  ])('the first bytes of a body decide over its headers: %s', async (_, body, headers, payload, found) => {
    const { messages, diagnostics, layers } = await read([says(0, post('/a', new Uint8Array(body), ...headers))]);
    expect(messages).toEqual(payload === '' ? [] : [`http1 request POST /a: ${payload}`]);
    expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual(
      found.map((part) => expect.stringContaining(part)),
    );
    expect(layers[payload === '' ? 'other-bodies' : payload === 'hi' ? 'compressed' : 'message']).toBe(body.length);
  });

  test.each(['-5', 'two', '99999999999999999999', '+5', '5, 6', '0x10', ''])(
    'Content-Length “%s” is a fault at its offset, and no message',
    async (length) => {
      const head = `POST /a HTTP/1.1\r\n${PROTOBUF}\r\nContent-Length: ${length}\r\n\r\n`;
      const said = bytes(head, 'body!', post('/b', 'next', PROTOBUF));
      const { messages, diagnostics, layers } = await read([says(0, said)]);
      expect(messages).toEqual(['http1 request POST /b: next']);
      expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([['http1/bad-length', 'error']]);
      // Behind the handshake, and the headers of the file and of three packets.
      const first = 24 + 2 * (16 + 54) + 16 + 54;
      expect(diagnostics[0]!.start).toBe(first + head.indexOf('Content-Length'));
      expect(layers.unattributed).toBe(5);
    },
  );

  test.each(['5, 5', '005'])('Content-Length “%s” is a length', async (length) => {
    const said = `POST /a HTTP/1.1\r\n${PROTOBUF}\r\nContent-Length: ${length}\r\n\r\nbody!`;
    expect((await read([says(0, said)])).messages).toEqual(['http1 request POST /a: body!']);
  });

  test.each([
    ['no size', 'x\r\nbody\r\n0\r\n\r\n', 'has a chunk without a size'],
    ['a negative size', '-4\r\nbody\r\n0\r\n\r\n', 'has a chunk without a size'],
    ['a size that is too small', '3\r\nbody\r\n0\r\n\r\n', 'has a chunk that does not end with its size'],
    ['bytes without end behind it', `4\r\nbody${'x'.repeat(5000)}`, 'has a chunk that does not end with its size'],
  ])('a chunk with %s is a fault, and no message', async (_, chunks, why) => {
    const head = `POST /a HTTP/1.1\r\n${PROTOBUF}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const { messages, diagnostics } = await read([says(0, head, chunks, post('/b', 'next', PROTOBUF))]);
    expect(messages).toEqual(['http1 request POST /b: next']);
    expect(diagnostics[0]!.message).toContain(why);
  });

  test('a content-encoding without a decoder is reported', async () => {
    const sayings = [says(0, post('/a', 'zipped', PROTOBUF, 'Content-Encoding: br'), post('/b', 'next', PROTOBUF))];
    const { messages, codes } = await read(sayings);
    expect([messages, codes]).toEqual([['http1 request POST /b: next'], ['compression/missing']]);
  });
});
