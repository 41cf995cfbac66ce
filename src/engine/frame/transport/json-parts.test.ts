import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesSource } from '../../bytes/source.ts';
import { bytes, int, loses, read, says, short } from '../conversation.testing.ts';
import { readCapture } from '../read-capture.ts';

const ASK = 'GET /a HTTP/1.1\r\n\r\n';
const head = (type: string, rest: string): string => `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\n${rest}\r\n`;
const texts = (messages: readonly string[]): string[] => messages.map((line) => line.replace(/^.*? 200: /, ''));

const FORMS = {
  lines: 'application/x-ndjson',
  either: 'application/json',
  events: 'text/event-stream',
  sequence: 'application/json-seq',
} as const;

test('a recorded capture has what the server and the clients noted', async () => {
  const folder = new URL('../../../../fixtures/capture/', import.meta.url);
  const served = readFileSync(new URL('json-parts.served.txt', folder), 'utf8').trimEnd().split('\n');
  const compact = (line: string): string => {
    const [, title, text] = /^(\S+ \S+ \S+) (.*)$/s.exec(line)!;
    return `${title} ${JSON.stringify(JSON.parse(text!))}`;
  };
  const found: string[] = [];
  const { layers } = await readCapture(
    bytesSource('capture', new Uint8Array(readFileSync(new URL('json-parts.pcap', folder)))),
    ({ transport, direction, method }, payload) =>
      found.push(compact(`${transport} ${direction} ${method?.split(' ')[1]} ${Buffer.from(payload)}`)),
  );
  const isAction = (line: string): boolean => /^\S+ request \/_(?:bulk|msearch) \{"index":/.test(line);
  expect(served.filter(isAction)).toHaveLength(24);
  expect(found.sort()).toEqual(
    served
      .filter((line) => !isAction(line))
      .map(compact)
      .sort(),
  );
  // Twice `[DONE]`, the last event.
  expect([layers['other-bodies'], layers.incomplete, layers.unattributed]).toEqual([12, 0, 0]);
});

describe('the texts of a body', () => {
  test.each<[what: string, type: string, body: string, expected: readonly string[], other: number]>([
    ['one a line', FORMS.lines, '{"a":1}\n{"b":[]}\n', ['{"a":1}', '{"b":[]}'], 0],
    ['the last line has no end', FORMS.lines, '{"a":1}\r\n\r\n {"b":2}', ['{"a":1}', ' {"b":2}'], 0],
    ['after a byte order mark', FORMS.lines, '\xef\xbb\xbf{"a":1}\n{}\n', ['{"a":1}', '{}'], 0],
    ['a line is not an object', FORMS.lines, '[1]\n{"a":1}\nnull\n', ['{"a":1}'], 7],
    [
      'of Elasticsearch',
      'application/vnd.elasticsearch+x-ndjson; compatible-with=9',
      '{}\n{"q":1}\n',
      ['{}', '{"q":1}'],
      0,
    ],
    ['JSON Lines', 'application/jsonl', '{"a":1}\n', ['{"a":1}'], 0],
    ['a line in JSON', FORMS.either, '{"a":1}\n', ['{"a":1}\n'], 0],
    ['two lines in JSON', FORMS.either, '{"a":1}\n{"b":2}\n', ['{"a":1}', '{"b":2}'], 0],
    ['JSON that begins with a whole line', FORMS.either, '{}\n\n', ['{}\n\n'], 0],
    ['a list, a line', FORMS.either, '[1]\n{"a":1}\n', [], 12],
    ['in events', FORMS.events, 'event: a\ndata: {"a":1}\n\ndata:{"b":2}\n\n', ['{"a":1}', '{"b":2}'], 0],
    [
      'in events with CR LF',
      FORMS.events,
      'id: 1\r\ndata: {"a":1}\r\n\r\n:\r\n\r\ndata: {}\r\n\r\n',
      ['{"a":1}', '{}'],
      0,
    ],
    ['in events with CR', FORMS.events, 'data: {"a":1}\r\rdata: {}\r\r', ['{"a":1}', '{}'], 0],
    [
      'in an event of several lines',
      FORMS.events,
      'data: {\nid: 1\ndata:  "a": "data: 2"\ndata\ndata: }\n\n',
      ['{\n "a": "data: 2"\n\n}'],
      0,
    ],
    ['events of other data', FORMS.events, 'data: [DONE]\n\n: data: {}\n\ndatas: {}\n\nretry: 1', [], 6],
    ['a sequence', FORMS.sequence, '\x1e{"a":\n1}\n\x1e\x1e{"b":2}\n', ['{"a":\n1}', '{"b":2}'], 0],
    ['other texts of a sequence', 'application/geo+json-seq', '\x1e1\n\x1e{"b":2}', ['{"b":2}'], 1],
  ])('%s', async (_what, type, body, expected, other) => {
    const packed = gzipSync(bytes(body));
    for (const segment of [1, 5, 1460]) {
      const { messages, codes, layers } = await read(
        [
          says(0, ASK, ASK, ASK),
          says(1, head(type, `Content-Length: ${body.length}\r\n`), body),
          says(1, head(type, 'Transfer-Encoding: chunked\r\n')),
          ...[body.slice(0, 3), body.slice(3), ''].map((part) => says(1, `${part.length.toString(16)}\r\n${part}\r\n`)),
          says(1, head(type, `Content-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n`), packed),
        ],
        { segment },
      );
      expect(texts(messages)).toEqual([...expected, ...expected, ...expected]);
      expect(codes).toEqual([]);
      const size = expected.some((text) => text.startsWith('{\n')) ? null : expected.join('').length;
      if (size !== null) {
        expect(layers.message).toBe(2 * size);
        expect(layers.separators).toBeGreaterThanOrEqual(2 * (body.length - size - other));
      }
      // A share of the compressed body is entered.
      expect(layers['other-bodies']).toBeGreaterThanOrEqual(2 * other);
      expect(layers.compressed).toBeLessThanOrEqual(packed.length);
      if (expected.length === 0) expect(layers.compressed).toBe(0);
    }
  });

  const KINDS = ['http1', 'chunks', 'until the end', 'gzip', 'http2', 'har'] as const;

  test('come out of every form, coding and transport, however they are cut', async () => {
    const text = fc
      .dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
      .map((value) => JSON.stringify(value).replace(/[^\x20-\x7e]/g, '?'));
    const form = fc.constantFrom(...(Object.keys(FORMS) as (keyof typeof FORMS)[]));
    const end = fc.constantFrom('\n', '\r\n');
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 2, maxLength: 6 }),
        form,
        end,
        fc.constantFrom(...KINDS),
        fc.integer({ min: 1, max: 40 }),
        async (all, name, lineEnd, kind, segment) => {
          const body = all.map((one) => written(one, name, lineEnd)).join('');
          const found = await textsIn(bytes(body), FORMS[name], kind, segment);
          expect(found).toEqual(all);
        },
      ),
      { numRuns: 200 },
    );
  });

  function written(text: string, name: keyof typeof FORMS, end: string): string {
    if (name === 'events') return `event: a${end}data: ${text}${end}${end}`;
    return `${name === 'sequence' ? '\x1e' : ''}${text}${end}`;
  }

  async function textsIn(body: Uint8Array, type: string, kind: (typeof KINDS)[number], segment: number) {
    if (kind === 'har') {
      const entry = {
        request: { method: 'GET', url: 'https://api.example/a', headers: [] },
        response: { status: 200, headers: [], content: { mimeType: type, text: Buffer.from(body).toString('latin1') } },
      };
      const found: string[] = [];
      const har = JSON.stringify({ log: { version: '1.2', entries: [entry] } });
      await readCapture(bytesSource('a.har', bytes(har)), (_, payload) => found.push(Buffer.from(payload).toString()));
      return found;
    }
    if (kind === 'http2') return texts((await read(overHttp2(type, body, 9), { segment })).messages);
    const packed = kind === 'gzip' ? new Uint8Array(gzipSync(body)) : body;
    const length = `Content-Length: ${packed.length}\r\n`;
    const about = { http1: length, chunks: 'Transfer-Encoding: chunked\r\n', 'until the end': '' };
    const rest = kind === 'gzip' ? `Content-Encoding: gzip\r\n${length}` : about[kind];
    const half = Math.floor(body.length / 2);
    const chunks = [body.subarray(0, half), body.subarray(half), []].map((part) =>
      bytes(`${part.length.toString(16)}\r\n`, part, '\r\n'),
    );
    const parts = kind === 'chunks' ? chunks : [packed];
    const sayings = [says(0, ASK), says(1, head(type, rest)), ...parts.map((part) => says(1, part))];
    return texts((await read(sayings, { segment })).messages);
  }
});

