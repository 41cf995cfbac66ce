/** Rows of `refused.txt` and `option-values.txt` in fixtures/schema against protoc: what they say must be so there too. */
import { readFile } from 'node:fs/promises';
import { parseJudgedSchemas, parseOptionValues } from '#testing/refused-schemas.ts';
import { withJudge } from './judge.ts';

export interface RowsOutcome {
  readonly rows: number;
  readonly differences: readonly string[];
}

const textOf = (name: string) => readFile(new URL(`../../fixtures/schema/${name}`, import.meta.url), 'utf8');

/** @param report called with each row's verdict. */
export const checkRows = (cache: string, report: (line: string) => void): Promise<RowsOutcome> =>
  withJudge(cache, [], async (judge) => {
    const rows = [
      ...parseJudgedSchemas(await textOf('refused.txt')),
      ...parseOptionValues(await textOf('option-values.txt')),
    ];
    const differences: string[] = [];
    for (const { name, isRefused, files } of rows) {
      const { set, words } = await judge(files);
      const verdict = set === undefined ? `refused: ${words[0] ?? '?'}` : 'accepted';
      report(`${name} — ${verdict}`);
      if (isRefused !== (set === undefined)) differences.push(`${name}: ${verdict} by protoc`);
    }
    return { rows: rows.length, differences };
  });
