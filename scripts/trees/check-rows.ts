/** Compares the rows of `refused.txt` and `option-values.txt` in fixtures/schema with protoc's result for each. */
import { readFile } from 'node:fs/promises';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema, FileOptionsSchema } from '@bufbuild/protobuf/wkt';
import {
  type JudgedOption,
  type JudgedSchema,
  parseJudgedSchemas,
  parseOptionValues,
} from '#testing/refused-schemas.ts';
import { withJudge } from './judge.ts';

export interface RowsOutcome {
  readonly rows: number;
  readonly differences: readonly string[];
}

const textOf = (name: string) => readFile(new URL(`../../fixtures/schema/${name}`, import.meta.url), 'utf8');

/** @param report called with each row's verdict. */
export const checkRows = (cache: string, report: (line: string) => void): Promise<RowsOutcome> =>
  withJudge(cache, [], async (judge) => {
    const rows: readonly (JudgedSchema & Partial<JudgedOption>)[] = [
      ...parseJudgedSchemas(await textOf('refused.txt')),
      ...parseOptionValues(await textOf('option-values.txt')),
    ];
    const differences: string[] = [];
    for (const { name, isRefused, files, options } of rows) {
      const { set, words } = await judge(files);
      const verdict = set === undefined ? `refused: ${words[0] ?? '?'}` : 'accepted';
      report(`${name} — ${verdict}`);
      if (isRefused !== (set === undefined)) differences.push(`${name}: ${verdict} by protoc`);
      if (options !== undefined && set !== undefined && !Buffer.from(options).equals(optionsOf(set))) {
        differences.push(`${name}: other bytes by protoc`);
      }
    }
    return { rows: rows.length, differences };
  });

/** The bytes of the options of test.proto; known ones by number, then extensions. */
function optionsOf(set: Uint8Array): Uint8Array {
  const { options } = fromBinary(FileDescriptorSetSchema, set).file.find(({ name }) => name === 'test.proto')!;
  return options === undefined ? new Uint8Array() : toBinary(FileOptionsSchema, options);
}