describe('requests with action lines', () => {
  const DOC = '{"a":1}';
  test.each<[what: string, path: string, body: string, expected: readonly string[], other: number]>([
    [
      'of each action',
      '/_bulk?refresh=true',
      `{"index":{"_index":"x","_id":"1"}}\n${DOC}\n{"delete":{"_id":"2"}}\n{"create":{}}\n${DOC}\n`,
      [DOC, DOC],
      0,
    ],
    [
      'of an update',
      '/x/_bulk',
      `{"update":{"_id":"1","retry_on_conflict":3}}\n{"doc":${DOC},"doc_as_upsert":true}\n`,
      [DOC],
      0,
    ],
    [
      'of an update by a script',
      '/x/_bulk',
      `{"update":{"_id":"1"}}\n{"script":{"source":"a"},"upsert":{}}\n`,
      ['{"script":{"source":"a"},"upsert":{}}'],
      0,
    ],
    [
      'of an update with a second document',
      '/_bulk',
      `{"update":{"_id":"1"}}\n{"doc":${DOC},"upsert":{}}\n`,
      [`{"doc":${DOC},"upsert":{}}`],
      0,
    ],
    [
      'with CR LF, empty lines and without the last LF',
      '/_bulk',
      `{"index":{}}\r\n\r\n${DOC}\r\n\r\n{"index":{"routing":"é"}}\r\n${DOC}`,
      [DOC, DOC],
      0,
    ],
    [
      'a document that looks like an action',
      '/_bulk',
      `{"index":{}}\n{"delete":{"_id":"1"}}\n{"index":{}}\n${DOC}\n`,
      ['{"delete":{"_id":"1"}}', DOC],
      0,
    ],
    ['only deletions', '/_bulk', '{"delete":{"_index":"x","_id":"1"}}\n', [], 0],
    [
      'lines that are none',
      '/_bulk',
      `{"index":{},"a":1}\n{"index":{"name":"x"}}\n{"index":1}\n{"index":{}\n`,
      ['{"index":{},"a":1}', '{"index":{"name":"x"}}', '{"index":1}', '{"index":{}'],
      0,
    ],
    ['a document that is a list', '/_bulk', `{"index":{}}\n[1]\n{"index":{}}\n${DOC}\n`, [DOC], 3],
    ['of searches', '/x/_msearch', `{}\n{"size":1}\n{"index":["a"],"preference":"p"}\n{}\n`, ['{"size":1}', '{}'], 0],
    [
      'of searches by templates',
      '/_msearch/template',
      `{"index":"a"}\n{"id":"t","params":{}}\n`,
      ['{"id":"t","params":{}}'],
      0,
    ],
    ['another path', '/bulk', `{"index":{}}\n${DOC}\n`, ['{"index":{}}', DOC], 0],
  ])('%s', async (_what, path, body, expected, other) => {
    const sent = bytes(Buffer.from(body).toString('latin1'));
    const packed = gzipSync(sent);
    for (const type of ['application/x-ndjson', 'application/json'])
      for (const segment of [1, 7, 1460]) {
        const ask = (rest: string): string => `POST ${path} HTTP/1.1\r\nContent-Type: ${type}\r\n${rest}\r\n`;
        const { messages, codes, layers } = await read(
          [
            says(0, ask(`Content-Length: ${sent.length}\r\n`), sent),
            says(0, ask('Transfer-Encoding: chunked\r\n')),
            ...[sent.subarray(0, 9), sent.subarray(9), []].map((part) =>
              says(0, bytes(`${part.length.toString(16)}\r\n`, new Uint8Array(part), '\r\n')),
            ),
            says(0, ask(`Content-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n`), packed),
          ],
          { segment },
        );
        expect(messages.map((line) => line.replace(/^.*? POST \S+: /, ''))).toEqual([
          ...expected,
          ...expected,
          ...expected,
        ]);
        expect(codes).toEqual([]);
        const size = expected.join('').length;
        expect(layers.message).toBe(2 * size);
        expect(layers['other-bodies']).toBeGreaterThanOrEqual(2 * other);
        if (path === '/bulk') continue;
        expect(layers.actions).toBeGreaterThanOrEqual(2 * (sent.length - size - other));
        expect(Math.abs(layers.compressed - (packed.length * size) / sent.length)).toBeLessThan(4);
      }
  });

  test('an action without its document is not whole', async () => {
    const body = `{"index":{}}\n${DOC}\n{"index":{"_id":"2"}}\n`;
    const { messages, codes, layers } = await read([
      says(0, `POST /_bulk HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`, body),
    ]);
    expect(messages).toHaveLength(1);
    expect([codes, layers.incomplete]).toEqual([['http1/incomplete'], 22]);
  });
});

