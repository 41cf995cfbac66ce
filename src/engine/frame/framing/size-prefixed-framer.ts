/**
 * Shared by all framings with prefixes. It detects from the first bytes whether frames tile the input, and it divides
 * chunks into payloads.
 *
 *   start                payload                    next start
 *     ├─── prefix bytes ────┼──── `size` bytes ─────────┤
 *
 * Payloads within a chunk are passed on without a copy. Others are collected as their bytes are received. A size in a
 * prefix causes no allocation, and a size beyond the input's end is rejected at once.
 */

import { giveBuffer, takeBuffer } from '../../bytes/buffer-pool.ts';
import { isTextByte } from '../../bytes/text-byte.ts';
import type { Judgement } from '../../capture/text/text-encoding.ts';
import { loadDecoders } from '../../compression/load-decoders.ts';
import { sniffCodec } from '../../compression/signatures.ts';
import { countText, plural } from '../../model/count-text.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { PayloadFormat } from '../../model/payload-format.ts';
import type { Message } from '../message.ts';
import { isFiller, plausibleMessage, type Shapes } from '../plausible-message.ts';
import type { Framer, Framing } from './framing.ts';

/** A complete prefix. `trailer` frames belong to the framing; `compressed` payloads have to be decompressed. */
export interface SizedFrame {
  readonly size: number;
  readonly kind: 'plain' | 'compressed' | 'trailer';
  /** Id of the codec; absent: the first bytes of the payload name it. */
  readonly codec?: string;
  /** Bytes of the framing after the payload; absent: none. */
  readonly after?: number;
  /** As in `Message`. */
  readonly typePlace?: string;
}

/**
 * Parses the first `length` bytes of a prefix (at least one). Returns the frame, or that it needs more bytes, or that
 * it is not a prefix. `left`: the number of bytes from the prefix to the end of the input.
 */
export type SizePrefix = (header: Uint8Array, length: number, left: number) => SizedFrame | 'more' | 'bad';

/** Decompresses a payload; returns the text of a diagnostic if that fails. */
export type Open = (
  payload: Uint8Array,
  codec?: string,
) =>
  | { readonly bytes: Uint8Array; readonly compression: string; readonly format?: PayloadFormat }
  | { readonly code: string; readonly reason: string };

export interface FramedPayload extends Pick<Framing, 'type'> {
  readonly id: string;
  readonly label: string;
  readonly prefix: SizePrefix;
  /** Opens the payload of a `compressed` frame. */
  readonly open?: Open;
  /** Compares the bytes after a payload with it. Absent: they prove nothing. */
  readonly isSound?: (payload: Uint8Array, after: Uint8Array) => boolean;
  /** Maximum length of a prefix; absent: that of a size and a record's header. */
  readonly longest?: number;
  /** No other bytes pass for a prefix, so the payloads need not look like protobuf. */
  readonly isProof?: boolean;
}

/** A size of eight bytes, and the longest record header after it. */
const MAX_PREFIX = 32;
/** Number of frames whose contents are checked for protobuf. Further frames only have to tile the input. */
const JUDGED = 200;
/** Shorter inputs may consist of characters by chance. */
const MIN_TEXT = 12;
/** Shorter inputs may repeat a byte by chance. */
const MIN_FILLER = 16;
/** In inputs up to this size, a single prefix that spans the input may be chance. */
const CHANCE_SIZE = 256;
const MAX_DIAGNOSTICS = 20;
/** Share of the payloads, by their quality, up to which they do not look like protobuf. */
const FEW = 0.3;
/** The first prefix is proof, and a later one is missing or claims too much. */
const FIRST_OF_PROOF = 0.96;

export const framed = (spec: FramedPayload): Framing => ({
  id: spec.id,
  label: spec.label,
  type: spec.type,
  sniff: (head, size) => sniff(spec, head, size),
  create: (size) => createFramer(spec, size),
  load: spec.open && loadDecoders,
});

