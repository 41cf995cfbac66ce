/** The recorded hour of a cluster: its layouts explain every byte, and docs/cluster-cost.md has its figures. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ProfileJson } from '#engine/cost/profile-json.ts';
import { run } from './run.ts';
import { printCount, printPercent } from './text-table.ts';

const PROJECT = join(import.meta.dirname, '../..');
const HOUR = 'fixtures/capture/opensearch-hour.pcap.zst';

interface Hour {
  readonly inputs: readonly { readonly layers: Readonly<Record<string, number>> }[];
  readonly coverage: Readonly<Record<'all' | 'explained', { readonly messages: number; readonly bytes: number }>>;
  readonly types: readonly ProfileJson[];
  readonly diagnostics: readonly unknown[];
}

test('the recorded hour is read whole, and its plain figures in the docs are as measured', async () => {
  const { code, out } = await run(['analyze', join(PROJECT, HOUR), '--json']);
  expect(code).toBe(0);
  const { inputs, coverage, types, diagnostics }: Hour = JSON.parse(out);
  expect(diagnostics).toEqual([]);
  expect([inputs[0]!.layers['unattributed'], inputs[0]!.layers['incomplete']]).toEqual([0, 0]);
  expect(coverage.explained).toEqual(coverage.all);

  const rows = types
    .map(({ type, messages, bytes }) => ({ name: type.slice(type.lastIndexOf('.') + 1), messages, ...bytes }))
    .toSorted((a, b) => b.native - a.native);
  const all = rows.reduce(
    (sum, { messages, native, protobuf }) => ({
      name: 'all',
      messages: sum.messages + messages,
      native: sum.native + native,
      protobuf: sum.protobuf + protobuf,
    }),
    { name: 'all', messages: 0, native: 0, protobuf: 0 },
  );
  expect(all).toMatchObject({ messages: coverage.all.messages, native: coverage.all.bytes });
  const change = ({ native, protobuf }: typeof all): string => {
    if (native === 0) return '';
    const share = protobuf / native - 1;
    return share > 0 ? `+${printPercent(share)}` : printPercent(share);
  };
  const measured = [...rows, all].map((row) =>
    [
      row.name,
      printCount(row.messages),
      printPercent(row.native / all.native),
      printCount(row.native),
      change(row),
    ].join(' | '),
  );

  const docs = readFileSync(join(PROJECT, 'docs/cluster-cost.md'), 'utf8');
  const start = docs.indexOf(`<!-- wirecost types ../${HOUR}`);
  expect(start).toBeGreaterThan(0);
  const table = docs.slice(start, docs.indexOf('<!-- /wirecost -->', start)).split('\n');
  const shown = table.filter((line) => line.startsWith('| ')).map((line) => line.slice(2).split(' | ').slice(0, 5));
  const figures = shown.slice(2).map((cells) => cells.join(' | '));
  expect(figures.toSorted()).toEqual(measured.toSorted());
}, 120_000);
