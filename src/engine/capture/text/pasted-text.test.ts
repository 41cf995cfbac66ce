/** Each form of docs/pasted-text.md, as the tool writes it. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { judgeTextEncodings, TEXT_ENCODINGS } from './detect-text-encoding.ts';

const page = readFileSync(new URL('../../../../docs/pasted-text.md', import.meta.url), 'utf8');

const cells = (row: string): readonly string[] =>
  row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
/** The text between the backticks of a cell. */
const code = (cell: string): string => cell.replace(/^`|`$/g, '').replaceAll('⏎', '\n');

const ROWS = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && line.includes('`'))
  .map(cells);

function decode(text: string) {
  const input = new TextEncoder().encode(text);
  const [best] = judgeTextEncodings(input, input.length);
  const read = TEXT_ENCODINGS.find(({ id }) => id === best!.id)!.read;
  const { bytes, diagnostics } = read === null ? { bytes: input, diagnostics: [] } : read(input);
  const faults = diagnostics.filter(({ severity }) => severity !== 'info');
  return { id: best!.id, reason: best!.reason, hex: Buffer.from(bytes).toString('hex'), diagnostics: faults };
}

test('the page has a row for each text encoding', () => {
  const shown = new Set(ROWS.map((row) => code(row[2]!)));
  const captures = ['curl-trace', 'burp', 'charles'];
  expect([...shown].sort()).toEqual(
    TEXT_ENCODINGS.map(({ id }) => id)
      .filter((id) => id !== 'binary' && !captures.includes(id))
      .sort(),
  );
});

test.each(ROWS.map((row) => [row[0]!, code(row[1]!), code(row[2]!), code(row[3]!)] as const))(
  '%s: %s',
  (_, text, id, hex) => {
    const { reason, ...read } = decode(text);
    expect(read).toEqual({ id, hex, diagnostics: [] });
    expect(reason).not.toBe('');
    expect(decode(`${text}\n`)).toMatchObject({ id, hex });
  },
);

describe('an omission by a tool is reported with its place', () => {
  test.each([
    ['a Buffer', '<Buffer 0a 03 ... 50 more bytes>', '0a03', 'capture/shortened', 14],
    ['a typed array', 'Uint8Array(200) [ 10, 3, ... 198 more items ]', '0a03', 'capture/shortened', 25],
    ['od without offsets', ' 0a 03 66 6f\n*\n 6f\n', '0a03666f', 'capture/shortened', 13],
    ['the same of Windows', ' 0a 03 66 6f\r\n*\r\n 6f\r\n', '0a03666f', 'capture/shortened', 14],
    ['a body in a file', 'curl --data-binary @body.bin http://localhost/', '', 'capture/body-in-file', 5],
    [
      'an unknown program',
      'echo CgM= | base64 -d | gzip | curl --data-binary @- x',
      '0a03',
      'capture/shell-program',
      24,
    ],
  ])('%s', (_, text, hex, diagnosticCode, start) => {
    const read = decode(text);
    expect(read.hex).toBe(hex);
    expect(read.diagnostics.map((diagnostic) => [diagnostic.code, diagnostic.start])).toEqual([
      [diagnosticCode, start],
    ]);
  });
});

test.each([
  ['an address', '2026-01-02T03:04:05Z POST http://10.0.0.1/x 0a03666f6f10960118a001'],
  ['any media type', '2026-01-02T03:04:05Z Accept: */* 0a03666f6f10960118a001'],
])('%s does not begin a comment', (_, text) => {
  expect(decode(text)).toMatchObject({ id: 'hex', hex: '0a03666f6f10960118a001' });
});

test.each([
  ['a JSON document', '{"a": "\\n", "b": [10, 3]}'],
  ['a log line', '2026-01-02T03:04:05Z ERROR upstream: 500 "GET /\\n"'],
  ['a string literal in a line of a log', "DEBUG:root:payload: b'\\n\\x03foo'"],
  ['hex digits in pairs beside a time', '03:04:05.123 DEBUG sent 5 bytes: 0a 03 66 6f 6f'],
  ['a curl command without a body', 'curl -H "a: b" https://localhost/'],
  ['a .proto file', 'syntax = "proto3";\nmessage A { string b = 1; }'],
  ['bytes and characters', "[]byte{\n\t0x0a, 0x05, 'A', 'l', 'i', 'c', 'e',\n\t0x10, 0x2a,\n}"],
  ['numbers in a call of something else', 'some(10, 5, 65, 108, 105, 99, 101, 16, 42)'],
  ['a sentence with a percent sign', '50% of it'],
  ['a path', '/reports/caf%C3%A9/a%20b'],
])('%s is not changed', (_, text) => {
  expect(decode(text).id).toBe('binary');
});
