/** JSON texts → messages: what they are, and what stands between them, in chunks of any size. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesSource } from '../../bytes/source.ts';
import { readPayloads } from '../payload.ts';
import { json } from './json.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

test.each<[what: string, text: string, texts: readonly string[]]>([
  ['one', '{"a":1}', ['{"a":1}']],
  ['over several lines', '{\n  "a": [1, {"b": "}"}]\n}\n', ['{\n  "a": [1, {"b": "}"}]\n}']],
  ['a text a line', '{"a":1}\n{"a":2}\r\n\n{"b":[3]}\n', ['{"a":1}', '{"a":2}', '{"b":[3]}']],
  ['one behind the other', '{"a":1}{"a":2}', ['{"a":1}', '{"a":2}']],
  ['a list of them', ' [ {"a":1} , {"a":2} ] ', ['{"a":1}', '{"a":2}']],
  ['quotes and escapes', '{"a":"\\"}{"}', ['{"a":"\\"}{"}']],
  ['behind a byte order mark', '\ufeff{"a":1}', ['{"a":1}']],
  ['a comma too many', '{"name": "x", "list": [1,2,],}', ['{"name": "x", "list": [1,2,],}']],
  ['cut off', '{"a":1}\n{"a": "xyz', ['{"a":1}', '{"a": "xyz']],
])('%s', async (_, text, texts) => {
  const seen: string[] = [];
  const take = (_message: unknown, payload: Uint8Array): number => seen.push(new TextDecoder().decode(payload));
  const facts = await readPayloads(bytesSource('x', bytesOf(text)), {}, take);
  expect(seen).toEqual(texts);
  expect(facts).toMatchObject({ content: null, framing: { id: 'json' } });
  expect(facts.framingBytes + facts.payloadBytes).toBe(bytesOf(text).length);
});

test('messages do not depend on chunks, and every byte is in a message or between two', () => {
  const part = fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', ' ', '\n', '1', 'a', '{"a":[1]}', '\ufeff');
  fc.assert(
    fc.property(fc.array(part), fc.array(fc.nat(20)), (parts, cuts) => {
      const bytes = bytesOf(parts.join(''));
      const read = (sizes: readonly number[]) => {
        const framer = json.create(bytes.length);
        const seen: string[] = [];
        const spans: number[][] = [];
        let from = 0;
        for (const size of [...sizes, bytes.length]) {
          const end = Math.min(bytes.length, from + size);
          framer.push(bytes.subarray(from, end), end === bytes.length, ({ body }, payload) => {
            seen.push(Buffer.from(payload).toString('latin1'));
            spans.push([body.pieces[0]!.start, body.pieces[0]!.end]);
          });
          if (end === bytes.length) break;
          from = end;
        }
        for (const [at, [start, end]] of spans.entries()) {
          expect(Buffer.from(bytes.subarray(start, end)).toString('latin1')).toBe(seen[at]);
          if (at > 0) expect(start).toBeGreaterThanOrEqual(spans[at - 1]![1]!);
        }
        return [seen, framer.facts()];
      };
      expect(read(cuts)).toEqual(read([]));
    }),
    { numRuns: 2000 },
  );
});
