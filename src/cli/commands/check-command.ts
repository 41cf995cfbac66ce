/** `check`: inputs against a committed budget. Growth ends with code 1, and with its size and reasons. */
import { stat } from 'node:fs/promises';
import { COMPRESSORS } from '#engine/compression/compressors.ts';
import { PROTOBUF, type Profile, totalIn } from '#engine/cost/profile.ts';
import { expandInputs } from '../inputs/expand-inputs.ts';
import { readDocument } from '../inputs/file-source.ts';
import { enterRead } from '../inputs/read-files.ts';
import {
  type Budget,
  type BudgetCompressor,
  budgetOf,
  each,
  type Growth,
  growths,
  meanText,
  printBudget,
  readBudget,
} from '../measure/budget.ts';
import { MEASURE_OPTIONS, measure } from '../measure/measure.ts';
import { oneProfile } from '../measure/one-profile.ts';
import { TypeSamples } from '../measure/type-samples.ts';
import { BadArguments, parseOptions } from '../options/arguments.ts';
import { type Outcome, Refusal, shortfall, success } from '../output/outcome.ts';
import { keepRead, writeOutput } from '../output/output-files.ts';
import { plural, printTable } from '../output/text-table.ts';
import { MEASURE_USAGE } from './analyze-command.ts';

export const CHECK_USAGE = `usage: wirecost check INPUT... --budget FILE [options]

Compares the mean protobuf bytes of a message and of each of its fields with the budget in FILE (docs/budget.md). If
any of them has grown, it prints a table of those and exits with code 1.

      --budget FILE     the budget, JSON; -: the standard input, with --write the standard output
      --write           writes FILE with the measured figures, instead of comparing. An existing FILE has to be a budget
                        for the same type, or empty; its tolerance and its compressor are kept
      --compressor ID   with --write, a budget on compressed bytes, too: ${COMPRESSORS.map(({ id }) => id).join(', ')}
${MEASURE_USAGE}`;

export async function checkCommand(args: readonly string[]): Promise<Outcome> {
  const options = parseOptions(args, [...MEASURE_OPTIONS, 'budget', 'write', 'compressor']);
  const asked = compressorOf(options.compressor);
  const { budget: path } = options;
  if (path === undefined) throw new BadArguments('check takes --budget FILE');
  if (asked !== undefined && !options.write)
    throw new BadArguments('--compressor of check takes --write; without it, the budget names the compressor');
  const samples = new TypeSamples();
  if (options.write) {
    enterRead(...(await expandInputs(options.inputs)).paths, ...options.schema);
    await keepRead(path);
    const former = path === '-' ? undefined : await readFormer(path);
    const compressor = asked ?? former?.compressed?.compressor;
    const measured = await measure(options, compressor === undefined ? { compares: false } : { both: samples.add });
    const { profiles, notes } = measured;
    const profile = only(profiles);
    if (former !== undefined && former.type !== profile.type)
      throw new Refusal(`${path} is the budget for ${former.type}; measured was ${profile.type}`, notes);
    const compressed = compressor && (await samples.compressed(profile, compressor, measured));
    const written = printBudget(budgetOf(profile, former?.tolerance, compressed));
    if (path === '-') return success(written, notes);
    await writeOutput(path, written);
    return success(`${path}: ${eachText(profile)} bytes a message\n`, notes);
  }
  const text = await readDocument(path);
  const budget = readBudget(text, path);
  const measured = await measure(
    options,
    budget.compressed === undefined ? { compares: false } : { both: samples.add },
  );
  const { profiles, notes } = measured;
  const ofType = profiles.filter(({ type }) => type === budget.type);
  if (ofType.length === 0) {
    const types = profiles.map(({ type }) => type).filter((type) => type !== '');
    const measuredWere = types.length === 0 ? 'messages without a type' : types.join(', ');
    throw new Refusal(`The budget is for ${budget.type}; measured were ${measuredWere}`, notes);
  }
  const profile = oneProfile(ofType, WHAT);
  const { compressor } = budget.compressed ?? {};
  const compressed = compressor && (await samples.compressed(profile, compressor, measured));
  const grown = growths(profile, budget, compressed);
  if (grown.length === 0) {
    const kept = `${profile.type}: ${eachText(profile)} bytes a message, within the budget of ${meanText(budget.message)}\n`;
    return success(kept, notes);
  }
  return shortfall(printGrowths(grown), headline(profile.type, grown), notes);
}

/** The budget that is there; undefined: no file, or an empty one. @throws Refusal of any other file: it is kept */
async function readFormer(path: string): Promise<Budget | undefined> {
  if ((await stat(path).catch(() => undefined)) === undefined) return undefined;
  const text = await readDocument(path);
  if (text.trim() === '') return undefined;
  try {
    return readBudget(text, path);
  } catch (error) {
    throw error instanceof Refusal ? new Refusal(`${error.message}. --write replaces budgets alone`) : error;
  }
}

function headline(type: string, grown: readonly Growth[]): string {
  if (grown.some(({ isField }) => !isField)) return `${type} costs more than its budget allows`;
  const which = `${plural(grown.length, 'field')} of ${type} ${grown.length === 1 ? 'costs' : 'cost'}`;
  return `${which} more than the budget allows; the message as a whole does not`;
}

const WHAT = 'A budget';

function compressorOf(id: string | undefined): BudgetCompressor | undefined {
  const row = COMPRESSORS.find((known) => known.id === id);
  if (id !== undefined && row === undefined) {
    throw new BadArguments(`No compressor ${id}; there are ${COMPRESSORS.map((known) => known.id).join(', ')}`);
  }
  return row?.id;
}

function only(profiles: readonly Profile[]): Profile {
  if (profiles.every(({ type }) => type === '')) {
    throw new Refusal(`${WHAT} is for a type, and none is known; --schema and --type name it`);
  }
  return oneProfile(profiles, WHAT);
}

const printGrowths = (grown: readonly Growth[]): string =>
  printTable(
    [
      { title: 'bytes a message', align: 'left' },
      { title: 'budget', align: 'right' },
      { title: 'measured', align: 'right' },
      { title: 'grew by', align: 'right' },
      { title: 'why', align: 'left' },
    ],
    grown.map(({ path, allowed, measured, reasons }) => [
      path === '' ? 'all' : path,
      meanText(allowed),
      meanText(measured),
      signed(measured - allowed),
      reasons.map(({ words, bytes }) => `${words} (${signed(bytes)})`).join('; '),
    ]),
  );

const signed = (bytes: number): string => `${bytes < 0 ? '' : '+'}${meanText(bytes)}`;

const eachText = (profile: Profile): string => meanText(each(profile, totalIn(profile, PROTOBUF)));
