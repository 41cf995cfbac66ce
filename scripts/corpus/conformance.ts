/**
 * Rows of the public protobuf conformance suite. A row that must be refused has an error, at the byte where the suite's
 * second reader stops. In the others, every byte is where that reader has it.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { compileSchema } from '#engine/schema/compile.ts';
import type { Registry } from '#engine/schema/descriptor.ts';
import { annotate } from '#engine/wire/annotate.ts';
import { addRows, emptyLedger, type PathLedger } from '#engine/wire/path-totals.ts';
import { type Check, Differences, type Finding, readLines } from './check.ts';

interface Row {
  readonly i: number;
  readonly name: string;
  readonly message_type: string;
  readonly expect: 'ok' | 'parse_error';
  readonly payload_b64: string;
  /** `fixed runs past end at 3` */
  readonly walk_error?: string;
  readonly cost?: {
    readonly total: number;
    readonly tag: number;
    readonly len: number;
    readonly value: number;
    readonly unknown: number;
    /** Tag, length and value bytes, and values. */
    readonly paths: Readonly<Record<string, readonly [number, number, number, number]>>;
  };
}

export const conformance: Check = {
  id: 'conformance',
  title: 'rows of the protobuf conformance suite: refused or not, and where every byte is',
  run: compareRows,
};

async function* compareRows(folder: string): AsyncGenerator<Finding> {
  const registry = await readRegistry(join(folder, 'conformance', 'include'));
  for (const row of await readLines<Row>(join(folder, 'conformance', 'sample.jsonl'))) {
    yield { name: `${row.i} ${row.name}`, differences: differencesOf(row, registry) };
  }
}

function differencesOf(row: Row, registry: Registry): readonly string[] {
  const differences = new Differences();
  const type = registry.messages.get(row.message_type);
  if (type === undefined) return [`no type ${row.message_type}`];
  const bytes = new Uint8Array(Buffer.from(row.payload_b64, 'base64'));
  const { table, diagnostics } = annotate(bytes, type);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  differences.expect('refused', errors.length > 0, row.expect === 'parse_error');
  if (row.walk_error !== undefined) {
    differences.expect('first error at', errors[0]?.start, Number(/ at (\d+)$/.exec(row.walk_error)?.[1]));
  }
  if (row.cost === undefined) {
    if (row.expect === 'ok') differences.add('the row has no cost to compare with');
    return differences.list;
  }
  const ledger = emptyLedger();
  addRows(ledger, table, bytes);
  const known = [...ledger.fields].filter(([path]) => !path.includes('?'));
  const ours = Object.fromEntries(known.map(([path, at]) => [path, [at.tag, at.length, at.value, at.elements]]));
  for (const path of new Set([...Object.keys(ours), ...Object.keys(row.cost.paths)])) {
    differences.expect(path, ours[path], row.cost.paths[path]);
  }
  const unknown = [...ledger.fields].filter(([path]) => path.includes('?'));
  differences.expect('unknown bytes', bytesOf(unknown), row.cost.unknown);
  differences.expect('bytes', bytesOf([...ledger.fields]) + ledger.unattributed, row.cost.total);
  return differences.list;
}

const bytesOf = (fields: readonly (readonly [string, PathLedger])[]) =>
  fields.reduce((sum, [, { tag, length, value }]) => sum + tag + length + value, 0);

async function readRegistry(include: string): Promise<Registry> {
  const paths = (await readdir(include, { recursive: true })).filter((path) => path.endsWith('.proto'));
  const sources = await Promise.all(
    paths.map(async (path) => ({
      path: path.split(sep).join('/'),
      content: await readFile(join(include, path), 'utf8'),
    })),
  );
  return compileSchema(sources).registry;
}
