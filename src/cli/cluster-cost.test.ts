/** The recorded hour of a cluster: its layouts explain every byte, and docs/cluster-cost.md has its figures. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ProfileJson } from '#engine/cost/profile-json.ts';
import { type Measured, measure } from './measure/measure.ts';
import { TypeSamples } from './measure/type-samples.ts';
import { parseOptions } from './options/arguments.ts';
import { printJson } from './output/profile-json.ts';
import { printCount, printPercent, printSignedPercent } from './output/text-table.ts';
import { printTypes } from './output/types-table.ts';

const PROJECT = join(import.meta.dirname, '../..');
const DOCS = readFileSync(join(PROJECT, 'docs/cluster-cost.md'), 'utf8');
const HOUR = 'opensearch-hour.pcap.zst';
const CLUSTER = 'opensearch-cluster.pcap.zst';

/** Types whose every figure is measured again; to compress all messages takes a minute and a half. */
const MEASURED_AGAIN: Readonly<Record<string, readonly string[]>> = {
  [HOUR]: [
    'ErrorResponse',
    'NodeInfo',
    'QueryFetchSearchResult',
    'GetAllPitNodeResponse',
    'MultiGetShardResponse',
    'StartedShardEntry',
    'RecoveryOnNodeResponse',
    'NodeStats',
    'FailedShardEntry',
    'CanMatchResponse',
    'AcknowledgedResponse',
    'OpenIndexResponse',
  ],
  [CLUSTER]: [
    'FetchSearchResultProto',
    'QuerySearchResult',
    'ErrorResponse',
    'NodeInfo',
    'QueryFetchSearchResult',
    'NodeStats',
  ],
};

interface Hour {
  readonly inputs: readonly { readonly layers: Readonly<Record<string, number>> }[];
  readonly coverage: Readonly<Record<'all' | 'explained', { readonly messages: number; readonly bytes: number }>>;
  readonly types: readonly ProfileJson[];
  readonly diagnostics: readonly unknown[];
}

/** A table of the docs: what follows the capture in its mark, and the cells of its rows, by their first one. */
function tableOf(capture: string): {
  readonly options: readonly string[];
  readonly rows: readonly (readonly string[])[];
} {
  const mark = `<!-- wirecost types ../fixtures/capture/${capture} `;
  const start = DOCS.indexOf(mark);
  expect(start).toBeGreaterThan(0);
  const block = DOCS.slice(start + mark.length, DOCS.indexOf('<!-- /wirecost -->', start)).split('\n');
  return { options: block[0]!.replace(' -->', '').split(' '), rows: cellsOf(block) };
}

/** Without the two lines of the head. */
const cellsOf = (lines: readonly string[]): readonly (readonly string[])[] =>
  lines
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => line.slice(2, -2).split(' | '));

describe.each([HOUR, CLUSTER])('%s', (capture) => {
  const samples = new TypeSamples();
  const { options: given, rows } = tableOf(capture);
  const options = parseOptions(
    [join(PROJECT, 'fixtures/capture', capture), ...given],
    ['encodings', 'compressor', 'most'],
  );
  const names = new Set(MEASURED_AGAIN[capture]);
  let measured: Measured;

  beforeAll(async () => {
    measured = await measure(options, {
      both: (type, both, from) => {
        if (names.has(type.name)) samples.add(type, both, from);
      },
    });
  }, 120_000);

  test('is read whole, and the plain figures of all its types in the docs are as measured', () => {
    const { inputs, coverage, types, diagnostics }: Hour = JSON.parse([...printJson(measured, null)].join(''));
    expect(diagnostics).toEqual([]);
    expect([inputs[0]!.layers['unattributed'], inputs[0]!.layers['incomplete']]).toEqual([0, 0]);
    expect(coverage.explained).toEqual(coverage.all);

    const sums = types
      .map(({ type, messages, bytes }) => ({ name: type.slice(type.lastIndexOf('.') + 1), messages, ...bytes }))
      .toSorted((a, b) => b.native - a.native);
    const all = sums.reduce(
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
      return printSignedPercent(protobuf / native - 1);
    };
    const most = Number(given[given.indexOf('--most') + 1]);
    const shown = [...sums.slice(0, most), all].map((row) =>
      [
        row.name,
        printCount(row.messages),
        printPercent(row.native / all.native),
        printCount(row.native),
        change(row),
      ].join(' | '),
    );
    const inDocs = rows.filter(([name]) => !name!.endsWith(' others')).map((cells) => cells.slice(0, 5).join(' | '));
    expect(inDocs.toSorted()).toEqual(shown.toSorted());
  }, 120_000);

  test('figures of some of its types, in every encoding and after every compressor, are as in the docs', async () => {
    const again = cellsOf((await printTypes(samples, measured, options)).split('\n')).filter(
      ([name]) => name !== 'all',
    );
    expect(again.map(([name]) => name).toSorted()).toEqual([...names].toSorted());
    // The share is of what was measured.
    const figures = (cells: readonly string[]): readonly string[] => [...cells.slice(0, 2), ...cells.slice(3)];
    for (const cells of again) {
      expect(rows.filter(([name]) => name === cells[0]).map(figures)).toEqual([figures(cells)]);
    }
  }, 120_000);

  test('the last row of the docs is the sum of the others, before and after each compressor', () => {
    const numbers = rows.map((cells) => [1, 3, 7, 11].map((at) => Number(cells[at]!.replaceAll(',', ''))));
    const sums = numbers.slice(0, -1).reduce((sum, row) => sum.map((bytes, at) => bytes + row[at]!));
    expect(numbers.at(-1)).toEqual(sums);
  });
});

test('the answer at the head of the docs is what the last row of the hour says', () => {
  const [, answer = ''] = DOCS.split('\n\n');
  const total = tableOf(HOUR).rows.at(-1)!;
  const said = answer.match(/[\d.]+ %/g) ?? [];
  expect(said).toHaveLength(9);
  expect(said.filter((percent) => !total.includes(`+${percent}`))).toEqual([]);
});
