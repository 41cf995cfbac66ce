/** Items of message sets by their extensions: bytes that Python's protobuf 7.36 wrote, and what may befall them. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileSchema } from '../schema/compile.ts';
import { annotate } from './annotate.ts';
import { addRows, emptyLedger } from './path-totals.ts';
import { Scan } from './scan.ts';
import { statisticsAt } from './statistics.ts';

const proto = readFileSync(new URL('../../../fixtures/schema/message-set.proto', import.meta.url), 'utf8');
const { registry } = compileSchema([{ path: 'message-set.proto', content: proto }]);
const HOLDER = registry.messages.get('ms.Holder')!;
const SET = registry.messages.get('ms.Set')!;

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));
/** set { a { x: 150 s: "hey" inner { b { r: 5 } } } b { r: [1, 2, 300] } } n: 7 */
const HELD = hex(
  '0a2e 0b10e8071a1608960112036865791a0c0b10808c8d9e021a0208050c0c 0b10808c8d9e021a070801080208ac020c 1007',
);

/** Each path with its tag, length and value bytes. */
function pathsOf(type: typeof SET, bytes: Uint8Array): Record<string, readonly number[]> {
  const ledger = emptyLedger();
  const { table } = annotate(bytes, type);
  addRows(ledger, table, bytes);
  const fields = [...ledger.fields].map(([path, { tag, length, value }]) => [path, [tag, length, value]] as const);
  const sum = fields.reduce((total, [, [tag, length, value]]) => total + tag! + length! + value!, ledger.unattributed);
  expect(sum).toBe(bytes.length);
  return Object.fromEntries(fields);
}

test('as Python writes them', () => {
  expect(pathsOf(HOLDER, HELD)).toEqual({
    set: [1, 1, 0],
    'set.[ms.A.a]': [2, 0, 0],
    'set.[ms.A.a].type_id': [1, 0, 2],
    'set.[ms.A.a].message': [1, 1, 0],
    'set.[ms.A.a].message.x': [1, 0, 2],
    'set.[ms.A.a].message.s': [1, 1, 3],
    'set.[ms.A.a].message.inner': [1, 1, 0],
    'set.[ms.A.a].message.inner.[ms.B.b]': [2, 0, 0],
    'set.[ms.A.a].message.inner.[ms.B.b].type_id': [1, 0, 5],
    'set.[ms.A.a].message.inner.[ms.B.b].message': [1, 1, 0],
    'set.[ms.A.a].message.inner.[ms.B.b].message.r': [1, 0, 1],
    'set.[ms.B.b]': [2, 0, 0],
    'set.[ms.B.b].type_id': [1, 0, 5],
    'set.[ms.B.b].message': [1, 1, 0],
    'set.[ms.B.b].message.r': [3, 0, 4],
    n: [1, 0, 1],
  });
});

test.each<readonly [string, string, readonly string[]]>([
  [
    'the message before its type_id',
    '0b 1a020801 10e807 0c',
    ['[ms.A.a]', '[ms.A.a].message', '[ms.A.a].message.x', '[ms.A.a].type_id'],
  ],
  [
    'records between them',
    '0b 22020801 2b2c 10e807 1a020801 0c',
    ['[ms.A.a]', '[ms.A.a].?4', '[ms.A.a].?5', '[ms.A.a].type_id', '[ms.A.a].message', '[ms.A.a].message.x'],
  ],
  ['a type_id that no extension has', '0b 102a 1a020801 0c', ['Item', 'Item.type_id', 'Item.?3']],
  ['no type_id', '0b 1a020801 0c', ['Item', 'Item.?3']],
  [
    'an overlong tag',
    '8b00 10e807 1a020801 0c',
    ['[ms.A.a]', '[ms.A.a].type_id', '[ms.A.a].message', '[ms.A.a].message.x'],
  ],
  ['an extension as a plain field', 'c23e020801', ['[ms.A.a]', '[ms.A.a].x']],
])('%s', (_, bytes, paths) => {
  expect(Object.keys(pathsOf(SET, hex(bytes)))).toEqual(paths);
});

test('cut anywhere, rows sum to the bytes, and a scan equals the sum of the rows', () => {
  for (let end = 0; end <= HELD.length; end++) {
    const bytes = HELD.subarray(0, end);
    const paths = pathsOf(HOLDER, bytes);
    const scan = new Scan(HOLDER);
    scan.add(bytes, 0, end);
    const scanned = Array.from(
      { length: scan.plan.rows },
      (_, row) => [scan.plan.pathOf(row), statisticsAt(scan, row)] as const,
    );
    for (const [path, { tag, length, value }] of scanned) {
      if (tag + length + value > 0) expect([tag, length, value]).toEqual(paths[path]);
    }
    expect(scanned.reduce((sum, [, { tag, length, value }]) => sum + tag + length + value, scan.unattributed)).toBe(
      end,
    );
  }
});
