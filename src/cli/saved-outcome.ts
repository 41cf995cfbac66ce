/** `bits --saved`: what the messages save, compressed, if a field is left out. */
import { FieldSavings } from '#engine/analysis/measure-field-saved.ts';
import { perOf } from '#engine/analysis/measure-matrix.ts';
import { COMPRESSORS, loadCompressor } from '#engine/compression/compressors.ts';
import { withLength } from '#engine/encodings/matrix.ts';
import { savedWords } from '#wording/saved-words.ts';
import { BadArguments, type Options } from './arguments.ts';
import { measure } from './measure.ts';
import { type Outcome, Refusal, success } from './outcome.ts';
import { TypeSamples } from './type-samples.ts';

/** Bytes of messages that are measured, 2 MiB: they are compressed 64 times. */
const MOST_BYTES = 2 << 20;

export async function savedOutcome(path: string, options: Options): Promise<Outcome> {
  const { compressor: id = 'zstd' } = options;
  const row = COMPRESSORS.find((known) => known.id === id);
  if (row === undefined) {
    throw new BadArguments(`No compressor ${id}; there are ${COMPRESSORS.map((known) => known.id).join(', ')}`);
  }
  const samples = new TypeSamples(MOST_BYTES);
  const { profiles, reports, notes } = await measure(options, { both: samples.add });
  const [shown] = samples.all;
  if (shown === undefined)
    throw new Refusal('No message of a known type; --schema and --type say what they are', notes);
  const { type, sample } = shown;
  const profile = profiles.find((one) => one.type === type.fullName);
  if (!profile?.fields.some((field) => field.path === path)) {
    throw new Refusal(`${type.fullName} has no field ${path} in these messages`, notes);
  }
  const { input } = reports[0]!;
  const compressor = await loadCompressor(row.id);
  const per = perOf(undefined, sample, input.kind);
  const delimit = input.kind === 'payloads' && input.framing.id === 'varint' ? withLength : undefined;
  const saved = await new FieldSavings({ type, sample, per, compressor, delimit }).of(path);
  const { label, library, version, parameters } = compressor;
  const measured = { messages: sample.keptCount, outOf: sample.count };
  if (options.json) {
    const document = {
      type: type.fullName,
      path,
      compressor: { id, library, version, parameters },
      ...measured,
      ...saved,
    };
    return success(`${JSON.stringify(document, null, 2)}\n`, notes);
  }
  return success(
    `${savedWords({ path, label, ...measured, ...saved })}\n${label}: ${library} ${version}, ${parameters}\n`,
    notes,
  );
}
