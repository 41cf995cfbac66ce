/**
 * Reads a stream of frames that contain their lengths, across holes and damage. The transport defines the frames. Every
 * byte is consumed as a part of a frame, of an incomplete frame, or as lost.
 */

import type { LossRun } from '../../capture/containers/packets-log.ts';
import { countText, plural } from '../../model/count-text.ts';
import type { ConnectionSide } from '../../stream/connection-sink.ts';
import type { ProtocolMatch, StreamLoss, TransportContext, TransportReader } from './transport.ts';
import type { StreamWindow } from './window.ts';

export interface FramedProtocol {
  /** Id of the transport; the codes of its diagnostics begin with it. */
  readonly id: string;
  readonly lost: StreamLoss;
  /** Size of the frame at an index of `bytes`. */
  sizeAt(side: ConnectionSide, bytes: Uint8Array, at: number, end: number): number | 'more' | 'no';
  /** The first index from `at` on where a frame may begin, used after synchronisation is lost; `end`: not found. */
  next(side: ConnectionSide, bytes: Uint8Array, at: number, end: number): number;
  /** Whether a frame begins there, with more evidence than its size. */
  believeAt(side: ConnectionSide, bytes: Uint8Array, at: number, end: number): ProtocolMatch;
  /** Reads a complete frame and consumes it. */
  read(side: ConnectionSide, window: StreamWindow, size: number): void;
  /** Called if the frame at the window's start cannot become complete. Its beginning may still be useful. */
  incomplete(side: ConnectionSide, window: StreamWindow): void;
  end(side: ConnectionSide): void;
}

interface SideState {
  /** Remaining bytes of an unreadable frame, which are skipped. */
  skip: number;
  /** The loss of the skipped bytes; null: not reported. */
  skipped: LossRun | null;
  /** Synchronisation is lost: a frame is searched for. */
  isLost: boolean;
  /** The bytes that were passed over since then; null: there are none. */
  lost: LossRun | null;
}

export function openFramed(context: TransportContext, framed: FramedProtocol): TransportReader {
  const states: readonly [SideState, SideState] = [
    { skip: 0, skipped: null, isLost: false, lost: null },
    { skip: 0, skipped: null, isLost: false, lost: null },
  ];

  /** Skips bytes up to the next frame; false: the window contains no frame. */
  function findFrame(side: ConnectionSide, window: StreamWindow): boolean {
    const state = states[side];
    const { bytes, start, end } = window;
    state.isLost = true;
    let verdict: ProtocolMatch = 'no';
    let at = framed.next(side, bytes, start, end);
    for (; at < end; at = framed.next(side, bytes, at + 1, end)) {
      verdict = framed.believeAt(side, bytes, at, end);
      if (verdict !== 'no') break;
    }
    pass(side, window, at - start);
    if (verdict !== 'yes' || at === end) return false;
    state.isLost = false;
    state.lost = null;
    return true;
  }

  function pass(side: ConnectionSide, window: StreamWindow, count: number): void {
    if (count === 0) return;
    const state = states[side];
    state.lost ??= context.lose(side, framed.lost, window.captureOffset);
    window.lose(state.lost, count);
  }

  const incomplete = (side: ConnectionSide, window: StreamWindow, reason: string, code = 'incomplete'): LossRun =>
    context.lose(
      side,
      { code: `${framed.id}/${code}`, severity: 'warning', layer: 'incomplete', reason },
      window.captureOffset,
    );

  return {
    read(side, window) {
      const state = states[side];
      for (;;) {
        if (state.skip > 0) {
          const count = Math.min(state.skip, window.length);
          state.skip -= count;
          if (state.skipped !== null) window.lose(state.skipped, count);
          if (state.skip > 0) return;
          state.skipped = null;
        }
        if (window.length === 0) return;
        if (state.isLost && !findFrame(side, window)) return;
        const size = framed.sizeAt(side, window.bytes, window.start, window.end);
        if (size === 'more') return;
        if (size === 'no') {
          if (!findFrame(side, window)) return;
          continue;
        }
        if (size > context.limit) {
          const reason = `A frame of ${countText(size)} bytes is passed over: at most ${countText(context.limit)} are held.`;
          state.skipped = incomplete(side, window, reason, 'too-large');
          state.skip = size;
          continue;
        }
        if (window.length < size) return;
        framed.read(side, window, size);
      }
    },

    hole(side, window, missing) {
      const state = states[side];
      if (state.skip === 0 && !state.isLost) {
        const size = window.length === 0 ? 'no' : framed.sizeAt(side, window.bytes, window.start, window.end);
        if (typeof size === 'number') {
          const lost = Math.min(missing, size);
          const reason = `A frame of ${plural(size, 'byte')} is not whole: ${plural(lost, 'byte')} of it ${lost === 1 ? 'was' : 'were'} not captured.`;
          state.skipped = incomplete(side, window, reason);
          framed.incomplete(side, window);
          state.skip = size;
        } else state.isLost = true;
      }
      if (state.skip > 0) {
        const read = Math.min(state.skip, window.length);
        if (state.skipped !== null) window.lose(state.skipped, read);
        state.skip -= read;
        if (missing > state.skip) {
          state.isLost = true;
          state.skip = 0;
        } else state.skip -= missing;
        if (state.skip === 0) state.skipped = null;
      }
      if (window.length > 0) {
        state.isLost = true;
        pass(side, window, window.length);
      }
      window.gap(missing);
    },

    end(side, window) {
      const state = states[side];
      framed.end(side);
      if (window.length === 0 && state.skip === 0) return;
      if (state.isLost) {
        pass(side, window, window.length);
        return;
      }
      framed.incomplete(side, window);
      const run = state.skipped ?? incomplete(side, window, 'The capture ends within this frame.');
      window.lose(run, window.length);
    },
  };
}
