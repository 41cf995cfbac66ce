/** All bytes are one message. Protobuf allows an empty one. */
import type { Judgement } from '../../capture/text/text-encoding.ts';
import type { PayloadFormat } from '../../model/payload-format.ts';
import { plausibleMessage } from '../plausible-message.ts';
import type { Framing } from './framing.ts';

export const single: Framing = { id: 'single', label: 'One message', sniff, create: oneMessage('single') };

function sniff(head: Uint8Array, size: number): Judgement {
  if (size === 0) return { score: 0.5, reason: 'empty, as a message may be' };
  const { quality, whole, records, explained } = plausibleMessage(head, 0, size);
  if (whole) {
    return {
      score: 0.96 * quality,
      reason: head.length === size ? 'its fields tile the input' : 'its fields tile the bytes examined',
    };
  }
  // The fallback: any input can be read as one message.
  if (records === 0) return { score: 0.05, reason: 'does not start with a field' };
  return {
    score: Math.max(0.05, 0.5 * quality * (explained / Math.min(size, head.length))),
    reason: `fields up to byte ${explained}, then none`,
  };
}

/** Reads all bytes as one message with this transport id. @param format absent: protobuf */
export function oneMessage(transport: string, format?: PayloadFormat): Framing['create'] {
  return (size) => {
    /** All bytes, if they come in more than one chunk. */
    let whole: Uint8Array | null = null;
    let gathered = 0;
    let done = false;
    return {
      push(chunk, atEnd, sink) {
        let payload = chunk;
        if (!atEnd || whole !== null) {
          whole ??= new Uint8Array(size);
          whole.set(chunk, gathered);
          gathered += chunk.length;
          if (!atEnd) return;
          payload = whole;
        }
        done = true;
        const bytes = payload.length;
        sink(
          {
            ordinal: 0,
            body: { pieces: [{ start: 0, end: bytes }], compression: null },
            bytes,
            capturedBytes: bytes,
            transport,
            ...(format === undefined ? {} : { format }),
            time: null,
            flow: null,
            direction: null,
            method: null,
            status: null,
            typeHint: null,
          },
          payload,
        );
      },
      facts: () => ({
        messages: done ? 1 : 0,
        payloadBytes: done ? size : 0,
        capturedBytes: done ? size : 0,
        framingBytes: 0,
        unattributedBytes: 0,
        diagnostics: [],
      }),
    };
  };
}
