/** Bytes of a message in a compressed stream → for each stretch, the place that it was copied from, or literals. */
import type { StreamBits } from '../../compression/bits/read-bits.ts';
import { originsOf } from '../../compression/bits/settle.ts';
import type { BodySpans } from '../../cost/field-bits.ts';
import type { MessagePlace } from './measure-bits.ts';

/** A message in the plain bytes of a stream. */
export interface PlacedMessage extends MessagePlace {
  /** Its number in the input; undefined: unknown. */
  readonly ordinal: number | undefined;
}

export interface CopiedStretch {
  /** Half-open, in the message. */
  readonly start: number;
  readonly end: number;
  /** Bits that the stretch costs. */
  readonly bits: number;
  /** null: literals. */
  readonly from: {
    /** Plain bytes from the source to the stretch. */
    readonly distance: number;
    /** The message that the source begins in; undefined: it begins between messages, or is unknown. */
    readonly ordinal: number | undefined;
    /** Offset of the source in that message. */
    readonly offset: number;
    /** The field of the source's first byte; null: no field. */
    readonly path: string | null;
  } | null;
}

export interface CopiedFrom {
  readonly stretches: readonly CopiedStretch[];
  /** Bytes of the span after the last listed stretch. */
  readonly more: number;
}

/** Maximum number of listed stretches. */
const MAX_STRETCHES = 12;

/** @param start @param end half-open, in the message. @param messages all messages of the stream, in order */
export function copiedFrom(
  { stream, spans }: { readonly stream: StreamBits; readonly spans: BodySpans },
  messages: readonly PlacedMessage[],
  of: MessagePlace,
  { start, end }: MessagePlace,
): CopiedFrom {
  const origins = originsOf(stream, of.start + start, Math.min(of.start + end, of.end), MAX_STRETCHES);
  const stretches = origins.map(({ start: at, end: to, from, bits }): CopiedStretch => {
    const own = { start: at - of.start, end: to - of.start, bits };
    if (from === null) return { ...own, from: null };
    const source = messages.find((message) => message.start <= from && from < message.end);
    return {
      ...own,
      from: {
        distance: at - from,
        ordinal: source?.ordinal,
        offset: from - (source?.start ?? 0),
        path: spans.pathAt(from),
      },
    };
  });
  return { stretches, more: end - (stretches.at(-1)?.end ?? start) };
}
