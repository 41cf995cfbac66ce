/** `map`: inputs → partial profiles, a line of JSON for each key and type, which `merge` adds up. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { printPartial } from '#permalink/partial-profile.ts';
import { refusing, STANDARD_INPUT } from '../inputs/file-source.ts';
import { MEASURE_OPTIONS, measureByKey } from '../measure/measure.ts';
import { BadArguments, parseOptions } from '../options/arguments.ts';
import { type Outcome, success } from '../output/outcome.ts';
import { plural } from '../output/text-table.ts';
import { MEASURE_USAGE } from './analyze-command.ts';

export const MAP_USAGE = `usage: wirecost map [INPUT...] [options] > PARTIALS.ndjson

Each INPUT is a file, a folder, a pattern of names, or - for the standard input. The result is a line of JSON
for each key and message type. wirecost merge adds up such lines, from any number of runs on any number of machines
(docs/partial-profiles.md).

      --files LIST      a file with one path of an input per line, or - for the standard input
      --by KEY          the key of a line, beside its type: hour (of captures, in UTC), file, or none
      --key TEXT        one key for all lines
${MEASURE_USAGE}`;

/** Values of --by. */
export const KEYS: readonly string[] = ['hour', 'file', 'none'];

const HOUR = 'YYYY-MM-DDTHH'.length;

export async function mapCommand(args: readonly string[]): Promise<Outcome> {
  const options = parseOptions(args, [...MEASURE_OPTIONS, 'files', 'by', 'key']);
  const { by = 'none', key = '' } = options;
  if (!KEYS.includes(by)) throw new BadArguments(`--by takes hour, file or none, not ${by}`);
  if (by !== 'none' && key !== '') throw new BadArguments('--by and --key exclude each other');
  const inputs = [...options.inputs, ...(options.files === undefined ? [] : await linesOf(options.files))];
  if (inputs.length === 0) throw new BadArguments('It takes at least one INPUT, or --files');
  const timeless = new Set<string>();
  const keyOf = (name: string, time: number | null): string => {
    if (by === 'hour' && time === null) timeless.add(name);
    return by === 'file' ? name : by === 'hour' ? hourOf(time) : key;
  };
  const { keyed, notes } = await measureByKey({ ...options, inputs }, keyOf);
  const said =
    timeless.size === 0 ? [] : [`wirecost: no time is known in ${nameSome([...timeless])}; the key is empty`];
  const lines = keyed
    .list()
    .flatMap(([known, profiles]) => profiles.map((profile) => `${printPartial({ key: known, profile })}\n`));
  return success(lines.join(''), [...notes, ...said]);
}

const nameSome = ([first = '', ...more]: readonly string[]): string =>
  more.length === 0 ? first : `${first} and ${plural(more.length, 'more input')}`;

const hourOf = (time: number | null): string => (time === null ? '' : new Date(time).toISOString().slice(0, HOUR));

async function linesOf(list: string): Promise<readonly string[]> {
  return refusing(list, async () => {
    const lines: string[] = [];
    const input = list === STANDARD_INPUT ? process.stdin : createReadStream(list);
    for await (const line of createInterface({ input })) if (line.trim() !== '') lines.push(line);
    return lines;
  });
}
