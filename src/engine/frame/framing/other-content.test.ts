import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryMessages } from '#testing/arbitrary-message.ts';
import { bytesSource } from '../../bytes/source.ts';
import { readPayloads } from '../payload.ts';
import { otherContent } from './other-content.ts';

const root = new URL('../../../../', import.meta.url);
const file = (name: string): Uint8Array => new Uint8Array(readFileSync(new URL(name, root)));
const latin1 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
const noise = deflateSync(Buffer.from(Array.from({ length: 900 }, (_, n) => (n * n * 31) & 0xff)));
const behind = (head: string): Uint8Array => new Uint8Array([...latin1(head), ...noise]);
const log = (line: string): Uint8Array => latin1(`${line}\n`.repeat(30));

describe('the kind of an input without a message', () => {
  test.each<[string, Uint8Array, string]>([
    ['nothing', new Uint8Array(), 'empty'],
    ['white space', latin1(' \r\n\t \n'), 'blank'],
    ['JSON without objects', latin1('["a", "b", ["c"], null]'), 'json'],
    ['HTML', latin1('<!doctype html>\n<html><body>Moved</body></html>'), 'markup'],
    ['XML', latin1('<?xml version="1.0"?><a/>'), 'markup'],
    ['a schema', file('schemas/prometheus/remote-write-1.proto'), 'schema'],
    ['a log with times', log('2026-11-22T10:31:07.125Z INFO served /search in 12 ms'), 'log'],
    ['a log of klog', log('I1122 10:31:07.125034       1 controller.go:116] synced'), 'log'],
    ['a log in colours', log('10:31:07 \x1b[32mINFO\x1b[0m served'), 'log'],
    [
      'a short log whose records tile it',
      latin1('2026-01-01 10:00:00 INFO started\n2026-01-01 10:00:01 WARN slow\n'),
      'log',
    ],
    ['one line of a log', latin1('ERROR connection refused'), 'log'],
    ['prose', file('ARCHITECTURE.md'), 'text'],
    ['a program’s text', file('scripts/check.ts'), 'text'],
    ['letters that read as records', latin1('i1 345 78q12 456 8i12345678'), 'text'],
    ['PNG', behind('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'), 'media'],
    ['PDF', behind('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n'), 'document'],
    ['ELF', behind('\x7fELF\x02\x01\x01\0'), 'program'],
    ['ZIP', behind('PK\x03\x04\x14\0\0\0\x08\0'), 'archive'],
    ['bzip2', behind('BZh91AY&SY'), 'compressed'],
    ['Parquet', behind('PAR1\x15\x04'), 'table'],
    ['ORC', behind('ORC\n\x0b\n\x03\0\0\0\x12'), 'table'],
    ['a NumPy array', behind('\x93NUMPY\x01\0v\0'), 'table'],
    ['a TensorFlow Lite model', behind('\x1c\0\0\0TFL3\x14\0'), 'table'],
    [
      'Wireshark’s JSON without bytes',
      latin1(
        '[\n  {\n    "_index": "packets-2026-11-22",\n    "_type": "doc",\n    "_score": null,\n    "_source": {\n      "layers": {\n        "frame": {\n          "frame.encap_type": "1"\n        }\n      }\n    }\n  }\n]\n',
      ),
      'dissected',
    ],
    [
      'the same for Elasticsearch',
      latin1(
        '{"index":{"_index":"packets-2026-11-22","_type":"doc"}}\n{"timestamp":"1795380949900","layers":{"frame":{"frame_frame_encap_type":"1"}}}\n',
      ),
      'dissected',
    ],
    [
      'Wireshark’s PDML',
      latin1(
        '<?xml version="1.0" encoding="utf-8"?>\n<?xml-stylesheet type="text/xsl" href="pdml2html.xsl"?>\n<!-- You can find pdml2html.xsl -->\n<pdml version="0" creator="wireshark/4.0.17">\n<packet>\n</packet>\n</pdml>\n',
      ),
      'dissected',
    ],
    ['Wireshark’s PSML', latin1('<?xml version="1.0" encoding="utf-8"?>\n<psml version="0">\n</psml>\n'), 'dissected'],
    [
      'Wireshark’s text',
      latin1(
        'Frame 1: 74 bytes on wire (592 bits), 74 bytes captured (592 bits) on interface {4a6b2b41}\n    Encapsulation type: Ethernet (1)\n    Arrival Time: Nov 22, 2026 20:55:49.900726000 UTC\n',
      ),
      'dissected',
    ],
    [
      'curl’s --trace-ascii',
      latin1(
        '== Info:   Trying 127.0.0.1:4758...\n=> Send header, 147 bytes (0x93)\n0000: POST /v1/traces HTTP/1.1\n001a: Host: 127.0.0.1:4758\n=> Send data, 3 bytes (0x3)\n0000: ..A\n',
      ),
      'curl',
    ],
    [
      'the same with times and ids',
      latin1(
        '02:49:58.136851 [0-0] == Info: Connected to 127.0.0.1\n02:49:58.137018 [0-0] => Send header, 131 bytes (0x83)\n0000: GET /x HTTP/1.1\n',
      ),
      'curl',
    ],
    [
      'curl’s --verbose',
      latin1(
        '*   Trying 127.0.0.1:4758...\n* Connected to 127.0.0.1 (127.0.0.1) port 4758 (#0)\n> GET /x HTTP/1.1\n> Host: 127.0.0.1:4758\n',
      ),
      'curl',
    ],
    ['a trace by curl without a request', latin1('== Info: Could not resolve host: shop\n== Info: Closing\n'), 'text'],
    ['another capture', behind('snoop\0\0\0\0\0\0\x02'), 'captured'],
    // Its header: the opcode, a length of 8 bytes, the profile and the library (https://mcap.dev/spec#header-op0x01).
    ['MCAP', behind('\x89MCAP0\r\n\x01\x11\0\0\0\0\0\0\0\0\0\0\0'), 'recorded'],
  ])('%s', async (_name, bytes, kind) => {
    expect(otherContent(bytes, bytes.length)?.kind).toBe(kind);
    const facts = await readPayloads(bytesSource('x', bytes), {}, () => expect.unreachable());
    expect(facts).toMatchObject({ messages: 0, unattributedBytes: bytes.length, content: { kind } });
  });
});

