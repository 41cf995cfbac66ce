import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { compare } from './truth.ts';

const fixture = (name: string): string => join(import.meta.dirname, '../../fixtures/input', name);

describe.each([
  ['codecfixture.rw1', 'binpb', 'prometheus-rw1'],
  ['codecfixture.rw2', 'binpb', 'prometheus-rw2'],
  ['apm-metricsets.delim', 'binpb', 'apm-modelpb'],
])('%s', (name, extension, set) => {
  const truth = JSON.parse(readFileSync(fixture(`${name}.truth.json`), 'utf8'));
  const analyzed = async () => {
    const input = fixture(`${name}.${extension}`);
    const { code, out, err } = await run([
      'analyze',
      input,
      '--schema',
      fixture(`${set}.fds.binpb`),
      '--type',
      truth.type,
      '--json',
    ]);
    expect(code, err).toBe(0);
    return JSON.parse(out);
  };

  test('agrees with the truth', async () => {
    expect(compare(truth, await analyzed())).toEqual([]);
  });

  test.each(['occurrences', 'elements', 'tag_bytes', 'len_bytes', 'value_bytes', 'number'])(
    'a truth with one more entry in %s does not agree',
    async (column) => {
      const fields = truth.fields.map((field: Record<string, number>, n: number) =>
        n === 3 ? { ...field, [column]: field[column]! + 1 } : field,
      );
      expect(compare({ ...truth, fields }, await analyzed())).toHaveLength(1);
    },
  );

  test('a truth with one field more or less does not agree', async () => {
    const report = await analyzed();
    expect(compare({ ...truth, fields: [...truth.fields, { ...truth.fields[0], path: 'no.such' }] }, report)).toEqual([
      'no.such is missing',
    ]);
    expect(compare({ ...truth, fields: truth.fields.slice(1) }, report)).toHaveLength(1);
  });
});
