/** `bits`: a compressed body, or the bodies of a capture → the compressed bits of each field. */

import { classifyText } from '#engine/analysis/evidence/classify-text.ts';
import { classifyType, type TypeSource } from '#engine/analysis/evidence/classify-type.ts';
import { TextSamples } from '#engine/analysis/evidence/text-samples.ts';
import { enterAt, spansOfPlain, type TableOf } from '#engine/analysis/measure/body-bits.ts';
import { capturedStreams } from '#engine/analysis/measure/captured-streams.ts';
import { planOf, withLeftOut } from '#engine/analysis/plan/plan-reading.ts';
import { openInput } from '#engine/analysis/read-input.ts';
import type { MessageTable } from '#engine/analysis/store/message-table.ts';
import { readWhole, type Source } from '#engine/bytes/source.ts';
import type { BitFailure } from '#engine/compression/bits/book.ts';
import {
  BIT_FORMATS,
  isBitFormat,
  readBits,
  type StreamBits,
  sniffBitFormat,
} from '#engine/compression/bits/read-bits.ts';
import { COMPRESSORS } from '#engine/compression/compressors.ts';
import type { FormatId } from '#engine/compression/formats.ts';
import { isCompressed } from '#engine/compression/registry.ts';
import { BodySpans, settleFields } from '#engine/cost/field-bits.ts';
import { CAPTURED_FORMATS } from '#engine/encodings/captured-encodings.ts';
import type { MessageDescriptor } from '#engine/schema/descriptor.ts';
import { annotate } from '#engine/wire/annotate.ts';
import { withSource } from '../inputs/file-source.ts';
import { refuseOptionsOfCaptures, withPlan } from '../inputs/plan-inputs.ts';
import { chooseType, printPlan, readCaptureSchema, touchedNotes, typeSources } from '../inputs/schema.ts';
import { savedOutcome } from '../measure/saved-outcome.ts';
import { BadArguments, CAPTURE_USAGE, type Options, parseOptions } from '../options/arguments.ts';
import { checkChoice } from '../options/input-choice.ts';
import { type BodyBits, type BodyLine, bodyJson, printBodies, printBody } from '../output/bits-text.ts';
import { type Outcome, Refusal, success } from '../output/outcome.ts';
import { progressOf } from '../output/progress.ts';
import { printDiagnostic } from '../output/report-text.ts';
import { plural } from '../output/text-table.ts';

export const BITS_USAGE = `usage: wirecost bits COMPRESSED [options]
       wirecost bits CAPTURE [options]
       wirecost bits INPUT... --saved PATH [options]

COMPRESSED is one compressed stream, or - for the standard input. Each of its bits is paid by one plain byte or by an
item of the container; the sums are 8 × its bytes. For Brotli only totals are given. A capture gives a line for each
compressed body.

      --format ID       how it is compressed, if its first bytes do not show it: ${BIT_FORMATS.join(', ')}
  -s, --schema PATH     a .proto file, a folder of them, or a descriptor set; may be repeated; without it, the
                        bundled schemas are read
  -t, --type NAME       the message type, of the schema or a bundled one; without it, the one that the messages fit. If
                        none fits, the plain bytes of a file are one field
      --framing ID      how messages follow one another in the plain bytes, where it is not detected right
      --message N       of a capture, the whole table of the body that holds message N
      --method TEXT     of a capture, only messages whose method contains it
      --direction WAY   of a capture, only requests, or only responses: request, response
${CAPTURE_USAGE}
      --saved PATH      what is saved if the field is left out; all: of every field that occurs, one after the other.
                        The messages, of more than 2 MiB some of them, are compressed with it and without it, behind
                        0 to 31 bytes of noise. It is measured, never derived from the bits paid
      --compressor ID   for --saved: ${COMPRESSORS.map(({ id }) => id).join(', ')}; without it,
                        the compressor of the messages or of their file, or zstd
      --json            as JSON: format, plainBytes, compressedBytes, container {item: bits} and fields with path, tag,
                        length, value (all else), and shared, all in bits; of a capture, an object
                        a line, with ordinal, messages, time (ms since 1970), flow, direction, method and type, too.
                        With --saved: type, compressor, capturedWith (plain bytes by how they were compressed), messages, outOf (all there are), per, encoding, path, bytes
                        (saved), low and high (behind noise), isMeasurable (0 is not between them); --saved all has
                        the last five of each field in fields
      --markdown        tables as Markdown
`;

