/** Compressed streams, captured or made → what each field pays of them. */
import { capturedStreams } from '#engine/analysis/measure/captured-streams.ts';
import { BitsSum, measureBits } from '#engine/analysis/measure/measure-bits.ts';
import { FieldSavings } from '#engine/analysis/measure/measure-field-saved.ts';
import { perOf } from '#engine/analysis/measure/measure-matrix.ts';
import { firstCompressor } from '#engine/compression/captured-with.ts';
import type { Saved } from '#engine/compression/saved-bytes.ts';
import type { BitsApi, FieldBitsAnswer, SavedAnswer } from './bits-api.ts';
import { copiesFinder } from './find-copies.ts';
import { loadCompressors } from './load-compressors.ts';
import type { ShownMessages } from './matrix-api.ts';
import { packedStream } from './packed-stream.ts';
import type { Context, Control, HandlersOf } from './protocol.ts';
import { readingRequest } from './reading-request.ts';
import { encodingOf, findShownMessages, pauses, sampleShown } from './sample-messages.ts';
import { opened, type Session } from './session-state.ts';

/** Plain bytes of the streams that are measured, 16 MiB. */
const MAX_BYTES = 16 << 20;

/** Bytes of messages that are compressed again for each field, 256 KiB: 64 times for the first, 32 for each other. */
const MAX_SAVED = 256 << 10;

type Params = Omit<Parameters<BitsApi['bits']>[0], 'side'>;

export const bitsHandlers = (session: Session): HandlersOf<BitsApi> => ({
  bits({ side, ...params }, context) {
    const of = side === 'kept' ? session.kept : session;
    return of?.input ? bits(of, params, context) : null;
  },
  copiedFrom: copiesFinder(session, MAX_BYTES),
  saved: (params, context) => saved(session, params, context),
});

async function saved(
  session: Session,
  { compressor: choice, paths, ...shown }: Parameters<BitsApi['saved']>[0],
  context: Context<SavedAnswer | null>,
): Promise<SavedAnswer | null> {
  const sampled = await sampleShown(session, shown, { most: MAX_SAVED, per: null }, context);
  if (sampled === null) return null;
  const { type, sample, kind, captured } = sampled;
  const { capturedWith } = sample;
  const [compressor] = await loadCompressors([choice ?? { id: firstCompressor(capturedWith), level: null }]);
  if (compressor === undefined) return null;
  const { label, library, version } = compressor;
  const per = perOf(undefined, sample, kind);
  const savings = new FieldSavings({ type, sample, per, compressor, captured });
  const answer = (found: SavedAnswer['saved']): SavedAnswer => ({
    ...{ label, library, version, messages: savings.messages, outOf: sample.count, per, saved: found },
    encoding: savings.encoding?.label ?? null,
    capturedWith,
  });
  const found = new Map<string, Saved>();
  const pause = pauses(context, 'fields');
  for (const [done, path] of paths.entries()) {
    found.set(path, await savings.of(path, () => pause(done, paths.length)));
    context.soFar(answer(found));
  }
  return answer(found);
}

async function bits(
  session: Session,
  { encoding: id, compressor: choice, ...shown }: Params,
  context: Context<FieldBitsAnswer | null>,
): Promise<FieldBitsAnswer | null> {
  if (choice === null) return ofCaptured(session, shown, context);
  const sampled = await sampleShown(session, shown, { most: MAX_BYTES, per: null }, context);
  if (sampled === null) return null;
  const { type, sample, kind } = sampled;
  const encoding = encodingOf(session, id, shown, sampled.captured);
  if (encoding === undefined) return null;
  const [compressor] = await loadCompressors([choice]);
  if (compressor === undefined) return null;
  const { label, library, version } = compressor;
  const per = perOf(undefined, sample, kind);
  const measured = await measureBits({ type, sample, per, encoding, compressor }, pauses(context));
  return { ...measured, by: { kind: 'encoder', label, library, version }, outOf: sample.count };
}

/** The streams that hold messages of the type, each once; all of them, or the first ones of too many. */
async function ofCaptured(session: Session, params: ShownMessages, control: Control): Promise<FieldBitsAnswer | null> {
  const open = opened(session);
  const shown = await findShownMessages(session, params, control);
  if (shown === null) return null;
  const { ordinals } = shown;
  const answer = (sum: BitsSum): FieldBitsAnswer | null => {
    const measured = sum.finish();
    return measured.streams === 0 ? null : { ...measured, by: { kind: 'captured' }, outOf: ordinals.length };
  };
  const sum = new BitsSum();
  if (open.packed !== null) {
    const chosen = new Set(ordinals);
    const isChosen = (ordinal: number): boolean => chosen.has(ordinal);
    const packed = await packedStream(open, open.packed, readingRequest(session, params), isChosen);
    if (packed !== null) sum.add(packed.stream, packed.spans, ordinals.length);
    return answer(sum);
  }
  let plainBytes = 0;
  const selected = { store: open, ordinals: Uint32Array.from(ordinals) };
  for await (const found of capturedStreams(selected, readingRequest(session, params), pauses(control))) {
    if ('failure' in found) continue;
    sum.add(found.stream, found.spans, found.ordinals.length);
    plainBytes += found.stream.plain.length;
    if (plainBytes >= MAX_BYTES) break;
  }
  return answer(sum);
}
