/**
 * Protobuf messages on a bare TCP stream, each behind its size → messages.
 *
 *   varint │ message …      4 bytes, big- or little-endian │ message …      2 bytes, either way │ message …
 *
 * Nothing names this transport, so it is believed only where several messages in a row tile the stream and each looks
 * like a message, of the same shape as the ones before; a side that stops doing so is not read further.
 */
import type { Side } from '../../stream/connections.ts';
import { looksLikeMessage, type Shapes } from '../plausible-message.ts';
import type { Transport, TransportContext, TransportReader, Verdict } from './transport.ts';
import type { StreamWindow } from './window.ts';

/** Messages in a row that tell the transport; where nothing more comes, fewer that tile what there is. */
const ENOUGH = 3;
const ENOUGH_AT_END = 2;
/** A longer message is not waited for while the transport is in doubt. */
const LONGEST_IN_DOUBT = 32 * 1024;

/** Size of the prefix and of the message behind it; null: more bytes are needed; `no`: no prefix. */
type ReadPrefix = (bytes: Uint8Array, at: number, end: number) => { prefix: number; size: number } | null | 'no';

const fixed =
  (width: number, little: boolean): ReadPrefix =>
  (bytes, at, end) => {
    if (at + width > end) return null;
    let size = 0;
    for (let i = 0; i < width; i++) size = size * 256 + bytes[at + (little ? width - 1 - i : i)]!;
    return { prefix: width, size };
  };

const varint: ReadPrefix = (bytes, at, end) => {
  let size = 0;
  for (let i = 0; i < 5; i++) {
    if (at + i >= end) return null;
    const byte = bytes[at + i]!;
    size += (byte & 127) * 128 ** i;
    if (byte < 128) return { prefix: i + 1, size };
  }
  return 'no';
};

function sniff(read: ReadPrefix, bytes: Uint8Array, final: boolean): Verdict {
  const shapes: Shapes = new Map();
  let at = 0;
  let messages = 0;
  for (; messages < ENOUGH && at < bytes.length; messages++) {
    const found = read(bytes, at, bytes.length);
    if (found === 'no') return 'no';
    if (found === null) return final ? 'no' : 'more';
    const start = at + found.prefix;
    const end = start + found.size;
    if (found.size === 0 || found.size > LONGEST_IN_DOUBT || !looksLikeMessage(bytes, start, end, shapes)) return 'no';
    if (end > bytes.length) return final ? 'no' : 'more';
    at = end;
  }
  if (messages === ENOUGH) return 'yes';
  return final ? (messages >= ENOUGH_AT_END ? 'yes' : 'no') : 'more';
}

const sizePrefixed = (id: string, label: string, read: ReadPrefix): Transport => ({
  id,
  label,
  sniff: (bytes, final) => sniff(read, bytes, final),
  open: (context) => openReader(context, id, read),
});

export const SIZE_PREFIXED: readonly Transport[] = [
  sizePrefixed('tcp-varint', 'Size-prefixed protobuf, varint', varint),
  sizePrefixed('tcp-4be', 'Size-prefixed protobuf, 4 bytes big-endian', fixed(4, false)),
  sizePrefixed('tcp-4le', 'Size-prefixed protobuf, 4 bytes little-endian', fixed(4, true)),
  sizePrefixed('tcp-2be', 'Size-prefixed protobuf, 2 bytes big-endian', fixed(2, false)),
  sizePrefixed('tcp-2le', 'Size-prefixed protobuf, 2 bytes little-endian', fixed(2, true)),
];

interface SideState {
  /** Bytes of a message that cannot be given: still to come and to be passed over. */
  skip: number;
  lost: boolean;
  readonly shapes: Shapes;
}

function openReader(context: TransportContext, id: string, prefixOf: ReadPrefix): TransportReader {
  const { layers, log } = context;
  const states: readonly [SideState, SideState] = [
    { skip: 0, lost: false, shapes: new Map() },
    { skip: 0, lost: false, shapes: new Map() },
  ];

  function lose(state: SideState, window: StreamWindow): void {
    state.lost = true;
    const text = 'From here on the bytes of this side are no messages behind their sizes; they are not read.';
    log.add('size-prefix/lost', 'warning', text, window.captureOffset);
  }

  function skip(state: SideState, window: StreamWindow): void {
    const count = Math.min(state.skip, window.length);
    layers.incomplete += count;
    state.skip -= count;
    window.consume(count);
  }

  function read(side: Side, window: StreamWindow): void {
    const state = states[side];
    while (window.length > 0) {
      if (state.skip > 0) {
        skip(state, window);
        continue;
      }
      if (state.lost) {
        layers.unattributed += window.length;
        window.consume(window.length);
        return;
      }
      const found = prefixOf(window.bytes, window.start, window.end);
      if (found === null) return;
      if (found === 'no' || found.size > context.limit) {
        lose(state, window);
        continue;
      }
      const { prefix, size } = found;
      if (window.length < prefix + size) return;
      const from = window.start + prefix;
      if (size > 0 && !looksLikeMessage(window.bytes.subarray(0, from + size), from, from + size, state.shapes)) {
        lose(state, window);
        continue;
      }
      layers['size-prefix'] += prefix;
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
      window.consume(prefix + size);
    }
  }

  return {
    read,
    hole(side, window, size) {
      const state = states[side];
      if (state.skip === 0 && !state.lost) {
        const found = window.length === 0 ? null : prefixOf(window.bytes, window.start, window.end);
        if (found === null || found === 'no') lose(state, window);
        else state.skip = found.prefix + found.size;
      }
      skip(state, window);
      if (size > state.skip && !state.lost) lose(state, window);
      state.skip = Math.max(0, state.skip - size);
      layers.unattributed += window.length;
      window.gap(size);
    },
    end(side, window) {
      layers[states[side].lost ? 'unattributed' : 'incomplete'] += window.length;
      window.consume(window.length);
    },
  };
}
