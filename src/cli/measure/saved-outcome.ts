/** `bits --saved`: the compressed bytes that the messages save if a field is left out. */
import { FieldSavings } from '#engine/analysis/measure/measure-field-saved.ts';
import { perOf } from '#engine/analysis/measure/measure-matrix.ts';
import { firstCompressor } from '#engine/compression/captured-with.ts';
import { COMPRESSORS, loadCompressor } from '#engine/compression/compressors.ts';
import type { Saved } from '#engine/compression/saved-bytes.ts';
import { capturedWithWords } from '#wording/matrix-words.ts';
import { savedSubject, savedWords } from '#wording/saved-words.ts';
import { BadArguments, type Options } from '../options/arguments.ts';
import { type Outcome, Refusal, success } from '../output/outcome.ts';
import { progressOf } from '../output/progress.ts';
import { type Column, printCount, printMarkdownTable, printTable } from '../output/text-table.ts';
import { measure } from './measure.ts';
import { TypeSamples } from './type-samples.ts';

/** Bytes of messages that are measured, 2 MiB: they are compressed 64 times. */
const MAX_BYTES = 2 << 20;

/** A word in place of a path: every field that occurs in the messages. */
const ALL = 'all';

export async function savedOutcome(path: string, options: Options): Promise<Outcome> {
  const { compressor: chosen } = options;
  const row = COMPRESSORS.find((known) => known.id === chosen);
  if (chosen !== undefined && row === undefined) {
    throw new BadArguments(`No compressor ${chosen}; there are ${COMPRESSORS.map((known) => known.id).join(', ')}`);
  }
  const samples = new TypeSamples(MAX_BYTES);
  const { profiles, reports, notes: ofMeasuring } = await measure(options, { both: samples.add });
  const notes = [...ofMeasuring, ...samples.othersNotes];
  const [shown] = samples.all;
  if (shown === undefined)
    throw new Refusal('No message of a known type; --schema and --type say what they are', notes);
  const { type, sample, captured } = shown;
  const profile = profiles.find((one) => samples.of(one) === shown);
  const fields = new Map(profile?.fields.map((field) => [field.path, field.occurrences]));
  const isAll = path === ALL && !fields.has(ALL);
  const paths = isAll ? [...fields.keys()].filter((one) => fields.get(one)! > 0) : [path];
  if (!paths.every((one) => fields.has(one))) {
    throw new Refusal(`${type.fullName} has no field ${path} in these messages`, notes);
  }
  const { capturedWith } = sample;
  const compressor = await loadCompressor(row?.id ?? firstCompressor(capturedWith));
  const per = perOf(undefined, sample, reports[0]!.input.kind);
  const savings = new FieldSavings({ type, sample, per, compressor, captured });
  const saved: ({ readonly path: string } & Saved)[] = [];
  const onProgress = progressOf('Compressing without each field');
  for (const one of paths) {
    onProgress(saved.length, paths.length);
    saved.push({ path: one, ...(await savings.of(one)) });
  }
  saved.sort((a, b) => b.bytes - a.bytes);
  const { id, label, library, version, parameters } = compressor;
  const { encoding } = savings;
  const measured = { messages: savings.messages, outOf: sample.count, per };
  const [only] = saved;
  if (options.json) {
    const document = {
      ...{ type: type.fullName, compressor: { id, library, version, parameters }, ...measured },
      encoding: encoding?.id ?? 'protobuf',
      capturedWith,
      ...(isAll ? { fields: saved } : only),
    };
    return success(`${JSON.stringify(document, null, 2)}\n`, notes);
  }
  const words = { ...measured, encoding: encoding?.label ?? null };
  const compression = capturedWithWords(capturedWith);
  const by = `${label}: ${library} ${version}, ${parameters}\n${compression && `${compression}\n`}`;
  if (!isAll) return success(`${savedWords({ ...only!, label, ...words })}\n${by}`, notes);
  const print = options.markdown ? printMarkdownTable : printTable;
  const table = print(
    [{ title: 'without', align: 'left' }, ...['saved bytes', 'with bytes in front', ''].map(right)],
    saved.map(({ path: of, bytes, low, high, isMeasurable }) => [
      of,
      printCount(bytes),
      low === high ? printCount(low) : `${printCount(low)} to ${printCount(high)}`,
      isMeasurable ? '' : 'not measurable',
    ]),
  );
  return success(
    `${table}\n${type.fullName}: each field alone is left out of ${savedSubject(words)}, and ${savings.messages === 1 ? 'it is' : 'they are'} compressed again. Savings do not add up.\n${by}`,
    notes,
  );
}

const right = (title: string): Column => ({ title, align: 'right' });
