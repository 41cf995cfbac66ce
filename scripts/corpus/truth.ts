/**
 * Every payload with a truth file, analysed through the command line: each field path's occurrences, elements, packed
 * runs, bytes and varint widths must be those that other people's libraries computed, and all must sum to the input.
 */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sumCells } from '#engine/cost/profile.ts';
import type { FieldJson, ProfileJson } from '#engine/cost/profile-json.ts';
import { run } from '../../src/cli/run.ts';
import { type Check, Differences, type Finding, PROJECT } from './check.ts';

export interface Truth {
  readonly payload: string;
  readonly type: string;
  readonly payload_bytes: number;
  readonly messages: number;
  readonly delimiter_bytes: number;
  readonly unknown_bytes: number;
  readonly fields: readonly TrueField[];
}

type Widths = Readonly<Record<string, number>>;

interface TrueField {
  readonly path: string;
  readonly number: number;
  readonly occurrences: number;
  readonly elements: number;
  readonly packed_runs?: number;
  readonly tag_bytes: number;
  readonly len_bytes: number;
  readonly value_bytes: number;
  readonly tag_varint_widths: Widths;
  readonly len_varint_widths?: Widths;
  readonly value_varint_widths?: Widths;
}

interface PrintedJson {
  readonly inputs: readonly {
    readonly framingBytes: number;
    readonly messages: number;
    readonly unattributedBytes: number;
  }[];
  readonly types: readonly ProfileJson[];
  readonly diagnostics: readonly { readonly code: string }[];
}

/** Descriptor sets by the beginning of the type's name. */
const SETS: readonly (readonly [prefix: string, file: string])[] = [
  ['elastic.apm.', 'apm-modelpb'],
  ['io.prometheus.write.v2.', 'prometheus-rw2'],
  ['prometheus.', 'prometheus-rw1'],
  ['opentelemetry.', 'otlp-collector'],
  ['query.', 'vitess-queryservice'],
];

const CHILDREN = 5;

const inProcess = async (args: readonly string[]): Promise<string> => {
  const { code, out, err } = await run(args);
  if (code !== 0) throw new Error(err);
  return out;
};

const inChild = async (args: readonly string[]): Promise<string> => {
  const command = ['run', '--silent', 'wirecost', '--', ...args];
  return (await promisify(execFile)('npm', command, { cwd: PROJECT, maxBuffer: 1 << 26 })).stdout;
};

export const truthBySet: Check = {
  id: 'truth',
  title: 'truth files, schema from a descriptor set',
  run: (folder) => compareAll(folder, (truth) => ['--schema', setFor(folder, truth.type)], inProcess),
};

export const truthByText: Check = {
  id: 'truth-proto',
  title: 'truth files, by the schemas that ship with the app',
  run: (folder) => compareAll(folder, () => [], inProcess),
};

export const truthByCommand: Check = {
  id: 'truth-command',
  title: 'truth files, through npm run wirecost',
  run: (folder) => compareAll(folder, (truth) => ['--schema', setFor(folder, truth.type)], inChild, CHILDREN),
};

async function* compareAll(
  folder: string,
  schemaOptions: (truth: Truth) => readonly string[],
  command: (args: readonly string[]) => Promise<string>,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<Finding> {
  const files = (await readdir(join(folder, 'truth'))).filter((file) => file.endsWith('.truth.json')).sort();
  const step = Math.max(1, Math.floor(files.length / most));
  for (let n = 0; n < files.length; n += step) {
    const truth = JSON.parse(await readFile(join(folder, 'truth', files[n]!), 'utf8')) as Truth;
    const args = ['analyze', join(folder, truth.payload), ...schemaOptions(truth), '--type', truth.type, '--json'];
    yield { name: truth.payload, differences: await differencesOf(truth, () => command(args)) };
  }
}

async function differencesOf(truth: Truth, output: () => Promise<string>): Promise<readonly string[]> {
  let json: PrintedJson;
  try {
    json = JSON.parse(await output()) as PrintedJson;
  } catch (error) {
    return [(error as Error).message];
  }
  return compare(truth, json);
}

/** Differences in words; empty: all agrees. */
export function compare(truth: Truth, { inputs, types, diagnostics }: PrintedJson): readonly string[] {
  const differences = new Differences();
  const expect = (what: string, ours: unknown, theirs: unknown) => differences.expect(what, ours, theirs);
  const [profile] = types;
  const [input] = inputs;
  if (profile === undefined || input === undefined || types.length !== 1 || inputs.length !== 1)
    return ['not one type of one input'];
  expect('type', profile.type, truth.type);
  expect('messages', profile.messages, truth.messages);
  expect('framing bytes', input.framingBytes, truth.delimiter_bytes);
  expect('unattributed bytes of the input', input.unattributedBytes, 0);
  expect('bytes', profile.bytes.protobuf + input.framingBytes, truth.payload_bytes);
  expect(
    'diagnostics',
    diagnostics.map(({ code }) => code),
    [],
  );
  const unknown = profile.fields.filter((field) => field.declared === null);
  expect('unknown bytes', sum(unknown) + profile.unattributed, truth.unknown_bytes);
  expect('sum', sum(profile.fields) + profile.unattributed, profile.bytes.protobuf);
  const native = profile.fields.reduce((bytes, { native: n }) => bytes + sumCells(n), 0);
  expect('native sum', native, profile.bytes.native);

  const ours = new Map(profile.fields.map((field) => [field.path, field]));
  for (const theirs of truth.fields) {
    const field = ours.get(theirs.path);
    ours.delete(theirs.path);
    if (field === undefined) {
      differences.add(`${theirs.path} is missing`);
      continue;
    }
    const { path } = theirs;
    expect(`${path} number`, field.number, theirs.number);
    expect(`${path} occurrences`, field.occurrences, theirs.occurrences);
    expect(`${path} elements`, field.elements, theirs.elements);
    expect(`${path} packed runs`, field.packedRuns, theirs.packed_runs ?? 0);
    expect(`${path} tag`, field.protobuf.tag, theirs.tag_bytes);
    expect(`${path} length`, field.protobuf.length, theirs.len_bytes);
    expect(`${path} value`, field.protobuf.value, theirs.value_bytes);
    expect(`${path} tag widths`, widths(field.widths.tag), theirs.tag_varint_widths);
    expect(`${path} length widths`, widths(field.widths.length), theirs.len_varint_widths ?? {});
    expect(`${path} value widths`, widths(field.widths.value), theirs.value_varint_widths ?? {});
  }
  for (const { path, occurrences } of ours.values())
    if (occurrences > 0) differences.add(`${path} occurs ${occurrences} times, not 0`);
  return differences.list;
}

const sum = (fields: readonly FieldJson[]): number => fields.reduce((bytes, { protobuf: p }) => bytes + sumCells(p), 0);

const widths = (histogram: readonly number[] | null): Widths =>
  Object.fromEntries((histogram ?? []).flatMap((count, n) => (count === 0 ? [] : [[String(n + 1), count]])));

function setFor(folder: string, type: string): string {
  const set = SETS.find(([prefix]) => type.startsWith(prefix));
  if (set === undefined) throw new Error(`No descriptor set for ${type}.`);
  return join(folder, 'schemas', `${set[1]}.fds.binpb`);
}
