/** `matrix`: the messages of an input in every encoding, before and after every compressor. */
import { COMPRESSORS, loadCompressor } from '#engine/compression/compressors.ts';
import { ENCODINGS } from '#engine/encodings/encodings.ts';
import { MatrixBuilder, type Per, withLength } from '#engine/encodings/matrix.ts';
import type { MessageDescriptor } from '#engine/schema/descriptor.ts';
import { MEASURE_OPTIONS, MEASURE_USAGE, measure } from './analyze-command.ts';
import { BadArguments, parseOptions } from './arguments.ts';
import { matrixJson, printMatrix } from './matrix-text.ts';
import { MessageSample } from './message-sample.ts';
import { type Outcome, Refusal, success } from './outcome.ts';

export const MATRIX_USAGE = `usage: wirecost matrix INPUT... [options]

The messages of one type in every encoding, before and after every compressor. Payloads are joined as their framing
joins them and compressed at once; the messages of a capture are compressed one by one, as they were sent. Of more than
32 MiB every nth message is measured, alone, and the table has the error of the sample.

      --per WHAT        what is compressed at once: message, joined
${MEASURE_USAGE}      --json            as JSON: type, messages, captured, compressors and encodings with their bytes, compressed
                        bytes and fields
      --markdown        the table as Markdown
`;

export async function matrixCommand(args: readonly string[]): Promise<Outcome> {
  const options = parseOptions(args, [...MEASURE_OPTIONS, 'per', 'json', 'markdown']);
  const { per } = options;
  if (per !== undefined && per !== 'message' && per !== 'joined') {
    throw new BadArguments(`--per takes message or joined, not ${per}`);
  }
  const samples = new Map<MessageDescriptor, MessageSample>();
  const measured = await measure(options, (type, { protobuf }) => {
    let sample = samples.get(type);
    if (sample === undefined) {
      sample = new MessageSample();
      samples.set(type, sample);
    }
    sample.add(protobuf);
  });
  const [type, sample] = [...samples].sort(([, a], [, b]) => b.bytes - a.bytes)[0] ?? [];
  if (type === undefined || sample === undefined) {
    throw new Refusal('No message of a known type; --schema and --type say what they are', measured.notes);
  }
  const types = typesWithin(type);
  const compressors = await Promise.all(COMPRESSORS.map(({ id }) => loadCompressor(id)));
  const { input } = measured.reports[0]!;
  const builder = new MatrixBuilder(type, ENCODINGS, compressors, {
    per: perOf(per, sample, input.kind),
    findType: (name) => types.get(name),
    delimit: input.kind === 'payloads' && input.framing.id === 'varint' ? withLength : undefined,
  });
  for (const message of sample.messages) await builder.add(message);
  const matrix = await builder.finish('protobuf');
  const notes = [...measured.notes, ...otherTypes(samples, type)];
  return success(options.json ? matrixJson(matrix, sample) : printMatrix(matrix, sample, options.markdown), notes);
}

function perOf(asked: Per | undefined, sample: MessageSample, kind: 'payloads' | 'capture'): Per {
  if (sample.isSampled) return 'message';
  return asked ?? (kind === 'payloads' ? 'joined' : 'message');
}

const otherTypes = (
  samples: ReadonlyMap<MessageDescriptor, MessageSample>,
  type: MessageDescriptor,
): readonly string[] =>
  [...samples.keys()]
    .filter((other) => other !== type)
    .map(({ fullName }) => `wirecost: there are messages of ${fullName}, too; --type selects them`);

/** Types by name that a message of this type can hold: what an Any names is mostly one of them. */
function typesWithin(root: MessageDescriptor): ReadonlyMap<string, MessageDescriptor> {
  const found = new Map<string, MessageDescriptor>();
  const left = [root];
  for (let type = left.pop(); type !== undefined; type = left.pop()) {
    if (found.has(type.fullName)) continue;
    found.set(type.fullName, type);
    for (const { message } of type.fields) if (message !== undefined) left.push(message);
  }
  return found;
}