/** @param size of a DATA frame */
function overHttp2(type: string, body: Uint8Array, size: number, ends = true) {
  const frame = (kind: number, flags: number, payload: Uint8Array | readonly number[]): Uint8Array =>
    bytes([0, 0, payload.length, kind, flags], int(1), payload);
  const literal = (name: string, value: string): number[] => [0, ...short(name), ...short(value)];
  const settings = bytes([0, 0, 0, 4, 0], int(0));
  const data: Uint8Array[] = [];
  for (let at = 0; at < body.length; at += size) data.push(frame(0, 0, body.subarray(at, at + size)));
  return [
    says(0, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', settings, frame(1, 5, [0x82, ...literal(':path', '/a')])),
    says(1, settings, frame(1, 4, [0x88, ...literal('content-type', type)])),
    ...data.map((part) => says(1, part)),
    ...(ends ? [says(1, frame(0, 1, []))] : []),
  ];
}

describe('gaps', () => {
  const LINE = '{"n":"0123456789"}\n';
  const EVENT = 'data: {"n":"0123456789"}\n\n';
  const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

  test.each([
    ['inside a line', FORMS.lines, LINE, LINE.length + 5, 6, 3],
    ['over the end of a line', FORMS.lines, LINE, LINE.length + 12, 12, 2],
    ['of a whole line', FORMS.lines, LINE, LINE.length, LINE.length, 3],
    ['inside a line of JSON', FORMS.either, LINE, LINE.length + 5, 6, 3],
    ['in the first line of JSON, which may be one text', FORMS.either, LINE, 3, 6, 0],
    ['inside an event', FORMS.events, EVENT, EVENT.length + 9, 6, 3],
    ['over the end of an event', FORMS.events, EVENT, EVENT.length + 20, 14, 2],
    ['inside a record', FORMS.sequence, `\x1e${LINE}`, LINE.length + 9, 6, 3],
  ])('%s: the other messages are read', async (_name, type, part, from, size, expected) => {
    const body = part.repeat(4);
    for (const segment of [1, 1460]) {
      const { messages, layers, codes } = await read(
        [
          says(0, ASK),
          says(1, head(type, `Content-Length: ${body.length}\r\n`), body.slice(0, from)),
          loses(1, size),
          says(1, body.slice(from + size)),
        ],
        { segment },
      );
      expect(texts(messages)).toEqual(Array<string>(expected).fill('{"n":"0123456789"}'));
      expect(codes).toEqual(['stream/hole', expected === 0 ? 'http1/incomplete' : 'http/incomplete']);
      expect([layers.unattributed, layers['other-bodies']]).toEqual([0, 0]);
      expect(layers.incomplete).toBe(size === part.length ? 0 : body.length - size - expected * part.length);
    }
  });

  test('over chunks: reading continues at a chunk of whole lines', async () => {
    const typed = head(FORMS.lines, 'Transfer-Encoding: chunked\r\n');
    const { messages } = await read([
      says(0, ASK),
      says(1, typed, chunk(LINE), chunk(LINE).slice(0, 9)),
      loses(1, 30),
      says(1, chunk(LINE), chunk(LINE), '0\r\n\r\n'),
    ]);
    expect(messages).toHaveLength(3);
  });

  test.each([
    [FORMS.lines, 3],
    [FORMS.either, 3],
    [FORMS.events, 3],
  ])('over frames of HTTP/2, %s', async (type, expected) => {
    const part = type === FORMS.events ? EVENT : LINE;
    const [asks, begins, ...frames] = overHttp2(type, bytes(part.repeat(5)), part.length);
    const cut = frames[1]!;
    const said = [asks!, begins!, frames[0]!, { ...cut, lost: true }, ...frames.slice(2)];
    const { messages, layers } = await read(said);
    expect(messages.length).toBeGreaterThanOrEqual(expected);
    expect(new Set(texts(messages))).toEqual(new Set(['{"n":"0123456789"}']));
    expect(layers.unattributed).toBeLessThan(2 * part.length);
  });

  test('an open stream gives the lines that came, also the only one', async () => {
    const open = head(FORMS.either, 'Transfer-Encoding: chunked\r\n');
    const one = await read([says(0, ASK), says(1, open, chunk(LINE))]);
    const many = await read([says(0, ASK), says(1, open, chunk(LINE + LINE), chunk(LINE.slice(0, 5)))]);
    const h2 = await read(overHttp2(FORMS.either, bytes(LINE), 50, false));
    expect([one, many, h2].map(({ messages }) => messages.length)).toEqual([1, 2, 1]);
    expect([one, many, h2].map(({ layers }) => layers.incomplete)).toEqual([0, 5, 0]);
  });

  test('a line beyond the limit is passed over', async () => {
    const body = `${LINE}{"long":"${'x'.repeat(300)}"}\n${LINE}`;
    for (const segment of [40, 1460]) {
      const { messages, codes } = await read(
        [says(0, ASK), says(1, head(FORMS.lines, `Content-Length: ${body.length}\r\n`), body)],
        { segment, limit: 200 },
      );
      expect([messages.length, codes]).toEqual([2, ['http/too-large']]);
    }
  });
});
