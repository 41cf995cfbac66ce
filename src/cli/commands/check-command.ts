/** `check`: inputs against a committed budget. Growth ends with code 1, and with its size and reasons. */
import { stat } from 'node:fs/promises';
import { COMPRESSORS } from '#engine/compression/compressors.ts';
import { PROTOBUF, type Profile, totalIn } from '#engine/cost/profile.ts';
import { meanFigure } from '#wording/mean-figures.ts';
import { expandInputs } from '../inputs/expand-inputs.ts';
import { readDocument, STANDARD_INPUT } from '../inputs/file-source.ts';
import { enterRead } from '../inputs/read-files.ts';
import {
  type Budget,
  type BudgetCompressor,
  budgetOf,
  type CompressedTotal,
  each,
  type Growth,
  growths,
  meanText,
  printBudget,
  readBudget,
  toThousandth,
} from '../measure/budget.ts';
import { MEASURE_OPTIONS, type Measured, measure } from '../measure/measure.ts';
import { oneProfile } from '../measure/one-profile.ts';
import { TypeSamples } from '../measure/type-samples.ts';
import { BadArguments, type Options, parseOptions } from '../options/arguments.ts';
import { type Outcome, Refusal, Refused, success } from '../output/outcome.ts';
import { keepRead, writeOutput } from '../output/output-files.ts';
import { plural, printTable } from '../output/text-table.ts';
import { MEASURE_USAGE } from './analyze-command.ts';

export const CHECK_USAGE = `usage: wirecost check INPUT... --budget FILE [options]

Compares the mean protobuf bytes of a message and of each of its fields with the budget in FILE (docs/budget.md). If
any of them has grown, it prints a table of those and exits with code 1.

      --budget FILE     the budget, JSON; -: the standard input, with --write the standard output. Several are compared
                        if it is repeated, a folder, or a pattern of names in quotes
      --write           writes FILE with the measured figures, instead of comparing. An existing FILE has to be a budget
                        for the same type, or empty; its tolerance and its compressor are kept
      --compressor ID   with --write, a budget on compressed bytes, too: ${COMPRESSORS.map(({ id }) => id).join(', ')}
${MEASURE_USAGE}      --json            the comparison as JSON (docs/budget.md)
`;

export async function checkCommand(args: readonly string[]): Promise<Outcome> {
  const options = parseOptions(args, [...MEASURE_OPTIONS, 'budget', 'write', 'compressor', 'json']);
  const asked = compressorOf(options.compressor);
  if (options.budget.length === 0) throw new BadArguments('check takes --budget FILE');
  if (options.write) return writeMeasured(options, asked);
  if (asked !== undefined)
    throw new BadArguments('--compressor of check takes --write; without it, the budget names the compressor');
  const refused = new Refused();
  const checks: Check[] = [];
  for (const file of (await expandInputs(options.budget)).paths) {
    const name = file === STANDARD_INPUT ? 'the standard input' : file;
    const budget = await refused.trying(async () => readBudget(await readDocument(file), name));
    checks.push({ name, budget });
  }
  if (checks.every(({ budget }) => budget === undefined)) return refused.shortfall('', [], []);
  const samples = new TypeSamples();
  const measured = await measure(
    options,
    checks.some(({ budget }) => budget?.compressed !== undefined) ? { both: samples.add } : { compares: false },
  );
  const results: Result[] = [];
  for (const { name, budget } of checks) {
    const result = budget && (await refused.trying(() => compare(name, budget, measured, samples)));
    if (result !== undefined) results.push(result);
  }
  const { notes } = measured;
  const out = options.json ? printResults(results) : results.map((result) => textOf(result, checks.length)).join('');
  const grown = results
    .filter((result) => result.grown.length > 0)
    .map(({ budget, grown: of }) => headline(budget.type, of));
  if (refused.count === 0 && grown.length === 0) return success(out, notes);
  return refused.shortfall(out, grown, notes);
}

interface Check {
  readonly name: string;
  /** undefined: it cannot be read. */
  readonly budget: Budget | undefined;
}

interface Result {
  readonly name: string;
  readonly budget: Budget;
  readonly profile: Profile;
  readonly compressed: CompressedTotal | undefined;
  readonly grown: readonly Growth[];
}

