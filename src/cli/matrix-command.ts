/** `matrix`: the messages of an input in every encoding, before and after every compressor. */
import { measureMatrix } from '#engine/analysis/measure-matrix.ts';
import type { ProfilerOptions } from '#engine/analysis/message-profiler.ts';
import { COMPRESSORS, type CompressorId, loadCompressor } from '#engine/compression/compressors.ts';
import { CAPTURED_NATIVE } from '#engine/encodings/captured-encodings.ts';
import { ENCODINGS } from '#engine/encodings/encodings.ts';
import { withLength } from '#engine/encodings/matrix.ts';
import { MessageSample, type Per } from '#engine/encodings/message-sample.ts';
import type { MessageDescriptor } from '#engine/schema/descriptor.ts';
import { MEASURE_USAGE } from './analyze-command.ts';
import { BadArguments, parseOptions } from './arguments.ts';
import { matrixJson, printMatrix } from './matrix-text.ts';
import { MEASURE_OPTIONS, measure } from './measure.ts';
import { type Outcome, Refusal, success } from './outcome.ts';

/** Bytes of messages that are measured. */
const MOST_BYTES = 32 << 20;

const LEVELS = COMPRESSORS.filter(({ levels }) => levels.length > 0)
  .map(({ id, levels }) => `${id}=${levels.join('|')}`)
  .join(', ');

export const MATRIX_USAGE = `usage: wirecost matrix INPUT... [options]

The messages of one type in every encoding, before and after every compressor. Payloads are joined as their framing
joins them and compressed at once; the messages of a capture request by request, as they were sent. Of more than 32 MiB
every nth request is measured, and the table has the error of the sample.

      --per WHAT        what is compressed at once: message, request, joined
      --level ID=LEVEL  another level of a compressor, as zstd=19; may be repeated. Levels: ${LEVELS}
${MEASURE_USAGE}      --json            as JSON: type, messages, captured, compressors and encodings with their bytes, compressed
                        bytes and fields
      --markdown        the table as Markdown
`;

export async function matrixCommand(args: readonly string[]): Promise<Outcome> {
  const options = parseOptions(args, [...MEASURE_OPTIONS, 'per', 'level', 'json', 'markdown']);
  const { per } = options;
  if (per !== undefined && !isPer(per)) throw new BadArguments(`--per takes message, request or joined, not ${per}`);
  const levels = levelsOf(options.level);
  const samples = new Map<MessageDescriptor, MessageSample>();
  const natively = new Set<MessageDescriptor>();
  const both: ProfilerOptions['both'] = (type, { protobuf }, from) => {
    let sample = samples.get(type);
    if (sample === undefined) {
      sample = new MessageSample(MOST_BYTES);
      samples.set(type, sample);
    }
    if (from.captured !== undefined) natively.add(type);
    sample.add(protobuf, from);
  };
  const measured = await measure(options, { both });
  const [type, sample] = [...samples].sort(([, a], [, b]) => b.bytes - a.bytes)[0] ?? [];
  if (type === undefined || sample === undefined) {
    throw new Refusal('No message of a known type; --schema and --type say what they are', measured.notes);
  }
  const compressors = await Promise.all(COMPRESSORS.map(({ id }) => loadCompressor(id, levels.get(id))));
  const { input } = measured.reports[0]!;
  const matrix = await measureMatrix({
    ...{ type, sample, per, kind: input.kind, encodings: ENCODINGS, compressors },
    delimit: input.kind === 'payloads' && input.framing.id === 'varint' ? withLength : undefined,
    captured: natively.has(type) ? CAPTURED_NATIVE : undefined,
  });
  const notes = [...measured.notes, ...otherTypes(samples, type)];
  return success(options.json ? matrixJson(matrix) : printMatrix(matrix, options.markdown), notes);
}

const isPer = (word: string): word is Per => word === 'message' || word === 'request' || word === 'joined';

/** @param given `zstd=19` each. @throws BadArguments */
function levelsOf(given: readonly string[]): ReadonlyMap<CompressorId, number> {
  return new Map(
    given.map((text) => {
      const [id, level] = text.split('=');
      const row = COMPRESSORS.find((known) => known.id === id);
      if (row === undefined || !row.levels.includes(Number(level))) {
        throw new BadArguments(`--level takes a compressor and one of its levels, not ${text}: ${LEVELS}`);
      }
      return [row.id, Number(level)];
    }),
  );
}

const otherTypes = (
  samples: ReadonlyMap<MessageDescriptor, MessageSample>,
  type: MessageDescriptor,
): readonly string[] =>
  [...samples.keys()]
    .filter((other) => other !== type)
    .map(({ fullName }) => `wirecost: there are messages of ${fullName}, too; --type selects them`);
