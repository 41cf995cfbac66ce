/**
 * Size-prefixed protobuf messages on a plain TCP stream → messages.
 *
 *   varint │ message …      4 bytes, big- or little-endian │ message …      2 bytes, either way │ message …
 *
 * Nothing names this transport. It is therefore recognised only if several consecutive messages tile the stream, and if
 * each looks like a message with the same fields as the earlier ones. If a side stops doing so, it is not read further.
 * Where a person describes the fields around each message (described-fields.ts), messages that follow one another are
 * enough.
 */

import { integerAt } from '../../bytes/integers.ts';
import { isText } from '../../bytes/text-byte.ts';
import { varintEnd, varintNumber } from '../../bytes/varint.ts';
import type { LossRun } from '../../capture/containers/packets-log.ts';
import type { ConnectionSide } from '../../stream/connection-sink.ts';
import { prefixReader, readDescription } from '../framing/described-fields.ts';
import { isFiller, looksLikeMessage, plausibleMessage, type Shapes } from '../plausible-message.ts';
import type { ProtocolMatch, StreamLoss, Transport, TransportContext, TransportReader } from './transport.ts';
import type { StreamWindow } from './window.ts';

/**
 * Number of consecutive messages that identify the transport. At the end of a stream, fewer are enough if they tile all
 * of it.
 */
const ENOUGH = 3;
const ENOUGH_AT_END = 2;
/** Number of bytes that rule out chance. */
const ENOUGH_BYTES = 16;
/** Three messages of at least `ENOUGH_BYTES` together repeat a longer pattern, or none. */
const LONGEST_PATTERN = 4;
/** While the transport is uncertain, longer messages are not accepted. */
const LONGEST_IN_DOUBT = 32 * 1024;

/** Sizes of the prefix, of its message and of what stands behind it; null: more bytes are needed; `no`: not a prefix. */
type ReadPrefix = (
  bytes: Uint8Array,
  at: number,
  end: number,
) => { prefix: number; size: number; after?: number } | null | 'no';

const fixed =
  (width: number, little: boolean): ReadPrefix =>
  (bytes, at, end) =>
    at + width > end ? null : { prefix: width, size: integerAt(bytes, at, width, little) };

const VARINT_BYTES = 5;

const varint: ReadPrefix = (bytes, at, end) => {
  const next = varintEnd(bytes, at, Math.min(end, at + VARINT_BYTES));
  if (next < 0) return end - at < VARINT_BYTES ? null : 'no';
  return { prefix: next - at, size: varintNumber(bytes, at, next) };
};

function sniff(readPrefix: ReadPrefix, bytes: Uint8Array, final: boolean): ProtocolMatch {
  const shapes: Shapes = new Map();
  let at = 0;
  let messages = 0;
  for (; messages < ENOUGH && at < bytes.length; messages++) {
    const found = readPrefix(bytes, at, bytes.length);
    if (found === 'no') return 'no';
    if (found === null) return final ? 'no' : 'more';
    const start = at + found.prefix;
    const end = start + found.size;
    if (found.size === 0 || found.size > LONGEST_IN_DOUBT || !looksLikeMessage(bytes, start, end, shapes)) return 'no';
    if (end > bytes.length) return final ? 'no' : 'more';
    at = end;
  }
  // Two signs: sizes that tile the stream, and contents that are not chance. A line-based protocol is text, and tags
  // and lengths are not.
  const read = bytes.subarray(0, at);
  const isEnough = at >= ENOUGH_BYTES && !isText(read) && !isFiller(read, LONGEST_PATTERN);
  if (messages === ENOUGH) return isEnough ? 'yes' : 'no';
  return final ? (messages >= ENOUGH_AT_END && isEnough ? 'yes' : 'no') : 'more';
}

const sizePrefixed = (id: string, label: string, read: ReadPrefix): Transport => ({
  id,
  label,
  isNeverText: true,
  sniff: (bytes, final) => sniff(read, bytes, final),
  open: (context) => openReader(context, id, read, false),
});

/** @throws if it is not a description */
export function describedTransport(text: string): Transport {
  const description = readDescription(text);
  if (typeof description === 'string') throw new Error(description);
  const { id } = description;
  const read = prefixReader(description);
  return {
    id,
    label: `Described: ${id}`,
    isNeverText: true,
    sniff: (bytes, final) => sniffDescribed(read, bytes, final),
    open: (context) => openReader(context, id, read, true),
  };
}

/** Whether messages follow one another: up to `ENOUGH`, or one that is all. */
function sniffDescribed(readPrefix: ReadPrefix, bytes: Uint8Array, final: boolean): ProtocolMatch {
  let at = 0;
  let messages = 0;
  for (; messages < ENOUGH && at < bytes.length; messages++) {
    const found = readPrefix(bytes, at, bytes.length);
    if (found === 'no') return 'no';
    if (found === null) return final ? 'no' : 'more';
    const { prefix, size, after = 0 } = found;
    const start = at + prefix;
    if (!plausibleMessage(bytes, start, start + size).whole) return 'no';
    at = start + size + after;
    // Records up to here are enough of a long message: a transport is not waited for without end.
    if (at > bytes.length && bytes.length - start >= LONGEST_IN_DOUBT) return 'yes';
    if (at > bytes.length) return final ? 'no' : 'more';
  }
  return messages === ENOUGH || final ? 'yes' : 'more';
}

