import { expect, test } from 'vitest';
import { readBits } from '../../compression/bits/read-bits.ts';
import { encodeSnappy } from '../../compression/snappy-encode.ts';
import { BodySpans } from '../../cost/field-bits.ts';
import { copiedFrom } from './copied-from.ts';

const TEXT = 'sphinx of black quartz, judge my vow';

test('a string of an earlier message is copied from there; new bytes are literals', () => {
  const first = new TextEncoder().encode(`0123456789${TEXT}`);
  const second = new TextEncoder().encode(`new ${TEXT}`);
  const plain = Buffer.concat([first, second]);
  const stream = readBits(encodeSnappy(plain), 'snappy');
  if (!stream.ok) throw new Error(stream.detail);
  const spans = new BodySpans();
  spans.enter(10, 'id', 'value');
  spans.enter(first.length, 'text', 'value');
  spans.enter(plain.length, 'other', 'value');
  const messages = [
    { ordinal: 7, start: 0, end: first.length },
    { ordinal: 8, start: first.length, end: plain.length },
  ];
  const { stretches, more } = copiedFrom({ stream, spans }, messages, messages[1]!, { start: 0, end: second.length });
  expect(more).toBe(0);
  // The encoder does not look for a copy at every byte: which bytes of the text are literals is its affair.
  const copies = stretches.filter(({ from }) => from !== null);
  expect(copies.at(-1)?.end).toBe(second.length);
  for (const { start, from } of copies) {
    expect(from).toEqual({ distance: first.length - 6, ordinal: 7, offset: start + 6, path: 'text' });
  }
  expect(stretches[0]).toMatchObject({ start: 0, from: null });
  const paid = stretches.reduce((sum, { bits }) => sum + bits, 0);
  expect(paid).toBeGreaterThan(4 * 8);
  expect(paid).toBeLessThan(8 * 8 + 2 * 8 + 6 * 8);
});

test('the part of a long span that is not listed is counted', () => {
  const plain = Uint8Array.from({ length: 4000 }, (_, at) => (at % 40 < 8 ? (at * 2654435761) >>> 24 : at % 40));
  const stream = readBits(encodeSnappy(plain), 'snappy');
  if (!stream.ok) throw new Error(stream.detail);
  const whole = { ordinal: 0, start: 0, end: plain.length };
  const { stretches, more } = copiedFrom({ stream, spans: new BodySpans() }, [whole], whole, whole);
  expect(stretches).toHaveLength(12);
  expect(more).toBe(plain.length - stretches.at(-1)!.end);
  expect(stretches.find(({ from }) => from !== null)?.from?.path).toBeNull();
});
