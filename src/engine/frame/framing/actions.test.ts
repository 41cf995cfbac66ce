/** Files of `_bulk` and `_msearch`: their documents, and other JSON whose lines begin in the same way. */
import { expect, test } from 'vitest';
import { bytesSource } from '../../bytes/source.ts';
import { readPayloads } from '../payload.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

async function read(text: string) {
  const seen: string[] = [];
  const take = (_message: unknown, payload: Uint8Array): number => seen.push(new TextDecoder().decode(payload));
  const facts = await readPayloads(bytesSource('x', bytesOf(text)), {}, take);
  expect(facts.framingBytes + facts.payloadBytes + facts.unattributedBytes).toBe(bytesOf(text).length);
  return { ...facts, seen };
}

const DOC = '{"a":"é"}';
const PAIR = `{"index":{"_index":"x"}}\n${DOC}\n`;

test.each<[what: string, text: string, framing: 'bulk' | 'msearch', texts: readonly string[], reason: string]>([
  [
    'each action',
    `{ "delete": { "_index": "x", "_id": "2" } }\n{"create":{}}\n${DOC}\n{"update":{"_id":"1"}}\n{"doc":${DOC}}\n${PAIR}`,
    'bulk',
    [DOC, DOC, DOC],
    '4 action lines, each before its document',
  ],
  ['no index is named', `{"index":{}}\n${DOC}\n`, 'bulk', [DOC], '1 action line, each before its document'],
  [
    'CR LF, empty lines, no last line end',
    `\ufeff{"index":{}}\r\n\r\n${DOC}\r\n\r\n{"index":{}}\r\n${DOC}`,
    'bulk',
    [DOC, DOC],
    '2 action lines, each before its document',
  ],
  [
    'as consoles write it, with comments, twice',
    `# first\n\nPOST /x/_bulk?refresh\r\n${PAIR}\n// then\nPUT _bulk\n${PAIR}`,
    'bulk',
    [DOC, DOC],
    '2 action lines, each before its document',
  ],
  [
    'searches as consoles write them',
    'GET x/_msearch\n{}\n{"query":{"match_all":{}}}\n',
    'msearch',
    ['{"query":{"match_all":{}}}'],
    '1 header, each before its search',
  ],
  [
    'one line of many has a fault',
    `${PAIR.repeat(10)}{"index":{}}\n{"a":\n${PAIR}`,
    'bulk',
    [...Array<string>(10).fill(DOC), '{"a":', DOC],
    '12 action lines, each before its document',
  ],
  [
    'searches',
    '{"index":"x"}\n{"query":{"match_all":{}}}\n{}\n{"size":0,"aggs":{"a":{}}}\n',
    'msearch',
    ['{"query":{"match_all":{}}}', '{"size":0,"aggs":{"a":{}}}'],
    '2 headers, each before its search',
  ],
])('%s', async (_, text, id, texts, reason) => {
  const { seen, framing, unattributedBytes } = await read(text);
  expect(seen).toEqual(texts);
  expect(framing).toMatchObject({ id, reason });
  expect(unattributedBytes).toBe(0);
});

test.each([
  ['events by the name of an action', '{"create":{"id":1,"name":"x"}}\n{"update":{"id":1,"name":"y"}}\n'],
  ['actions without documents', '{"create":{"_id":"1"}}\n{"update":{"_id":"1"}}\n{"delete":{"_id":"1"}}\n'],
  ['only deletions', '{"delete":{"_id":"1"}}\n{"delete":{"_id":"2"}}\n'],
  ['a field beside the action', '{"index":{},"time":1}\n{"a":1}\n'],
  ['an index that is a number', '{"index":1}\n{"a":1}\n'],
  ['a document without its action', `${PAIR}{"b":1}\n{"c":1}\n`],
  ['hits', '{"_index":"x","_id":"1","_source":{"a":1}}\n{"_index":"x","_id":"2","_source":{"a":1}}\n'],
  ['an action over several lines', '{\n  "index": {}\n}\n{"a":1}\n'],
  ['a document over several lines', '{"index":{}}\n{\n  "a": 1\n}\n'],
  ['one object', '{"index":{"_index":"x"}}'],
  ['empty objects', '{}\n{"a":1}\n{}\n{"b":1}\n'],
  ['names of searches, without one', '{"index":"x"}\n{"size":1,"name":"y"}\n'],
  ['a query that is text', '{"index":"x"}\n{"query":"y"}\n'],
  ['a search each', '{"query":{"a":1}}\n{"query":{"a":2}}\n'],
])('JSON, not a request: %s', async (_, text) => {
  expect((await read(text)).framing.id).toBe('json');
});

test('the last action has no document', async () => {
  const { seen, unattributedBytes, diagnostics } = await read(`${PAIR}{"index":{"_id":"2"}}\n`);
  expect(seen).toEqual([DOC]);
  expect(unattributedBytes).toBe(22);
  expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
    `frame/no-document No document follows the last action, at byte ${bytesOf(PAIR).length}; it is left unattributed`,
  ]);
});