export const SIZE_PREFIXED_TRANSPORTS: readonly Transport[] = [
  sizePrefixed('tcp-varint', 'Size-prefixed protobuf, varint', varint),
  sizePrefixed('tcp-4be', 'Size-prefixed protobuf, 4 bytes big-endian', fixed(4, false)),
  sizePrefixed('tcp-4le', 'Size-prefixed protobuf, 4 bytes little-endian', fixed(4, true)),
  sizePrefixed('tcp-2be', 'Size-prefixed protobuf, 2 bytes big-endian', fixed(2, false)),
  sizePrefixed('tcp-2le', 'Size-prefixed protobuf, 2 bytes little-endian', fixed(2, true)),
];

const LOST: StreamLoss = {
  code: 'size-prefix/lost',
  severity: 'warning',
  layer: 'unattributed',
  reason: 'From here on, the bytes are not size-prefixed messages.',
};

const INCOMPLETE: StreamLoss = {
  code: 'size-prefix/incomplete',
  severity: 'warning',
  layer: 'incomplete',
  reason: 'A message is not whole.',
};

interface SideState {
  /** Remaining bytes of an unreadable message, which are skipped. */
  skip: number;
  skipped: LossRun | null;
  /** The current loss of synchronisation; null: synchronised. */
  lost: LossRun | null;
  readonly shapes: Shapes;
}

/** @param isDescribed bytes that are not a message's do not show that its prefix is not one */
function openReader(
  context: TransportContext,
  id: string,
  prefixOf: ReadPrefix,
  isDescribed: boolean,
): TransportReader {
  const { layers } = context;
  const states: readonly [SideState, SideState] = [
    { skip: 0, skipped: null, lost: null, shapes: new Map() },
    { skip: 0, skipped: null, lost: null, shapes: new Map() },
  ];

  const lose = (side: ConnectionSide, window: StreamWindow): LossRun => context.lose(side, LOST, window.captureOffset);

  const incomplete = (side: ConnectionSide, window: StreamWindow): LossRun =>
    context.lose(side, INCOMPLETE, window.captureOffset);

  function skip(side: ConnectionSide, window: StreamWindow): void {
    const state = states[side];
    const count = Math.min(state.skip, window.length);
    if (count > 0) {
      state.skipped ??= incomplete(side, window);
      window.lose(state.skipped, count);
    }
    state.skip -= count;
    if (state.skip === 0) state.skipped = null;
  }

  function read(side: ConnectionSide, window: StreamWindow): void {
    const state = states[side];
    while (window.length > 0) {
      if (state.skip > 0) {
        skip(side, window);
        continue;
      }
      if (state.lost !== null) {
        window.lose(state.lost, window.length);
        return;
      }
      const found = prefixOf(window.bytes, window.start, window.end);
      if (found === null) return;
      if (found === 'no' || found.size > context.limit) {
        state.lost = lose(side, window);
        continue;
      }
      const { prefix, size, after = 0 } = found;
      if (window.length < prefix + size + after) return;
      const from = window.start + prefix;
      if (
        !isDescribed &&
        size > 0 &&
        !looksLikeMessage(window.bytes.subarray(0, from + size), from, from + size, state.shapes)
      ) {
        state.lost = lose(side, window);
        continue;
      }
      layers['size-prefix'] += prefix + after;
      layers.message += size;
      context.emit(
        {
          transport: id,
          side,
          time: window.time,
          direction: null,
          method: null,
          status: null,
          typeHint: null,
          headerBytes: prefix,
          context: {},
          pieces: window.pieces(prefix, prefix + size),
          steps: [],
        },
        window.peek(prefix + size).subarray(prefix),
      );
      window.consume(prefix + size + after);
    }
  }

  return {
    read,
    hole(side, window, size) {
      const state = states[side];
      if (state.skip === 0 && state.lost === null) {
        const found = window.length === 0 ? null : prefixOf(window.bytes, window.start, window.end);
        if (found === null || found === 'no') state.lost = lose(side, window);
        else state.skip = found.prefix + found.size + (found.after ?? 0);
      }
      skip(side, window);
      if (size > state.skip) state.lost ??= lose(side, window);
      state.skip = Math.max(0, state.skip - size);
      if (window.length > 0) {
        state.lost ??= lose(side, window);
        window.lose(state.lost, window.length);
      }
      window.gap(size);
    },
    end(side, window) {
      if (window.length > 0) window.lose(states[side].lost ?? incomplete(side, window), window.length);
    },
  };
}