function sniff({ prefix, isProof }: FramedPayload, head: Uint8Array, size: number): Judgement {
  if (size === 0) return { score: 0.1, reason: 'empty: no messages' };
  // Letters can look like prefixes and fields, but encoders write other bytes between letters.
  if (size >= MIN_TEXT && isAscii(head)) return { score: 0.02, reason: 'the input is a text' };
  const shapes: Shapes = new Map();
  let frames = 0;
  let trailers = 0;
  let empty = 0;
  let judged = 0;
  let packed = 0;
  let quality = 0;
  /** Judged frames whose payload holds the bytes of the prefix again and again. */
  let repeated = 0;
  let at = 0;
  let fault: string | undefined;
  while (at < head.length) {
    let length = 1;
    let frame = prefix(head.subarray(at), length, size - at);
    while (frame === 'more' && at + length < head.length) frame = prefix(head.subarray(at), ++length, size - at);
    if (frame === 'more') {
      if (head.length === size) fault = `the input ends in a prefix at byte ${at}`;
      break;
    }
    if (frame === 'bad') {
      fault = `no prefix at byte ${at}`;
      break;
    }
    const start = at + length;
    const end = start + frame.size;
    const next = end + (frame.after ?? 0);
    if (next > size) {
      fault = `the prefix at byte ${countText(at)} claims ${plural(next - start, 'byte')}, ${countText(size - start)} are left`;
      if (isProof && frames === 0) return { score: FIRST_OF_PROOF, reason: fault };
      break;
    }
    frames++;
    if (frame.kind === 'trailer') trailers++;
    else if (frame.size === 0) empty++;
    else if (frame.kind === 'plain' && judged < JUDGED) {
      const plausible = plausibleMessage(head, start, end, shapes);
      judged++;
      quality += plausible.whole ? plausible.quality : 0;
      if (length > 1 && repeats(head.subarray(start, end), head.subarray(at, start))) repeated++;
    } else if (frame.kind === 'compressed') {
      judged++;
      packed++;
      if (frame.codec !== undefined || start >= head.length || sniffCodec(head.subarray(start)) !== null)
        quality += 0.9;
    }
    at = next;
  }
  const messages = frames - trailers;
  const count = `${messages} ${messages === 1 ? 'message' : 'messages'}${head.length < size ? ' in the first part' : ''}`;
  if (frames === 0) return { score: 0, reason: fault ?? 'no prefix' };
  if (isProof) {
    return fault === undefined
      ? { score: 0.99, reason: `prefixes tile the input: ${count}` }
      : { score: FIRST_OF_PROOF, reason: `${count}, then ${fault}` };
  }
  if (size >= MIN_FILLER && isFiller(head)) return { score: 0.04, reason: 'one byte, repeated' };
  // Zeros are padding, a sparse file or numbers: less evidence than that the input is one message.
  if (judged === 0) return { score: trailers > 0 && fault === undefined ? 0.1 : 0.04, reason: `${count}, empty` };
  // In a list of tiny records, any of them passes for a prefix.
  if (repeated * 2 > judged && plausibleMessage(head, 0, size).whole)
    return { score: 0.04, reason: 'what passes for prefixes are records of one message' };
  const plausible = (quality / judged) * (1 - (0.7 * empty) / frames);
  const looks =
    packed === judged
      ? 'each is compressed'
      : plausible > 0.8
        ? 'each looks like protobuf'
        : plausible > FEW
          ? 'some look like protobuf'
          : 'few look like protobuf';
  if (fault === undefined) {
    return {
      score: plausible * (frames > 1 ? 0.98 : size >= CHANCE_SIZE ? 0.97 : 0.9),
      reason: `prefixes tile the input: ${count}; ${looks}`,
    };
  }
  // Any bytes pass for prefixes up to some place.
  if (plausible <= FEW) return { score: 0.04, reason: `${count}, of which few look like protobuf, then ${fault}` };
  const share = Math.min(at, head.length) / Math.min(size, head.length);
  return { score: 0.6 * plausible * share * (1 - 1 / (judged + 1)), reason: `${count}, then ${fault}` };
}

