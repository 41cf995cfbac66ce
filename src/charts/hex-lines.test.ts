import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asciiOf, chooseHexColumns, edgesAt, hexPair, lineCount, offsetDigits } from './hex-lines.ts';

describe('edgesAt', () => {
  /** An outline drawn over lines of eight: each cell's edges, `·` where it is inside without any. */
  const drawn = (start: number, end: number) =>
    Array.from({ length: 3 }, (_, line) =>
      Array.from({ length: 8 }, (_, column) => {
        const offset = line * 8 + column;
        return offset < start || offset >= end ? '-' : edgesAt(offset, { start, end }, 8) || '·';
      }).join(' '),
    );

  test.each([
    ['one byte', 3, 4, ['- - - trbl - - - -', '- - - - - - - -', '- - - - - - - -']],
    ['within a line', 2, 5, ['- - tbl tb trb - - -', '- - - - - - - -', '- - - - - - - -']],
    ['over the line’s end', 6, 10, ['- - - - - - tbl trb', 'tbl trb - - - - - -', '- - - - - - - -']],
    ['whole lines', 0, 24, ['tl t t t t t t tr', 'l · · · · · · r', 'bl b b b b b b rb']],
    ['none', 5, 5, ['- - - - - - - -', '- - - - - - - -', '- - - - - - - -']],
  ])('%s', (_, start, end, lines) => {
    expect(drawn(start, end)).toEqual(lines);
  });

  test('an edge is where the neighbour on that side is not selected', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.nat(80), fc.nat(300), fc.constantFrom(8, 16), (start, size, offset, columns) => {
        const span = { start, end: start + size };
        const isIn = (at: number) => at >= span.start && at < span.end;
        const column = offset % columns;
        const expected = isIn(offset)
          ? [
              isIn(offset - columns) ? '' : 't',
              column < columns - 1 && isIn(offset + 1) ? '' : 'r',
              isIn(offset + columns) ? '' : 'b',
              column > 0 && isIn(offset - 1) ? '' : 'l',
            ].join('')
          : '';
        expect(edgesAt(offset, span, columns)).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });
});

test.each([
  ['wide', 900, 1000, 16, false],
  ['beside a rail', 460, 1000, 16, true],
  ['narrow', 420, 1000, 8, false],
  ['narrow, but eight a line would be too tall to draw', 420, 10_000_000, 16, true],
] as const)('columns: %s', (_, width, bytes, columns, isTight) => {
  expect(chooseHexColumns(width, bytes, 6.75)).toEqual({ columns, isTight });
});

test.each([
  ['nothing is a line still', lineCount(0, 16), 1],
  ['a full line', lineCount(16, 16), 1],
  ['and one more', lineCount(17, 16), 2],
  ['small offsets have four digits', offsetDigits(10), 4],
  ['larger ones what they need', offsetDigits(10_000_000), 6],
  ['a letter', asciiOf(0x41), 'A'],
  ['a space', asciiOf(0x20), ' '],
  ['the last that prints', asciiOf(0x7e), '~'],
  ['a control', asciiOf(0x0a), '·'],
  ['delete', asciiOf(0x7f), '·'],
  ['beyond ASCII', asciiOf(0xe4), '·'],
  ['hex has two digits', hexPair(7), '07'],
])('%s', (_, given, expected) => {
  expect(given).toBe(expected);
});
