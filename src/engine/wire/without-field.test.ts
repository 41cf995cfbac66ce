import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileSchema } from '../schema/compile.ts';
import { annotate } from './annotate.ts';
import { addRows, emptyLedger } from './path-totals.ts';
import { withoutField } from './without-field.ts';

const { registry } = compileSchema([
  {
    path: 'a.proto',
    content: `edition = "2023"; message M { string name = 1; M child = 2; repeated int32 n = 3;
      M group = 4 [features.message_encoding = DELIMITED]; map<string, M> map = 5; }`,
  },
]);
const type = registry.messages.get('M')!;
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const without = (bytes: Uint8Array, path: string): Uint8Array => withoutField(bytes, annotate(bytes, type).table, path);

test.each([
  ['a value', '0a0161 180118 02'.replaceAll(' ', ''), 'n', '0a0161'],
  ['what lies in a message, whose length shrinks', '1205 0a0161 1801', 'child.name', '1202 1801'],
  ['all of a message: it stays, empty', '1203 0a0161', 'child.name', '1200'],
  ['a message whole', '0a0162 1203 0a0161', 'child', '0a0162'],
  ['what lies in a group', '23 0a0161 1801 24', 'group.name', '23 1801 24'],
  ['the keys of a map', '2a05 0a0161 1200', 'map.key', '2a02 1200'],
  ['what is not there', '0a0161', 'child.n', '0a0161'],
])('without %s', (_name, bytes, path, rest) => {
  expect(hex(without(Buffer.from(bytes.replaceAll(' ', ''), 'hex'), path))).toBe(rest.replaceAll(' ', ''));
});

test('a length of two bytes becomes one of one', () => {
  const long = Uint8Array.of(0x12, 0x86, 1, 0x18, 1, 0x0a, 0x81, 1, ...new Array<number>(129).fill(0x61), 0x18, 2);
  expect(hex(without(long, 'child.name'))).toBe('120218011802');
});

test('any bytes: the other fields keep their values’ bytes, and only the field goes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      const whole = emptyLedger();
      addRows(whole, annotate(bytes, type).table, bytes);
      for (const path of whole.fields.keys()) {
        const rest = without(bytes, path);
        const left = emptyLedger();
        if (whole.unattributed > 0) continue;
        addRows(left, annotate(rest, type).table, rest);
        expect(left.fields.has(path)).toBe(false);
        for (const [other, ledger] of whole.fields) {
          if (other === path || other.startsWith(`${path}.`)) continue;
          expect(left.fields.get(other)?.occurrences).toBe(ledger.occurrences);
          if (!path.startsWith(`${other}.`)) expect(left.fields.get(other)?.value).toBe(ledger.value);
        }
      }
    }),
    { numRuns: 500 },
  );
});
