import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emptyLayers } from '../capture/containers/packets-layers.ts';
import { Reassembler } from './reassembly.ts';

/** `at:text`, with `+n` for n bytes that were on the wire and not captured; a hole as `<n>`, of these as `<+n>`. */
function feed(segments: readonly string[], base: number, isFirst: boolean) {
  const layers = emptyLayers();
  let said = '';
  let late = 0;
  let captured = '';
  const stream = new Reassembler(layers);
  stream.sink = {
    data: (bytes, start, end, captureOffset) => {
      const text = new TextDecoder().decode(bytes.subarray(start, end));
      expect(captured.slice(captureOffset, captureOffset + end - start)).toBe(text);
      said += text;
    },
    hole: (size, _at, _time, isCut) => {
      said += `<${isCut ? '+' : ''}${size}>`;
    },
    late: (size) => {
      expect(size).toBeGreaterThan(0);
      late += size;
    },
  };
  stream.begin(base, isFirst);
  for (const segment of segments) {
    const [, at, text = '', cut] = /^(-?\d+):([^+]*)(?:\+(\d+))?$/.exec(segment)!;
    const bytes = new TextEncoder().encode(`..${text}.`);
    const sequence = (base + Number(at)) >>> 0;
    const captureOffset = captured.length;
    captured += text;
    const end = bytes.length - 1;
    stream.segment({ sequence, bytes, start: 2, end, captureOffset, cut: Number(cut ?? 0), time: null });
  }
  return { stream, heard: () => ({ said, retransmitted: layers.retransmitted, late }) };
}

function reassemble(segments: readonly string[], base = 1000, isFirst = true) {
  const { stream, heard } = feed(segments, base, isFirst);
  stream.end();
  return heard();
}

test.each([
  ['in order', ['0:ab', '2:cd'], 'abcd', 0],
  ['out of order', ['2:cd', '4:ef', '0:ab'], 'abcdef', 0],
  ['retransmitted', ['0:ab', '0:ab', '2:cd'], 'abcd', 2],
  ['the first bytes win, delivered', ['0:abc', '1:XYde'], 'abcde', 2],
  ['the first bytes win, waiting', ['2:cde', '1:XYZ', '0:a'], 'aXcde', 2],
  ['a segment around a waiting one', ['2:c', '0:XYZWV'], 'XYcWV', 1],
  ['a segment around two waiting ones', ['1:b', '3:d', '0:XXXXX'], 'XbXdX', 2],
  ['a hole that nothing fills', ['0:ab', '5:fg'], 'ab<3>fg', 0],
  ['two holes', ['0:a', '3:d', '6:g'], 'a<2>d<2>g', 0],
  ['cut by the snap length', ['0:ab+3', '5:fg'], 'ab<+3>fg', 0],
  ['cut, with the next one waiting', ['5:fg', '0:ab+3'], 'ab<+3>fg', 0],
  ['cut, with another one waiting within', ['4:efg', '0:ab+3'], 'ab<+2>efg', 0],
  ['cut, and received before', ['2:c', '0:ab+1'], 'abc', 0],
  ['cut around a waiting one', ['2:c', '0:abXd+2', '6:g'], 'abcd<+2>g', 1],
  ['cut to nothing', ['0:+4', '4:e'], '<+4>e', 0],
  ['cut to nothing, out of order', ['4:+4', '8:i', '0:abcd'], 'abcd<+4>i', 0],
  ['cut to nothing, out of order, and the last', ['4:+4', '0:abcd'], 'abcd<+4>', 0],
  ['cut to nothing by bytes that were received before', ['0:abcd', '8:i', '0:+2', '4:efgh'], 'abcdefghi', 0],
  ['cut to nothing, within what waits', ['4:efgh', '5:+2', '0:abcd'], 'abcdefgh', 0],
  [
    'nothing at all, too often to wait for',
    ['0:a', ...Array.from({ length: 200 }, (_, i) => `${9 + i}:`), '1:b'],
    'ab',
    0,
  ],
  ['a keep-alive', ['0:ab', '1:X', '2:c'], 'abc', 1],
])('%s', (_name, segments, said, retransmitted) => {
  expect(reassemble(segments)).toEqual({ said, retransmitted, late: 0 });
  expect(reassemble(segments, 2 ** 32 - 3)).toEqual({ said, retransmitted, late: 0 });
});