export async function bitsCommand(args: readonly string[]): Promise<Outcome> {
  const options = parseOptions(args, [
    'format',
    'schema',
    'type',
    'framing',
    'message',
    'method',
    'direction',
    'limit',
    'saved',
    'compressor',
    'keys',
    'json',
    'markdown',
  ]);
  if (options.saved !== undefined) {
    if (options.message !== undefined) throw new BadArguments('--saved is of all messages; it takes no --message');
    if (options.format !== undefined)
      throw new BadArguments('--saved takes no --format; --compressor names the format');
    return savedOutcome(options.saved, options);
  }
  if (options.compressor !== undefined)
    throw new BadArguments('--compressor is for --saved; other bits are those of the input');
  const [path, more] = options.inputs;
  if (path === undefined || more !== undefined) throw new BadArguments('bits takes one COMPRESSED or CAPTURE');
  const { format } = options;
  if (format !== undefined && !isBitFormat(format)) {
    throw new BadArguments(`No format ${format}; there are ${BIT_FORMATS.join(', ')}`);
  }
  const { framing } = checkChoice(options);
  return withSource(path, async (source) => {
    const isCapture = format === undefined && (await openInput(source, { framing })).kind === 'capture';
    return isCapture ? ofCapture(path, options) : ofStream(source, format, options);
  });
}

async function ofStream(source: Source, format: FormatId | undefined, options: Options): Promise<Outcome> {
  refuseOptionsOfCaptures(options);
  if (options.message !== undefined)
    throw new BadArguments('--message is for captures; the whole table is given of one stream');
  const stream = readStream(await readWhole(source), source.name, format, options.limit);
  const { plain, compressedBytes } = stream;
  const isNamed = options.schema.length > 0 || options.type !== undefined;
  const schema = isNamed ? await readCaptureSchema(options.schema) : undefined;
  const notes = [...(schema?.notes ?? [])];
  if (format === undefined) notes.push(`wirecost: read as ${stream.format}; --format chooses another`);
  const sources = await typeSources(schema, 'payloads');
  const type =
    schema === undefined || options.type === undefined
      ? await detectedType(sources, plain, options, notes)
      : (await chooseType(schema, options.type)).type;
  if (type !== undefined && schema !== undefined) notes.push(...touchedNotes(type, schema));
  const { body, messages } =
    type === undefined
      ? { body: wholeBody(plain.length), messages: 1 }
      : await spansOfPlain(plain, options.framing, await tableOf(type, sources));
  const bits: BodyBits = {
    format: stream.format,
    plainBytes: plain.length,
    compressedBytes,
    container: stream.container,
    fields: settleFields(stream, body, { isShared: true }),
  };
  if (options.json) return success(`${JSON.stringify(bodyJson(bits), null, 2)}\n`, notes);
  const what = type === undefined ? 'Without a type' : `${type.fullName}, ${plural(messages, 'message')}`;
  const title = `${source.name}: ${what}. ${stream.format}, ${sizes(bits)}.`;
  return success(printBody(bits, title, options.markdown), notes);
}

const sizes = ({ plainBytes, compressedBytes }: Pick<BodyBits, 'plainBytes' | 'compressedBytes'>): string =>
  `${plural(plainBytes, 'plain byte')} in ${plural(compressedBytes, 'byte')}`;

function wholeBody(size: number): BodySpans {
  const body = new BodySpans();
  enterAt(body, new Uint8Array(), { start: 0, end: size, isText: false }, null);
  return body;
}

/** Rows of protobuf, or of a text format where the plain bytes are in one. */
async function tableOf(type: MessageDescriptor, sources: readonly TypeSource[]): Promise<TableOf> {
  const findType = (name: string) => sources.flatMap(({ registry }) => registry.messages.get(name) ?? [])[0];
  const json = await CAPTURED_FORMATS.json.loadReader(findType);
  const txtpb = await CAPTURED_FORMATS.txtpb.loadReader(findType);
  const readers = { json, txtpb };
  return (payload, format) => (format === undefined ? annotate : readers[format])(payload, type).table;
}

async function detectedType(
  sources: readonly TypeSource[],
  plain: Uint8Array,
  options: Options,
  notes: string[],
): Promise<MessageDescriptor | undefined> {
  const payloads: Uint8Array[] = [];
  const texts = new TextSamples();
  await spansOfPlain(plain, options.framing, (payload, format) => {
    const sample = format === undefined ? null : texts.of(format);
    if (sample === null) payloads.push(payload.slice());
    else if (sample.wantsNext) sample.add(payload.slice());
    else sample.skip();
    return null;
  });
  const { most } = texts;
  const isText = most !== null && most.sample.seen > payloads.length;
  const found = isText ? classifyText(sources, most.sample, most.format) : planOf(classifyType(sources, payloads));
  const plan = withLeftOut(found, sources);
  const messages = isText ? most.sample.seen : payloads.length;
  if (messages === 0) notes.push('wirecost: no message is in the plain bytes; they are one field');
  else notes.push(...printPlan(plan, plural(messages, 'message'), { untyped: 'all plain bytes are one field' }));
  const { type } = plan;
  return type === null ? undefined : sources.flatMap(({ registry }) => registry.messages.get(type) ?? [])[0];
}

