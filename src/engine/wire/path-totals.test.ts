/** Rows added up by field path against figures computed by other people's libraries, of messages that other software wrote. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compileSchema } from '../schema/compile.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { annotate } from './annotate.ts';
import { addRows, emptyLedger, type PathTotals } from './path-totals.ts';

const FIXTURES = new URL('../../../fixtures/', import.meta.url);

interface Truth {
  readonly fields: readonly {
    readonly path: string;
    readonly number: number;
    readonly occurrences: number;
    readonly elements: number;
    readonly packed_runs?: number;
    readonly tag_bytes: number;
    readonly len_bytes: number;
    readonly value_bytes: number;
  }[];
}

const read = (url: URL): Uint8Array => new Uint8Array(readFileSync(url));
const typeIn = (set: Uint8Array, name: string): MessageDescriptor | undefined =>
  compileSchema([{ path: 'set.binpb', content: set }]).registry.messages.get(name);

const figures = ({ fields }: Truth) =>
  Object.fromEntries(
    fields.map((field) => [
      field.path,
      {
        number: field.number,
        occurrences: field.occurrences,
        elements: field.elements,
        packedRuns: field.packed_runs ?? 0,
        tag: field.tag_bytes,
        length: field.len_bytes,
        value: field.value_bytes,
      },
    ]),
  );

describe('agrees with independent truth', () => {
  const folder = new URL('wire/truth/', FIXTURES);
  const names = readdirSync(folder).filter((name) => name.endsWith('.truth.json'));
  test.each(names)('%s', (name) => {
    const truth = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Truth & { schema: string; type: string };
    const type = typeIn(read(new URL(`schema/sets/${truth.schema}.binpb`, FIXTURES)), truth.type);
    const message = read(new URL(name.replace('.truth.json', '.binpb'), folder));
    const ledger = emptyLedger();
    const { table, diagnostics } = annotate(message, type);
    expect(diagnostics).toEqual([]);
    addRows(ledger, table, message);
    expect(ledger.unattributed).toBe(0);
    expect(Object.fromEntries(ledger.fields)).toEqual(figures(truth));
  });
});

describe('rules', () => {
  const { registry } = compileSchema([
    {
      path: 'rules.proto',
      content: `syntax = "proto2";
        message M { optional group G = 1 { optional int32 a = 1; } map<string, int32> m = 2; repeated M again = 3; extensions 9; }
        extend M { optional M ext = 9; }`,
    },
  ]);
  const ledgerOf = (hex: string): PathTotals => {
    const bytes = Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
    const ledger = emptyLedger();
    addRows(ledger, annotate(bytes, registry.messages.get('M')).table, bytes);
    const sum = [...ledger.fields.values()].reduce((all, { tag, length, value }) => all + tag + length + value, 0);
    expect(sum + ledger.unattributed).toBe(bytes.length);
    return ledger;
  };
  const summary = (hex: string): Record<string, string> =>
    Object.fromEntries(
      [...ledgerOf(hex).fields].map(([path, { occurrences, tag, length, value }]) => [
        path,
        `${occurrences}: ${tag} + ${length} + ${value}`,
      ]),
    );

  test.each([
    ['a group’s end is tag', '0b 08 05 0c', { g: '1: 2 + 0 + 0', 'g.a': '1: 1 + 0 + 1' }],
    ['map entries', '12 05 0a 01 61 10 07', { m: '1: 1 + 1 + 0', 'm.key': '1: 1 + 1 + 1', 'm.value': '1: 1 + 0 + 1' }],
    ['repetition has no index', '1a 02 1a 00 1a 00', { again: '2: 2 + 2 + 0', 'again.again': '1: 1 + 1 + 0' }],
    [
      'extensions by full name',
      '4a 04 0b 08 01 0c',
      { '[ext]': '1: 1 + 1 + 0', '[ext].g': '1: 2 + 0 + 0', '[ext].g.a': '1: 1 + 0 + 1' },
    ],
    [
      'unknown numbers fold',
      '20 01 22 01 61 1a 02 20 01',
      { '?4': '2: 2 + 1 + 2', again: '1: 1 + 1 + 0', 'again.?4': '1: 1 + 0 + 1' },
    ],
    ['an unknown group is one value', '23 2a 01 61 2b 08 01 2c 24', { '?4': '1: 2 + 0 + 7' }],
    ['a wrong wire type is unknown', '0a 01 61', { '?1': '1: 1 + 1 + 1' }],
    ['what an unknown group lost is unattributed', '23 2a 05 61', { '?4': '1: 1 + 0 + 2' }],
  ])('%s', (_, hex, expected) => expect(summary(hex)).toEqual(expected));
});
