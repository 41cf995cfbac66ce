/** Compressed streams, captured or made → what each field pays of them. */
import { compressedPlace, enterAt, readBodyBits } from '#engine/analysis/body-bits.ts';
import { BitsSum, measureBits } from '#engine/analysis/measure-bits.ts';
import { perOf } from '#engine/analysis/measure-matrix.ts';
import { readByLayout } from '#engine/analysis/message-reading.ts';
import { isNative } from '#engine/analysis/native-reading.ts';
import { readWhole } from '#engine/bytes/source.ts';
import { isBitFormat, readBits } from '#engine/compression/bits/read-bits.ts';
import { BodySpans } from '#engine/cost/field-bits.ts';
import { readBody } from '#engine/frame/read-body.ts';
import { requestOf } from '#engine/frame/request-of.ts';
import type { AnnotationTable } from '#engine/model/annotation.ts';
import type { FieldDescriptor, MessageDescriptor } from '#engine/schema/descriptor.ts';
import { annotate } from '#engine/wire/annotate.ts';
import type { BitsApi, FieldBitsAnswer } from './bits-api.ts';
import { loadCompressors } from './load-compressors.ts';
import type { ShownMessages } from './matrix-api.ts';
import type { Context, Control, HandlersOf } from './protocol.ts';
import { encodingOf, pauses, sampleShown, shownMessages } from './sample-messages.ts';
import { libraryOf, type OpenInput, opened, type Session } from './session-state.ts';

/** Plain bytes of the streams that are measured, 16 MiB. */
const MOST_BYTES = 16 << 20;

type Params = Parameters<BitsApi['bits']>[0];

export const bitsHandlers = (session: Session): HandlersOf<BitsApi> => ({
  bits: (params, context) => bits(session, params, context),
});

async function bits(
  session: Session,
  { encoding: id, compressor: choice, ...shown }: Params,
  context: Context<FieldBitsAnswer | null>,
): Promise<FieldBitsAnswer | null> {
  if (choice === null) return ofCaptured(session, shown, context);
  const sampled = await sampleShown(session, shown, { most: MOST_BYTES, per: null }, context);
  if (sampled === null) return null;
  const { type, sample, kind, delimit } = sampled;
  const encoding = encodingOf(id, shown, sampled.captured);
  if (encoding === undefined) return null;
  const [compressor] = await loadCompressors([choice]);
  if (compressor === undefined) return null;
  const { label, library, version } = compressor;
  const per = perOf(undefined, sample, kind);
  const measured = await measureBits({ type, sample, per, encoding, compressor, delimit }, pauses(context));
  return { ...measured, by: { kind: 'encoder', label, library, version }, outOf: sample.count };
}

/** The streams that hold messages of the type, each once; all of them, or the first ones of too many. */
async function ofCaptured(session: Session, params: ShownMessages, control: Control): Promise<FieldBitsAnswer | null> {
  const open = opened(session);
  const shown = await shownMessages(session, params, control);
  if (shown === null) return null;
  const { type, ordinals } = shown;
  const answer = (sum: BitsSum): FieldBitsAnswer | null => {
    const measured = sum.finish();
    return measured.streams === 0 ? null : { ...measured, by: { kind: 'captured' }, outOf: ordinals.length };
  };
  const sum = new BitsSum();
  if (open.packed !== null) {
    await addPacked(sum, session, open, open.packed, type);
    return answer(sum);
  }
  const pause = pauses(control);
  let plainBytes = 0;
  for (let at = 0; at < ordinals.length && plainBytes < MOST_BYTES; ) {
    await pause(at, ordinals.length);
    const body = open.messages.bodyAt(ordinals[at]!);
    const request = requestOf(body);
    let end = at + 1;
    while (end < ordinals.length && requestOf(open.messages.bodyAt(ordinals[end]!)) === request) end++;
    const together = ordinals.slice(at, end);
    at = end;
    const place = compressedPlace(body);
    if (place === null) continue;
    const wire = await readBody(open.source, { pieces: body.pieces, compression: null });
    const stream = wire.ok ? readBodyBits(wire.value, place) : wire;
    if (!stream.ok) continue;
    const spans = new BodySpans();
    for (const ordinal of together) {
      const own = compressedPlace(open.messages.bodyAt(ordinal))!;
      const { start, end: until } = own.slice ?? { start: 0, end: stream.plain.length };
      const table = own.isNested ? null : rowsOf(session, open, ordinal, stream.plain.subarray(start, until), type);
      enterAt(spans, start, until, table);
    }
    sum.add(stream, spans, together.length);
    plainBytes += stream.plain.length;
  }
  return answer(sum);
}

/** A compressed file is one stream of all messages. */
async function addPacked(
  sum: BitsSum,
  session: Session,
  open: OpenInput,
  { source, codec }: NonNullable<OpenInput['packed']>,
  type: MessageDescriptor,
): Promise<void> {
  if (!isBitFormat(codec)) return;
  const stream = readBits(await readWhole(source), codec);
  if (!stream.ok) return;
  const spans = new BodySpans();
  for (let ordinal = 0; ordinal < open.messages.length; ordinal++) {
    const start = open.messages.plainStartAt(ordinal);
    if (start < 0) continue;
    const end = start + open.messages.sizeAt(ordinal);
    enterAt(spans, start, end, rowsOf(session, open, ordinal, stream.plain.subarray(start, end), type));
  }
  sum.add(stream, spans, open.messages.length);
}

function rowsOf(
  session: Session,
  open: OpenInput,
  ordinal: number,
  payload: Uint8Array,
  type: MessageDescriptor,
): AnnotationTable<FieldDescriptor> | null {
  const { messages } = open;
  if (!isNative(messages.groups.at(messages.groupAt(ordinal)))) return annotate(payload, type).table;
  return readByLayout(open, libraryOf(session), ordinal, payload)?.read.table ?? null;
}
