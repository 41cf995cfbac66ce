/** Which texts are messages in protobuf's text format, and which are not. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bytesSource } from '../../bytes/source.ts';
import { readPayloads } from '../payload.ts';

const read = async (text: string, name = 'x') => {
  const seen: string[] = [];
  const facts = await readPayloads(bytesSource(name, new TextEncoder().encode(text)), {}, (message, payload) =>
    seen.push(`${message.format ?? 'protobuf'} ${new TextDecoder().decode(payload)}`),
  );
  return { seen, framing: facts.framing.id, textEncoding: facts.textEncoding.id };
};

test.each<[what: string, text: string, name?: string]>([
  ['fields', 'id: 5\nname: "a"\n'],
  ['a comment first', '# proto-message: a.B\nid: 5'],
  ['line breaks first', '\n\nid: 5 name: "a"'],
  ['messages without a colon', 'a { b: 1 }'],
  ['angle brackets', 'a < b: 1 >'],
  ['an extension', '[a.b.c] { d: 1 }'],
  ['lists', 'a: [1, 2] b: [{ c: 1 }, { }]'],
  ['escapes', 'a: "\\n\\003foo" b: 1'],
  ['as protoc prints what it does not know', '1: 150\n2: "testing"\n3 {\n  1: 0x40090fdb\n}'],
  ['a message of a schema in a text', 'name: "message A {" value: "syntax = \'proto3\';"'],
  ['a fault behind enough fields', 'a { b: 1 c: 2 d: "x" e: 4 f: }'],
  ['cut within a text', 'a: 1 b: 2 c: 3 d: "x" e: "not en'],
  ['a fault at once, but a name', 'x y z', 'm.textproto'],
  ['nothing but a comment, and a name', '# empty', 'm.txtpb'],
  ['what could be hex, and a name', 'c: B\n', 'm.txtpb'],
])('%s', async (_, text, name) => {
  expect(await read(text, name)).toEqual({ seen: [`txtpb ${text}`], framing: 'txtpb', textEncoding: 'binary' });
});

test.each<[what: string, text: string]>([
  ['prose', 'Note: this is a text of words.'],
  ['YAML', 'a:\n  - b\n  - c\n'],
  ['a header of HTTP', 'Content-Type: text/plain\nContent-Length: 5\n'],
  ['one field of bytes', 'payload: "\\n\\003foo"'],
  ['hex with colons', '0a:03:66:6f:6f'],
  ['JSON', '{"a": 1}'],
  ['a list of JSON', '[1, 2, 3]'],
  ['a log', 'level: info msg: started in 5 ms'],
  ['names and values with a fault', 'name: x\nage: 3\ncity: y\nbio: a few words'],
  ['a schema', readFileSync(new URL('../../../../schemas/prometheus/remote-write-1.proto', import.meta.url), 'utf8')],
])('%s is not the text format', async (_, text) => {
  expect((await read(text)).framing).not.toBe('txtpb');
});
