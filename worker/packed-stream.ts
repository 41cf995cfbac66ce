/** A compressed file → its one stream, and the messages in it. */
import { enterAt, enterEnd, enterOther } from '#engine/analysis/measure/body-bits.ts';
import { rowsAt } from '#engine/analysis/measure/captured-streams.ts';
import type { PlacedMessage } from '#engine/analysis/measure/copied-from.ts';
import type { ReadingRequest } from '#engine/analysis/message-reading.ts';
import { readWhole } from '#engine/bytes/source.ts';
import { isBitFormat, readBits, type StreamBits } from '#engine/compression/bits/read-bits.ts';
import { BodySpans } from '#engine/cost/field-bits.ts';
import type { StoredInput } from './session-state.ts';

/** A stream, the rows of its plain bytes, and the messages that they hold. */
export interface KnownStream {
  readonly stream: StreamBits;
  readonly spans: BodySpans;
  readonly messages: readonly PlacedMessage[];
}

/** null: it cannot be read. @param isChosen whether the rows of a message are entered; all, without it */
export async function packedStream(
  open: StoredInput,
  { source, codec }: NonNullable<StoredInput['packed']>,
  request: ReadingRequest,
  isChosen: (ordinal: number) => boolean = () => true,
): Promise<KnownStream | null> {
  if (!isBitFormat(codec)) return null;
  const stream = readBits(await readWhole(source), codec);
  if (!stream.ok) return null;
  const spans = new BodySpans();
  let isText = false;
  const messages: PlacedMessage[] = [];
  for (let ordinal = 0; ordinal < open.messages.length; ordinal++) {
    const start = open.messages.plainStartAt(ordinal);
    if (start < 0) continue;
    const end = start + open.messages.sizeAt(ordinal);
    isText = open.messages.formatAt(ordinal) !== undefined;
    if (isChosen(ordinal)) {
      const rows = await rowsAt(open, request, ordinal, stream.plain.subarray(start, end));
      enterAt(spans, stream.plain, { start, end, isText }, rows?.table ?? null);
    } else enterOther(spans, stream.plain, { start, end, isText });
    messages.push({ ordinal, start, end });
  }
  if (isText) enterEnd(spans, stream.plain);
  return { stream, spans, messages };
}