test('a byte that is white space and a tag is called both', () => {
  expect(otherContent(Uint8Array.of(0x0a), 1)?.what).toBe('0a: white space as text, an incomplete record as protobuf');
});

describe('a message is taken neither for text nor for a file', () => {
  test.each<[string, Uint8Array]>([
    ['one text, its tag and length letters', latin1(`"(${'a'.repeat(40)}`)],
    ['two of them', latin1(`"(${'a'.repeat(40)}*0${'b'.repeat(48)}`)],
    ['two letters: a number', latin1('(*')],
    ['begins as a Windows program does', latin1('MZabc')],
    ['a number that begins as bzip2 does', latin1(`BZ${'h'.repeat(90)}`)],
    ['its beginning is a line break', latin1('\n(and then less than the length says')],
  ])('%s', (_name, bytes) => expect(otherContent(bytes, bytes.length)).toBeNull());

  test('no message of any schema is taken for text or a file', () => {
    fc.assert(
      fc.property(arbitraryMessages(), ({ messages }) => {
        for (const bytes of messages) if (bytes.length > 0) expect(otherContent(bytes, bytes.length)).toBeNull();
      }),
      { numRuns: 300 },
    );
  });
});

test('an input declared as one message is read as one', async () => {
  const bytes = latin1('{"a":1}');
  const seen: number[] = [];
  const facts = await readPayloads(bytesSource('x', bytes), { framing: 'single' }, ({ bytes: size }) =>
    seen.push(size),
  );
  expect(seen).toEqual([7]);
  expect(facts.content).toBeNull();
});
