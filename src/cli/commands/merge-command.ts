/** `merge`: lines that `map` made → one profile for each key and type, as text, as JSON, or as lines to merge further. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { profileJson } from '#engine/cost/profile-json.ts';
import { NATIVE_PROFILES } from '#engine/native/profiles.ts';
import { printPartial, readPartial } from '#permalink/partial-profile.ts';
import { refusing } from '../inputs/file-source.ts';
import { KeyedProfiles } from '../measure/keyed-profiles.ts';
import { BadArguments, parseOptions } from '../options/arguments.ts';
import { type Outcome, Refusal, success } from '../output/outcome.ts';
import { printProfile } from '../output/report-text.ts';

export const MERGE_USAGE = `usage: wirecost merge [PARTIALS.ndjson...] [options]

Adds up the lines that "wirecost map" printed, in any order: those of the files, or of the standard input.

      --partial         prints the sums as such lines again, so that they can be merged with others
      --json            the sums as JSON: a list of keys with their types, profiles as in docs/profile-json.md
`;

export async function mergeCommand(args: readonly string[]): Promise<Outcome> {
  const options = parseOptions(args, ['partial', 'json']);
  if (options.partial && options.json) throw new BadArguments('--partial and --json exclude each other');
  const sums = new KeyedProfiles();
  for (const file of options.inputs.length === 0 ? ['-'] : options.inputs) await enterLines(file, sums);
  const keys = sums.list();
  if (keys.length === 0) throw new Refusal('There is no partial profile to merge');
  if (options.partial) {
    const lines = keys.flatMap(([key, profiles]) => profiles.map((profile) => printPartial({ key, profile })));
    return success(lines.map((line) => `${line}\n`).join(''));
  }
  if (options.json) {
    const json = { version: 2, keys: keys.map(([key, profiles]) => ({ key, types: profiles.map(profileJson) })) };
    return success(`${JSON.stringify(json, null, 2)}\n`);
  }
  const texts = keys.flatMap(([key, profiles]) =>
    profiles.map((profile) => {
      const label = NATIVE_PROFILES.find(({ id }) => id === profile.pair[1])?.label ?? null;
      return `${key === '' ? '' : `${key}: `}${printProfile(profile, label)}`;
    }),
  );
  return success(texts.join('\n'));
}

async function enterLines(file: string, sums: KeyedProfiles): Promise<void> {
  await refusing(file, async () => {
    let number = 0;
    for await (const line of createInterface({ input: file === '-' ? process.stdin : createReadStream(file) })) {
      number++;
      if (line.trim() === '') continue;
      const partial = readPartial(line);
      if (typeof partial === 'string') throw new Refusal(`Line ${number} of ${file} cannot be merged: ${partial}`);
      sums.enter(partial.key, partial.profile);
    }
  });
}
