/** Compressed streams, captured or made → what each field pays of them. */
import { enterAt } from '#engine/analysis/body-bits.ts';
import { capturedStreams, rowsAt } from '#engine/analysis/captured-streams.ts';
import { BitsSum, measureBits } from '#engine/analysis/measure-bits.ts';
import { perOf } from '#engine/analysis/measure-matrix.ts';
import type { ReadingRequest } from '#engine/analysis/message-reading.ts';
import { readWhole } from '#engine/bytes/source.ts';
import { isBitFormat, readBits } from '#engine/compression/bits/read-bits.ts';
import { BodySpans } from '#engine/cost/field-bits.ts';
import type { BitsApi, FieldBitsAnswer } from './bits-api.ts';
import { loadCompressors } from './load-compressors.ts';
import type { ShownMessages } from './matrix-api.ts';
import type { Context, Control, HandlersOf } from './protocol.ts';
import { readingRequest } from './reading-request.ts';
import { encodingOf, pauses, sampleShown, shownMessages } from './sample-messages.ts';
import { opened, type Session, type StoredInput } from './session-state.ts';

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
  const { ordinals } = shown;
  const answer = (sum: BitsSum): FieldBitsAnswer | null => {
    const measured = sum.finish();
    return measured.streams === 0 ? null : { ...measured, by: { kind: 'captured' }, outOf: ordinals.length };
  };
  const sum = new BitsSum();
  if (open.packed !== null) {
    await addPacked(sum, open, open.packed, readingRequest(session, params));
    return answer(sum);
  }
  let plainBytes = 0;
  const selected = { store: open, ordinals: Uint32Array.from(ordinals) };
  for await (const found of capturedStreams(selected, readingRequest(session, params), pauses(control))) {
    if ('failure' in found) continue;
    sum.add(found.stream, found.spans, found.ordinals.length);
    plainBytes += found.stream.plain.length;
    if (plainBytes >= MOST_BYTES) break;
  }
  return answer(sum);
}

/** A compressed file is one stream of all messages. */
async function addPacked(
  sum: BitsSum,
  open: StoredInput,
  { source, codec }: NonNullable<StoredInput['packed']>,
  request: ReadingRequest,
): Promise<void> {
  if (!isBitFormat(codec)) return;
  const stream = readBits(await readWhole(source), codec);
  if (!stream.ok) return;
  const spans = new BodySpans();
  for (let ordinal = 0; ordinal < open.messages.length; ordinal++) {
    const start = open.messages.plainStartAt(ordinal);
    if (start < 0) continue;
    const end = start + open.messages.sizeAt(ordinal);
    const rows = await rowsAt(open, request, ordinal, stream.plain.subarray(start, end));
    enterAt(spans, start, end, rows?.table ?? null);
  }
  sum.add(stream, spans, open.messages.length);
}
