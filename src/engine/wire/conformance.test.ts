/**
 * Rows of the public protobuf conformance suite, where a folder of them is given: WIRECOST_CORPUS/conformance.
 * What must be refused has an error; of the rest, every byte is where the suite's second reader has it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compileSchema } from '../schema/compile.ts';
import type { Registry } from '../schema/descriptor.ts';
import { annotate } from './annotate.ts';
import { addRows, emptyLedger } from './row-ledger.ts';

interface Row {
  readonly i: number;
  readonly name: string;
  readonly message_type: string;
  readonly expect: 'ok' | 'parse_error';
  readonly payload_b64: string;
  /** `fixed runs past end at 3` */
  readonly walk_error?: string;
  readonly cost?: {
    readonly tag: number;
    readonly len: number;
    readonly value: number;
    readonly unknown: number;
    /** Tag, length and value bytes, and values. */
    readonly paths: Readonly<Record<string, readonly [number, number, number, number]>>;
  };
}

const CORPUS = process.env['WIRECOST_CORPUS'];
const FOLDER = `${CORPUS}/conformance`;
const isThere = CORPUS !== undefined && existsSync(FOLDER);

function registryOf(folder: string): Registry {
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.proto'))
    .map((path) => ({ path, content: readFileSync(`${folder}/${path}`, 'utf8') }));
  return compileSchema(sources).registry;
}

describe.runIf(isThere)('conformance', () => {
  const rows = isThere
    ? readFileSync(`${FOLDER}/sample.jsonl`, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Row)
    : [];
  const registry = isThere ? registryOf(`${FOLDER}/include`) : undefined;

  test.each(rows.map((row) => [row.i, row.name, row] as const))('%i %s', (_, _name, row) => {
    const bytes = new Uint8Array(Buffer.from(row.payload_b64, 'base64'));
    const type = registry!.messages.get(row.message_type);
    expect(type).toBeDefined();
    const { table, diagnostics } = annotate(bytes, type);
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    expect(errors.length > 0).toBe(row.expect === 'parse_error');
    if (row.walk_error !== undefined) {
      expect(errors[0]!.start).toBe(Number(/ at (\d+)$/.exec(row.walk_error)![1]));
    }
    if (row.cost === undefined) return;
    const ledger = emptyLedger();
    addRows(ledger, table, bytes);
    const known = [...ledger.fields].filter(([path]) => !path.includes('?'));
    const unknown = [...ledger.fields].filter(([path]) => path.includes('?'));
    expect(Object.fromEntries(known.map(([path, at]) => [path, [at.tag, at.length, at.value, at.elements]]))).toEqual(
      row.cost.paths,
    );
    expect(unknown.reduce((sum, [, { tag, length, value }]) => sum + tag + length + value, 0)).toBe(row.cost.unknown);
  });
});