test.each([
  ['one that fills the hole', ['1:b'], 1, 1],
  ['the same again is a retransmission', ['1:b', '1:b'], 2, 1],
  ['around the hole', ['0:aBd'], 3, 1],
  ['beside the hole', ['0:a', '2:c'], 2, 0],
  ['far behind the hole, then in it', ['10:c', '5:c', '1:b'], 3, 1],
])('bytes of a hole that come after it was given up: %s', (_name, after, retransmitted, late) => {
  const waiting = Array.from({ length: 129 }, (_, at) => `${2 + at}:c`);
  const all = `a<1>${'c'.repeat(129)}`;
  for (const base of [1000, 2 ** 32 - 3])
    expect(reassemble(['0:a', ...waiting, ...after], base)).toEqual({ said: all, retransmitted, late });
});

test.each([
  ['before all that wait', ['0:fg', '9:x', '-2:d'], 'fg<7>x', 1, 1],
  ['and they end among those that were delivered', ['0:fg', '9:x', '-2:deX'], 'fg<7>x', 3, 2],
  ['and they end behind those', ['0:fg', '9:x', '-2:deXYh'], 'fgh<6>x', 4, 2],
])('bytes that come too late while others wait: %s', (_name, segments, said, retransmitted, late) => {
  expect(reassemble(segments, 1000, false)).toEqual({ said, retransmitted, late });
});

test('bytes that waited are delivered with those that fill the gap', () => {
  expect(feed(['0:a', '2:c', '1:b'], 1000, true).heard().said).toBe('abc');
});

test.each([
  ['are late if the stream was captured from its middle', false, 2],
  ['were sent twice if its start is known', true, 0],
])('bytes before the first ones %s', (_name, isFirst, late) => {
  expect(reassemble(['0:fg', '-2:de', '2:h'], 1000, isFirst)).toEqual({ said: 'fgh', retransmitted: 2, late });
});

test('a gap counts as lost once too many bytes wait after it', () => {
  const segments = ['0:a', ...Array.from({ length: 200 }, (_, i) => `${10 + i}:x`), '1:late'];
  expect(reassemble(segments)).toEqual({ said: `a<9>${'x'.repeat(200)}`, retransmitted: 4, late: 4 });
});

test.each([
  ['128 segments wait', 128, 1, 0],
  ['129 segments do not', 129, 1, 1],
  ['64 × 64 KiB wait', 64, 1 << 16, 0],
  ['more do not', 65, 1 << 16, 1],
])('a gap is waited for: %s, and those that waited before do not count', (_name, count, size, late) => {
  const waiting = (gap: number, some: number): string[] =>
    Array.from({ length: some }, (_, at) => `${gap + 1 + at * size}:${'x'.repeat(size)}`);
  const gap = 1 + 60 * size;
  expect(reassemble([...waiting(0, 60), '0:a', ...waiting(gap, count), `${gap}:b`]).late).toBe(late);
});

test('the last 64 holes are known', () => {
  // One byte of two; the holes are given up one after another.
  const every = (count: number): string[] => Array.from({ length: count }, (_, at) => `${2 * at}:x`);
  expect(reassemble([...every(129 + 64), '1:b']).late).toBe(1);
  expect(reassemble([...every(129 + 65), '1:b', '3:d']).late).toBe(1);
});

describe('any segments of a text', () => {
  const sent = 'abcdefghijklmnopqrstuvwxyz0123456789';
  const piece = fc.tuple(fc.nat(sent.length - 1), fc.integer({ min: 1, max: 12 }));

  test('segments that cover a gap deliver each byte once', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.nat(2 ** 32 - 1), (pieces, base) => {
        const cover = Array.from({ length: sent.length }, (_, at) => [at, 1] as const);
        const segments = [...pieces, ...cover].map(([at, size]) => `${at}:${sent.slice(at, at + size)}`);
        const total = segments.reduce((sum, segment) => sum + segment.split(':')[1]!.length, 0);
        expect(reassemble(segments, base)).toEqual({ said: sent, retransmitted: total - sent.length, late: 0 });
      }),
      { numRuns: 1000 },
    );
  });
});
