/** `matrix`: the messages of an input in every encoding, before and after every compressor. */
import { matrixFindings } from '#engine/analysis/measure/matrix-findings.ts';
import type { CompressorId } from '#engine/compression/compressor-row.ts';
import { COMPRESSORS } from '#engine/compression/compressors.ts';
import { bytesInAny } from '#engine/cost/in-any.ts';
import type { CompressionUnit } from '#engine/encodings/message-sample.ts';
import { toTerminal } from '#wording/escape.ts';
import { type InputPlace, MEASURE_OPTIONS, withMeasured } from '../measure/measure.ts';
import { MATRIX_BYTES, matrixOf, TypeSamples } from '../measure/type-samples.ts';
import { BadArguments, parseOptions } from '../options/arguments.ts';
import { roomFor } from '../output/listed-rows.ts';
import { matrixJson, printMatrix } from '../output/matrix-text.ts';
import { type Outcome, type Print, Refusal, success } from '../output/outcome.ts';
import { MEASURE_USAGE } from './analyze-command.ts';

/** Values of --per. */
export const UNITS: readonly CompressionUnit[] = ['message', 'request', 'joined'];

/** Values of --level. */
export const LEVELS = COMPRESSORS.flatMap(({ id, levels }) => levels.map((level) => `${id}=${level}`));
const LEVELS_LIST = COMPRESSORS.filter(({ levels }) => levels.length > 0)
  .map(({ id, levels }) => `${id}=${levels.join('|')}`)
  .join(', ');

export const MATRIX_USAGE = `usage: wirecost matrix INPUT... [options]

The messages of one type in every encoding, before and after every compressor. Payloads are joined as their framing
joins them and compressed at once; the messages of a capture request by request, as they were sent. Of more than 8 MiB
every nth request is measured, and the table has the error of the sample.

      --per WHAT        what is compressed at once: message, request, joined
      --level ID=LEVEL  another level of a compressor, as zstd=19; may be repeated. Levels: ${LEVELS_LIST}
${MEASURE_USAGE}      --json            as JSON: type, messages, captured, inAny (bytes of messages in an Any, where there are any), per,
                        capturedWith (plain bytes by how they were compressed),
                        compressors and encodings with their bytes, compressed bytes and fields, as many as fit;
                        findings: values that an encoding does not carry; refused: why it has no bytes; first: by
                        each of these, the place of the first such value (input, from 0, ordinal, offset, end);
                        of a sample sampled, and errors by compressor (none: of bytes) as a share. It takes at most 64 times the size of the inputs, 512 KiB and 2 KiB for each input
      --markdown        the table as Markdown
`;

export async function matrixCommand(args: readonly string[], print: Print): Promise<Outcome> {
  const options = parseOptions(args, [...MEASURE_OPTIONS, 'per', 'level', 'json', 'markdown']);
  const per = UNITS.find((unit) => unit === options.per);
  if (per === undefined && options.per !== undefined) {
    throw new BadArguments(`--per takes message, request or joined, not ${options.per}`);
  }
  const levels = levelsOf(options.level);
  const samples = new TypeSamples(MATRIX_BYTES);
  return withMeasured(options, { both: samples.add }, async (measured, findLosses) => {
    const [shown] = samples.all;
    if (shown === undefined) {
      throw new Refusal('No message of a known type; --schema and --type say what they are', measured.notes);
    }
    const matrix = await matrixOf(shown, measured, { per, levels });
    const findings = matrixFindings(matrix);
    const places = await findLosses(findings.map(({ lost }) => lost));
    const notes = [...measured.notes, ...samples.othersNotes];
    const profile = measured.profiles.find(({ type }) => type === matrix.type);
    if (!options.json) {
      const inputs = measured.reports.map(({ input }) => input.name);
      const lines = findings.map(({ words }, at) => `${words}${firstPlace(places[at]!, inputs)}`);
      return success(printMatrix(matrix, options.markdown, profile, lines), notes);
    }
    const inAny = profile === undefined ? 0 : bytesInAny(profile);
    const firsts = findings.map(({ lost }, at) => ({ lost, place: places[at]! }));
    const parts = matrixJson(matrix, roomFor(measured.reports), inAny, firsts);
    for (const part of parts) await print(toTerminal(part));
    return success('', notes);
  });
}

/** ` First in message 2, byte 909.` @param inputs their names */
function firstPlace(place: InputPlace | null, inputs: readonly string[]): string {
  if (place === null) return '';
  const { input, ordinal, start } = place;
  return ` First in ${inputs.length > 1 ? `${inputs[input]}, ` : ''}message ${ordinal}, byte ${start}.`;
}

/** @param given `zstd=19` each. @throws BadArguments */
function levelsOf(given: readonly string[]): ReadonlyMap<CompressorId, number> {
  return new Map(
    given.map((text) => {
      const [id, level] = text.split('=');
      const row = COMPRESSORS.find((known) => known.id === id);
      if (row === undefined || !row.levels.includes(Number(level))) {
        throw new BadArguments(`--level takes a compressor and one of its levels, not ${text}: ${LEVELS_LIST}`);
      }
      return [row.id, Number(level)];
    }),
  );
}