/** Formats without a magic number, in the order of trial: the first ones rarely accept bytes of another format. */
const UNMARKED: readonly FormatId[] = ['snappy', 'deflate', 'lz4-block'];

/** @throws Refusal */
function readStream(bytes: Uint8Array, path: string, format: FormatId | undefined, limit: number): StreamBits {
  const marked = format ?? (path.endsWith('.br') ? 'brotli' : sniffBitFormat(bytes));
  const tried = marked === null ? UNMARKED : format === undefined ? [marked, ...UNMARKED] : [marked];
  let first: BitFailure | undefined;
  for (const id of tried) {
    const stream = readBits(bytes, id, limit);
    if (stream.ok && (tried.length === 1 || stream.container.items.trailing_bytes === undefined)) return stream;
    if (!stream.ok) first ??= stream;
  }
  if (marked === null) {
    throw new Refusal(
      `${path} is not compressed in a way that is known: ${BIT_FORMATS.join(', ')}; --format names one`,
    );
  }
  throw new Refusal(
    `${path} cannot be read as ${marked}: ${first?.detail ?? 'bytes follow its end'} (byte ${first?.offset ?? 0})`,
  );
}

async function ofCapture(path: string, options: Options): Promise<Outcome> {
  return withPlan({ ...options, inputs: [path] }, async (planned) => {
    const { request, notes, chosen, schema } = planned;
    if (chosen !== undefined && schema !== undefined) notes.push(...touchedNotes(chosen, schema));
    const [{ store, ordinals }, input] = [planned.selected[0]!, planned.inputs[0]!];
    notes.push(...input.diagnostics.map(printDiagnostic));
    const { messages } = store;
    const lines: BodyLine[] = [];
    let bodies = 0;
    let unread = 0;
    const onProgress = progressOf('Reading the bits of bodies');
    for await (const found of capturedStreams({ store, ordinals }, request)) {
      bodies++;
      onProgress(found.ordinals.at(-1)!, messages.length);
      if (options.message !== undefined && !found.ordinals.includes(options.message)) continue;
      const ordinal = found.ordinals[0]!;
      if ('failure' in found) {
        const { detail, offset } = found.failure;
        unread++;
        notes.push(`wirecost: message ${ordinal}: ${detail} (byte ${offset} of its body)`);
        continue;
      }
      const { stream, spans, type } = found;
      const time = messages.timeAt(ordinal);
      lines.push({
        ...{ format: stream.format, plainBytes: stream.plain.length, compressedBytes: stream.compressedBytes },
        container: stream.container,
        fields: settleFields(stream, spans, { isShared: options.json || options.message !== undefined }),
        ...{ ordinal, messages: found.ordinals.length, type, direction: messages.directionAt(ordinal) },
        method: messages.methodAt(ordinal),
        flow: messages.flows.wordOf(messages.flowAt(ordinal)),
        time: Number.isNaN(time) ? null : time,
      });
    }
    if (lines.length === 0) {
      const others = bodies === 0 ? otherCodecs(messages, ordinals) : [];
      throw new Refusal(whyNoBody(input.name, bodies, unread, others, options), notes);
    }
    if (options.json) return success(lines.map((line) => `${JSON.stringify(lineJson(line))}\n`).join(''), notes);
    const [only] = lines;
    if (options.message === undefined || only === undefined)
      return success(printBodies(lines, options.markdown), notes);
    const what = [only.direction, only.method].filter((part) => part !== null).join(' ');
    const type = only.type ?? 'without a type';
    const title = `message ${options.message}, ${what}: ${type}. ${only.format}, ${sizes(only)}.`;
    return success(printBody(only, title, options.markdown), notes);
  });
}

/** Ids of the codecs that compress these messages. */
function otherCodecs(messages: MessageTable, ordinals: Uint32Array): readonly string[] {
  const codecs = new Set<string>();
  for (const ordinal of ordinals) {
    const steps = messages.bodyAt(ordinal).compression?.split('|') ?? [];
    for (const step of steps) if (isCompressed([step])) codecs.add(step);
  }
  return [...codecs];
}

/**
 * @param unread bodies of the requested messages that cannot be read
 * @param others codecs of the messages, of which no bits are read
 */
function whyNoBody(
  name: string,
  bodies: number,
  unread: number,
  others: readonly string[],
  { message, method, direction }: Options,
): string {
  if (message !== undefined && bodies > 0 && unread === 0)
    return `${name}: message ${message} is in no compressed body`;
  const which = (method ?? direction) === undefined ? '' : ' of the selected messages';
  const why =
    unread > 0 ? ' that can be read' : others.length > 0 ? ` whose bits are read, but ${others.join(', ')}` : '';
  return `${name} holds no compressed body${which}${why}`;
}

const lineJson = (line: BodyLine) => {
  const { ordinal, messages, time, flow, direction, method, type } = line;
  return { ordinal, messages, time, flow, direction, method, type, ...bodyJson(line) };
};