/** @throws Refusal if its messages were not measured */
async function compare(name: string, budget: Budget, measured: Measured, samples: TypeSamples): Promise<Result> {
  const { profiles } = measured;
  const ofType = profiles.filter(({ type }) => type === budget.type);
  if (ofType.length === 0) {
    const types = profiles.map(({ type }) => type).filter((type) => type !== '');
    const measuredWere = types.length === 0 ? 'messages without a type' : types.join(', ');
    throw new Refusal(`${name} is the budget for ${budget.type}; measured were ${measuredWere}`);
  }
  const profile = oneProfile(ofType, WHAT);
  const { compressor } = budget.compressed ?? {};
  const compressed = compressor && (await samples.compressed(profile, compressor, measured));
  return { name, budget, profile, compressed, grown: growths(profile, budget, compressed) };
}

/** @param checks how many budgets are compared: the growths of one need no name */
function textOf({ name, budget, profile, grown }: Result, checks: number): string {
  if (grown.length > 0)
    return checks === 1 ? printGrowths(grown) : `${name}, ${profile.type}:\n\n${printGrowths(grown)}\n`;
  return `${profile.type}: ${eachText(profile)} bytes a message, within the budget of ${meanText(budget.message)}\n`;
}

/** docs/budget.md describes it. */
function printResults(results: readonly Result[]): string {
  const budgets = results.map(({ name, budget, profile, compressed, grown }) => {
    const isGrown = (path: string): boolean => grown.some((growth) => !growth.isField && growth.path === path);
    const { compressor, message = 0 } = budget.compressed ?? {};
    const measured = toThousandth(each(profile, totalIn(profile, PROTOBUF)));
    return {
      ...{ file: name, type: profile.type, messages: profile.messages, isKept: grown.length === 0 },
      message: { budget: budget.message, measured, isGrown: isGrown('') },
      ...(compressed === undefined
        ? {}
        : {
            compressed: {
              ...{ compressor, budget: message, measured: toThousandth(each(profile, compressed.bytes)) },
              isGrown: isGrown(`after ${compressor}`),
            },
          }),
      fields: grown
        .filter(({ isField }) => isField)
        .map(({ path, allowed, measured: bytes, reasons }) => ({
          ...{ path, budget: toThousandth(allowed), measured: toThousandth(bytes) },
          reasons: reasons.map(({ words, bytes: by }) => ({ why: words, bytes: by })),
        })),
    };
  });
  return `${JSON.stringify({ version: 1, budgets }, null, 2)}\n`;
}

async function writeMeasured(options: Options, asked: BudgetCompressor | undefined): Promise<Outcome> {
  const [path = '', more] = options.budget;
  if (more !== undefined) throw new BadArguments('--write takes one --budget');
  if (options.json) throw new BadArguments('--json prints a comparison; --write makes none, and the budget is JSON');
  enterRead(...(await expandInputs(options.inputs)).paths, ...options.schema);
  await keepRead(path);
  const former = path === STANDARD_INPUT ? undefined : await readFormer(path);
  const compressor = asked ?? former?.compressed?.compressor;
  const samples = new TypeSamples();
  const measured = await measure(options, compressor === undefined ? { compares: false } : { both: samples.add });
  const { profiles, notes } = measured;
  const profile = only(profiles);
  if (former !== undefined && former.type !== profile.type)
    throw new Refusal(`${path} is the budget for ${former.type}; measured was ${profile.type}`, notes);
  const compressed = compressor && (await samples.compressed(profile, compressor, measured));
  const written = printBudget(budgetOf(profile, former?.tolerance, compressed));
  if (path === STANDARD_INPUT) return success(written, notes);
  await writeOutput(path, written);
  return success(`${path}: ${eachText(profile)} bytes a message\n`, notes);
}

/** The budget that is there; undefined: no file, or an empty one. @throws Refusal of any other file: it is kept */
async function readFormer(path: string): Promise<Budget | undefined> {
  if ((await stat(path).catch(() => undefined)) === undefined) return undefined;
  const text = await readDocument(path);
  if (text.trim() === '') return undefined;
  try {
    return readBudget(text, path);
  } catch (error) {
    throw error instanceof Refusal
      ? new Refusal(`${error.message}. --write replaces budgets alone`, error.notes)
      : error;
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
      meanFigure(allowed, 3),
      meanFigure(measured, 3),
      signed(measured - allowed, (mean) => meanFigure(mean, 3)),
      reasons.map(({ words, bytes }) => `${words} (${signed(bytes)})`).join('; '),
    ]),
  );

const signed = (bytes: number, print = meanText): string => `${bytes < 0 ? '' : '+'}${print(bytes)}`;

const eachText = (profile: Profile): string => meanText(each(profile, totalIn(profile, PROTOBUF)));
