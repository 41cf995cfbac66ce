import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MarkSearch } from './mark-search.ts';
import { StreamWindow } from './window.ts';

const MARK = '\r\n\r\n';
const isMarkAt = (bytes: Uint8Array, at: number): boolean =>
  [...MARK].every((char, index) => bytes[at + index] === char.charCodeAt(0));

test('the first mark of growing bytes is found, wherever they were cut and consumed', () => {
  const text = fc.array(fc.constantFrom('\r', '\n', MARK, 'a', 'bc'), { maxLength: 60 });
  const steps = fc.array(fc.record({ grow: fc.nat({ max: 9 }), skip: fc.nat({ max: 4 }), eat: fc.nat({ max: 4 }) }));
  let found = 0;
  fc.assert(
    fc.property(text, steps, (parts, moves) => {
      const all = Buffer.from(parts.join(''), 'latin1');
      const window = new StreamWindow();
      const search = new MarkSearch(MARK.length, (bytes, from, end) => {
        for (let at = from; at < end; at++) if (isMarkAt(bytes, at)) return at;
        return -1;
      });
      let sent = 0;
      let asked = 0;
      for (const { grow, skip, eat } of moves) {
        const next = Math.min(all.length, sent + grow);
        window.borrow(all, sent, next, sent, null);
        window.settle();
        sent = next;
        window.consume(Math.min(eat, window.length));
        asked = Math.min(sent, Math.max(window.position, asked + skip));
        const shift = window.start - window.position;
        const at = search.from(window, asked + shift);
        const expected = all.subarray(0, sent).indexOf(MARK, asked, 'latin1');
        expect(at < 0 ? -1 : at - shift).toBe(expected);
        if (expected >= 0) found++;
      }
    }),
    { numRuns: 1000 },
  );
  expect(found).toBeGreaterThan(100);
});

test('bytes without a mark are searched once', () => {
  let searched = 0;
  const search = new MarkSearch(1, (_, from, end) => {
    searched += end - from;
    return -1;
  });
  const window = new StreamWindow();
  const bytes = new Uint8Array(1000);
  for (let at = 0; at < 1000; at += 10) {
    window.borrow(bytes, at, at + 10, at, null);
    window.settle();
    for (let place = 0; place < 5; place++) search.from(window, window.start + at);
  }
  expect(searched).toBe(1000);
});