function createFramer({ id, prefix, open, isSound, longest = MAX_PREFIX }: FramedPayload, size: number): Framer {
  const header = new Uint8Array(longest);
  const diagnostics: Diagnostic[] = [];
  const facts = { messages: 0, payloadBytes: 0, capturedBytes: 0, framingBytes: 0, unattributedBytes: 0 };
  let headerLength = 0;
  let frame: SizedFrame | undefined;
  /** Bytes of the frame's payload, and of the framing after it. */
  let framed = 0;
  /** captureOffsets of the next byte, of the frame's prefix and of the frame's payload. */
  let at = 0;
  let frameStart = 0;
  let payloadStart = 0;
  /** A payload that began in an earlier chunk, and how many of its bytes are there; null: none is incomplete. */
  let held: Uint8Array | null = null;
  let gathered = 0;
  let lost = false;

  const report = (code: string, message: string, start: number, end: number) => {
    if (diagnostics.length < MAX_DIAGNOSTICS)
      diagnostics.push({ code, severity: 'error', message, space: 'capture', start, end });
  };
  const giveUp = (code: string, message: string) => {
    lost = true;
    report(code, message, frameStart, size);
    facts.unattributedBytes = facts.unattributedBytes + size - frameStart;
  };

  const leaveOut = (code: string, reason: string, length: number) => {
    facts.unattributedBytes += length;
    report(code, `${reason} (byte ${payloadStart}); the message is left out`, payloadStart, payloadStart + length);
  };

  /** @param framed the payload, and the bytes of the framing after it */
  function deliver(framed: Uint8Array, whole: SizedFrame, sink: Parameters<Framer['push']>[2]): void {
    const payload = framed.subarray(0, whole.size);
    const after = framed.subarray(whole.size);
    const capturedBytes = payload.length;
    facts.framingBytes += payloadStart - frameStart;
    if (isSound?.(payload, after) === false) {
      leaveOut('frame/bad-checksum', 'A message whose checksum does not match', framed.length);
      return;
    }
    facts.framingBytes += after.length;
    if (whole.kind === 'trailer') {
      facts.framingBytes += capturedBytes;
      return;
    }
    let bytes = payload;
    let compression: string | null = null;
    let format: PayloadFormat | undefined;
    if (whole.kind === 'compressed' && capturedBytes > 0 && open !== undefined) {
      const opened = open(payload, whole.codec);
      if (!('bytes' in opened)) {
        leaveOut(opened.code, opened.reason, capturedBytes);
        return;
      }
      bytes = opened.bytes;
      compression = opened.compression;
      format = opened.format;
    }
    facts.capturedBytes += capturedBytes;
    facts.payloadBytes += bytes.length;
    const message: Message = {
      ordinal: facts.messages++,
      body: { pieces: [{ start: payloadStart, end: payloadStart + capturedBytes }], compression },
      bytes: bytes.length,
      capturedBytes,
      transport: id,
      ...(format === undefined ? {} : { format }),
      ...(whole.typePlace === undefined ? {} : { typePlace: whole.typePlace }),
      time: null,
      flow: null,
      direction: null,
      method: null,
      status: null,
      typeHint: null,
    };
    sink(message, bytes);
  }

  return {
    push(chunk, atEnd, sink) {
      let here = 0;
      while (here < chunk.length && !lost) {
        if (frame === undefined) {
          header[headerLength++] = chunk[here++]!;
          at++;
          const read = prefix(header, headerLength, size - frameStart);
          if (read === 'more') continue;
          if (read === 'bad') {
            giveUp('frame/bad-prefix', `No size prefix at byte ${frameStart}; the rest is left unattributed`);
            return;
          }
          frame = read;
          framed = frame.size + (frame.after ?? 0);
          payloadStart = at;
          if (framed > size - at) {
            giveUp(
              'frame/truncated-message',
              `The prefix at byte ${countText(frameStart)} claims ${plural(framed, 'byte')}, ${countText(size - at)} are left; they are left unattributed`,
            );
            return;
          }
        }
        const missing = framed - gathered;
        const taken = Math.min(missing, chunk.length - here);
        const piece = chunk.subarray(here, here + taken);
        here += taken;
        at += taken;
        if (taken < missing || held !== null) {
          held ??= takeBuffer(framed);
          held.set(piece, gathered);
          gathered += taken;
        }
        if (taken < missing) break;
        deliver(held === null ? piece : held.subarray(0, framed), frame, sink);
        if (held !== null) giveBuffer(held);
        held = null;
        gathered = 0;
        headerLength = 0;
        frame = undefined;
        frameStart = at;
      }
      if (atEnd && !lost && frameStart < size) {
        giveUp('frame/truncated-prefix', `The input ends inside of the size prefix at byte ${frameStart}`);
      }
    },
    facts: () => ({ ...facts, diagnostics }),
  };
}

/** Whether `part` is in the bytes twice, and takes an eighth of them. */
function repeats(bytes: Uint8Array, part: Uint8Array): boolean {
  let count = 0;
  for (let at = bytes.indexOf(part[0]!); at >= 0; at = bytes.indexOf(part[0]!, at + 1)) {
    if (part.every((byte, i) => byte === bytes[at + i])) count++;
  }
  return count > 1 && count * part.length * 8 >= bytes.length;
}

const isAscii = (bytes: Uint8Array): boolean => bytes.every((byte) => byte < 0x80 && isTextByte(byte));
