/**
 * `fixtures/schema/refused.txt` → schemas, each with its expected finding.
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

export interface JudgedOption extends JudgedSchema {
  /** The `google.protobuf.FileOptions` that protoc makes of it, as bytes. */
  readonly options: Uint8Array;
}

/**
 * `fixtures/schema/option-values.txt` → a schema for each of its lines, with the file that all of them import.
 * A line that is accepted ends with the bytes in hex, after a tab.
 */
export function parseOptionValues(text: string): readonly JudgedOption[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const isCase = (line: string) => /^(accepted|refused ) option /.test(line);
  const imported = { path: 'o.proto', content: lines.filter((line) => !isCase(line)).join('\n') };
  return lines.filter(isCase).map((line) => {
    const [option = '', hex = ''] = line.slice('accepted '.length).split('\t');
    const options = Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
    const content = `syntax = "proto2"; import "o.proto"; ${option}`;
    const isRefused = line.startsWith('refused');
    return { name: option, isRefused, code: undefined, options, files: [{ path: 'test.proto', content }, imported] };
  });
}
