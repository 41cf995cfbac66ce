/**
 * `fixtures/schema/refused.txt` → schemas, each with the finding that is expected of it.
 *
 *   == name of the row: schema/code        or `none`, or `warning schema/code`
 *   text of test.proto
 *   -- other.proto
 *   text of another file, to be imported
 */
import type { SchemaSource } from '#engine/schema/compile.ts';

export interface JudgedSchema {
  readonly name: string;
  /** Whether protoc refuses it. */
  readonly isRefused: boolean;
  /** undefined: nothing is found. */
  readonly code: string | undefined;
  readonly files: readonly SchemaSource[];
}

export const parseJudgedSchemas = (text: string): readonly JudgedSchema[] =>
  text
    .split(/^== /m)
    .slice(1)
    .map((paragraph) => {
      const [, name = '', warning, code = '', body = ''] = /^(.*): (warning )?(.*)\n([\s\S]*)$/.exec(paragraph) ?? [];
      const files = `-- test.proto\n${body}`
        .split(/^-- /m)
        .slice(1)
        .map((part) => {
          const end = part.indexOf('\n');
          return { path: part.slice(0, end), content: part.slice(end + 1).trimEnd() };
        });
      return {
        name,
        isRefused: code !== 'none' && warning === undefined,
        code: code === 'none' ? undefined : code,
        files,
      };
    });
