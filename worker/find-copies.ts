/**
 * Bytes of a message → the source of their copies in its compressed stream. The last stream is cached, because users
 * look at many rows of it.
 */
import { capturedStreams } from '#engine/analysis/measure/captured-streams.ts';
import { copiedFrom } from '#engine/analysis/measure/copied-from.ts';
import { makeStream } from '#engine/analysis/measure/measure-bits.ts';
import { perOf } from '#engine/analysis/measure/measure-matrix.ts';
import { requestOf } from '#engine/frame/request-of.ts';
import type { BitsApi } from './bits-api.ts';
import { loadCompressors } from './load-compressors.ts';
import { type KnownStream, packedStream } from './packed-stream.ts';
import type { Control, HandlersOf } from './protocol.ts';
import { readingRequest } from './reading-request.ts';
import { encodingOf, findShownMessages, pauses, sampleShown } from './sample-messages.ts';
import { opened, type Session } from './session-state.ts';

type Params = Parameters<BitsApi['copiedFrom']>[0];

/** @param most plain bytes of a stream that is made */
export function copiesFinder(session: Session, most: number): HandlersOf<BitsApi>['copiedFrom'] {
  let known: { readonly of: readonly unknown[]; readonly found: KnownStream } | null = null;
  return async ({ start, end, ...asked }, context) => {
    const { ordinal, ...rest } = asked;
    const of = [session.input, session.schema, JSON.stringify(rest)];
    const last = known?.of.every((part, at) => part === of[at]) ? known.found : null;
    const isInLast = last?.messages.some((message) => message.ordinal === ordinal) === true;
    const found = isInLast ? last : await streamOf(session, asked, most, context);
    known = found && { of, found };
    const own = found?.messages.find((message) => message.ordinal === ordinal);
    return found === null || own === undefined ? null : copiedFrom(found, found.messages, own, { start, end });
  };
}

async function streamOf(
  session: Session,
  { encoding, compressor, ordinal, ...shown }: Omit<Params, 'start' | 'end'>,
  most: number,
  control: Control,
): Promise<KnownStream | null> {
  const open = opened(session);
  const request = requestOf(open.messages.bodyAt(ordinal));
  if (compressor !== null) {
    const sampled = await sampleShown(session, shown, { most, per: null }, control);
    const row = sampled && encodingOf(session, encoding, shown, sampled.captured);
    const [loaded] = await loadCompressors([compressor]);
    if (!sampled || !row || loaded === undefined) return null;
    const { type, sample, kind } = sampled;
    const per = perOf(undefined, sample, kind);
    const messages = sample.streams(per).find((stream) => stream.some((message) => message.ordinal === ordinal));
    if (messages === undefined) return null;
    const made = await makeStream({ type, per, encoding: row, compressor: loaded }, messages);
    const placed = made.places.flatMap((place, at) => (place ? [{ ...place, ordinal: messages[at]!.ordinal }] : []));
    return { stream: made.stream, spans: made.spans, messages: placed };
  }
  const typed = await findShownMessages(session, shown, control);
  if (typed === null) return null;
  if (open.packed !== null) return packedStream(open, open.packed, readingRequest(session, shown));
  const together = typed.ordinals.filter((one) => requestOf(open.messages.bodyAt(one)) === request);
  const selected = { store: open, ordinals: Uint32Array.from(together) };
  for await (const found of capturedStreams(selected, readingRequest(session, shown), pauses(control))) {
    if ('failure' in found || !found.ordinals.includes(ordinal)) continue;
    const { stream, spans, ordinals, places } = found;
    return {
      stream,
      spans,
      messages: places.flatMap((place, at) => (place ? [{ ...place, ordinal: ordinals[at] }] : [])),
    };
  }
  return null;
}
