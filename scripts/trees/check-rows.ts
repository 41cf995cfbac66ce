/** Rows of `fixtures/schema/refused.txt` against protoc: what they say is refused or accepted must be so there too. */
import { readFile } from 'node:fs/promises';
import { parseJudgedSchemas } from '#testing/refused-schemas.ts';
import { withJudge } from './judge.ts';

export interface RowsOutcome {
  readonly rows: number;
  readonly differences: readonly string[];
}

const ROWS = new URL('../../fixtures/schema/refused.txt', import.meta.url);

/** @param tell is told each row's verdict. */
export const checkRows = (cache: string, tell: (line: string) => void): Promise<RowsOutcome> =>
  withJudge(cache, [], async (judge) => {
    const rows = parseJudgedSchemas(await readFile(ROWS, 'utf8'));
    const differences: string[] = [];
    for (const { name, isRefused, files } of rows) {
      const { set, words } = await judge(files);
      const verdict = set === undefined ? `refused: ${words[0] ?? '?'}` : 'accepted';
      tell(`${name} — ${verdict}`);
      if (isRefused !== (set === undefined)) differences.push(`${name}: ${verdict} by protoc`);
    }
    return { rows: rows.length, differences };
  });
