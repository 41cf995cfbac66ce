/** Many inputs are listed in part. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type InputRead, readInput } from '#engine/analysis/read-input.ts';
import { bytesSource } from '#engine/bytes/source.ts';
import { printInputs } from './input-text.ts';

const capture = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../../fixtures/capture/${name}`, import.meta.url)));
const read = (name: string, bytes: Uint8Array): Promise<InputRead> =>
  readInput(bytesSource(name, bytes), name.endsWith('.bin') ? { framing: 'varint' } : {}, () => undefined);

const whole = await read('whole.bin', Uint8Array.of(2, 8, 1));
/** The size of its last message is larger than the file. */
const ending = await read('ending.bin', Uint8Array.of(2, 8, 1, 9, 8));
const cut = await read('cut.pcapng', capture('opensearch-cut-by-snaplen.pcapng'));

const many = (count: number, input: InputRead): readonly InputRead[] =>
  Array.from({ length: count }, () => ({ ...input }));

/** Names of the listed inputs by their number, the losses, and the line of the others. */
function listed(inputs: readonly InputRead[]) {
  const lines = printInputs(inputs).trimEnd().split('\n');
  const count = (start: string): number => lines.filter((line) => line.startsWith(start)).length;
  return {
    files: count('whole.bin: ') + count('ending.bin: '),
    captures: count('cut.pcapng: '),
    losses: count('29 of 263 packets are cut'),
    rest: lines.find((line) => line.startsWith('and ')),
  };
}

test.each([
  ['as many as are listed, and one more', many(21, whole), { files: 21, captures: 0, losses: 0, rest: undefined }],
  ['two more', many(22, whole), { files: 20, captures: 0, losses: 0, rest: 'and 2 inputs more: 6 bytes, 2 messages' }],
  [
    'bytes that no rule explains',
    [...many(20, whole), whole, { ...ending }],
    { files: 20, captures: 0, losses: 0, rest: 'and 2 inputs more: 8 bytes, 2 messages, 2 bytes unattributed' },
  ],
  [
    'a capture with cut packets behind them',
    [...many(25, whole), cut],
    { files: 20, captures: 1, losses: 1, rest: 'and 5 inputs more: 15 bytes, 5 messages' },
  ],
  [
    'more such captures than are listed',
    [...many(20, whole), ...many(23, cut)],
    {
      files: 20,
      captures: 20,
      losses: 20,
      rest: expect.stringMatching(/^and 3 inputs more: .* packets of 3 captures are cut or missing$/),
    },
  ],
] as const)('%s', (_name, inputs, expected) => {
  expect(listed(inputs)).toEqual(expected);
});

test.each([
  ['varint', Uint8Array.of(2, 8, 1), '1 byte of framing'],
  ['bulk', new TextEncoder().encode('{"index":{}}\n{"a":1}\n'), '14 bytes of action lines'],
  ['msearch', new TextEncoder().encode('{}\n{"query":{}}\n'), '4 bytes of search headers'],
])('the bytes around messages are named: %s', async (framing, bytes, words) => {
  const input = await readInput(bytesSource('x', bytes), { framing }, () => undefined);
  expect(printInputs([input]).trimEnd().split(', ').at(-1)).toBe(words);
});
