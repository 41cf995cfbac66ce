/** `scripts/action.sh`, as action.yml starts it, with the command of this checkout. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'wirecost-action-'));
afterAll(() => rmSync(folder, { recursive: true }));

const WRITES = join(root, 'public/samples/prometheus-remote-write-1.binpb');
const SCHEMA = join(root, 'schemas/prometheus/remote-write-1.proto');
const NOWHERE = join(folder, 'nowhere');
/** The schema, as a path within this checkout and within one from before, which lacks it. */
const ADDED = {
  SCHEMA: 'schemas/prometheus/remote-write-1.proto',
  BEFORE: `${folder}/schemas/prometheus/remote-write-1.proto`,
};
/** The list of its messages would be larger than a summary. */
const MANY = join(folder, 'many.proto');
const messages = Array.from({ length: 20_000 }, (_, at) => `message Message${at} {}`);
writeFileSync(MANY, `syntax = "proto3"; ${messages.join(' ')}`);
const SMALL = join(folder, 'small.json');
writeFileSync(
  SMALL,
  JSON.stringify({ version: 1, type: 'prometheus.WriteRequest', tolerance: 0, message: 1, fields: {} }),
);

/** @param inputs those of action.yml that differ from a run without budget and comparison */
function act(inputs: Readonly<Record<string, string>>): { readonly code: number | null; readonly summary: string } {
  const at = (name: string): string => join(folder, name);
  for (const name of ['summary.md', 'output']) writeFileSync(at(name), '');
  const { status } = spawnSync('bash', [join(root, 'scripts/action.sh')], {
    stdio: 'ignore',
    env: {
      ...process.env,
      ...{ NODE_OPTIONS: `--import=${pathToFileURL(join(root, 'node_modules/tsx/dist/loader.mjs'))}` },
      ...{ TSX_TSCONFIG_PATH: join(root, 'config/tsconfig.page.json'), WIRECOST: join(root, 'src/cli/main.ts') },
      ...{ RUNNER_TEMP: folder, GITHUB_STEP_SUMMARY: at('summary.md'), GITHUB_OUTPUT: at('output') },
      ...{ INPUTS: WRITES, SCHEMA, TYPE: '', BUDGET: '', BEFORE: '', APP: '', ...inputs },
    },
  });
  return { code: status, summary: readFileSync(at('summary.md'), 'utf8') };
}

describe('the summary', () => {
  test.each([
    {
      name: 'says what the table of fields covers, without gaps where pictures were',
      inputs: {},
      code: 0,
      shown: /^# `prometheus\.WriteRequest`\n\n330 time series take 71,690 bytes[^\n]+\n\nThe analysis opens/,
    },
    {
      name: 'takes lists with the line ends of Windows',
      inputs: { INPUTS: `${WRITES}\r\n`, SCHEMA: `${SCHEMA}\r\n\r\n` },
      code: 0,
      shown: /^# `prometheus\.WriteRequest`/,
    },
    { name: 'names an input that does not exist', inputs: { INPUTS: NOWHERE }, code: 1, shown: /No such file/ },
    { name: 'names a type that does not exist', inputs: { TYPE: 'acme.X' }, code: 1, shown: /No message type acme\.X/ },
    {
      name: 'has the comparison where the budget cannot be read, and the reason',
      inputs: { BEFORE: `${SCHEMA}\n\n`, BUDGET: NOWHERE },
      code: 1,
      shown: /## Fields.+Messages safe.+No such file/s,
    },
    {
      name: 'has the budget where the schema before cannot be read, and the reason',
      inputs: { BEFORE: NOWHERE, BUDGET: SMALL },
      code: 1,
      shown: /No such file.+more than its budget allows/s,
    },
    {
      name: 'names a schema that the change adds, and compares the others',
      inputs: { ...ADDED, BEFORE: `${SCHEMA}\n${ADDED.BEFORE}` },
      code: 0,
      shown: /## Schema, [^\n]+\n\n```\n[^\n]+remote-write-1\.proto is new[^\n]+\nTypes: 10 as before/,
    },
    {
      name: 'has the budget where the schema is new',
      inputs: { ...ADDED, BUDGET: SMALL },
      code: 1,
      shown: /is new: there is no version before\.\n```\n\n## Budget\n.+more than its budget allows/s,
    },
    {
      name: 'names a folder before that does not exist',
      inputs: { ...ADDED, BEFORE: `${NOWHERE}/${ADDED.SCHEMA}` },
      code: 1,
      shown: /No such file/,
    },
    {
      name: 'is short enough to be shown, and names the place of the rest',
      inputs: { SCHEMA: `${SCHEMA}\n${MANY}`, BEFORE: SCHEMA },
      code: 0,
      shown: /^.{1000,900000}message Message\d+ added\n\nThe rest is in the log of this step\.\n```\n\n$/s,
    },
  ])('$name', ({ inputs, code, shown }) => {
    const result = act(inputs);
    expect(result.summary.replaceAll('\u00a0', ' ')).toMatch(shown);
    expect(result.code).toBe(code);
  });
});
