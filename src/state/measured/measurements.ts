/** Measurements on demand: asks the worker and keeps its answer. */
import {
  COMPRESSING,
  MEASURING_ENCODINGS,
  MEASURING_PAID,
  MEASURING_SAVINGS,
  READING_STREAM,
} from '#wording/measurement-notes.ts';
import type { Client } from '#worker/connect.ts';
import type { Failed, Progress } from '#worker/protocol.ts';
import type { CopiedFrom, SessionState } from '../session-state.ts';
import { settersOf } from '../setters.ts';
import { shownMessages, shownProfile } from '../shown-profile.ts';
import type { AppStore } from '../store.ts';
import { askBits, askCopies, askPairBits } from './ask-bits.ts';
import { askMatrix } from './ask-matrix.ts';
import { type CompressedPair, measureCompressed } from './compressed.ts';
import type { PairStreams, Streams } from './measured.ts';
import { askSaved } from './shown-saved.ts';

export interface Asking {
  readonly store: AppStore;
  readonly client: Client;
  readonly fail: (work: string, failed: Pick<Failed, 'message' | 'isMissing'>) => void;
}

export type Measurements = ReturnType<typeof measurements>;

export function measurements({ store, client, fail }: Asking) {
  const { setSession } = settersOf(store);
  const session = (): SessionState => store.getState().session;
  return {
    /** Both sides of what is shown, compressed; null without a native side, or when it was cancelled or failed. */
    async compress(signal: AbortSignal): Promise<CompressedPair | null> {
      // Shared figures and shapes carry the measured sizes.
      const { sharedFrom } = session();
      if (sharedFrom?.kind === 'profile' || sharedFrom?.kind === 'shape') return sharedFrom.compressed;
      const profile = shownProfile(store.getState());
      if (profile === undefined || profile.type === '') return null;
      const outcome = await measureCompressed(client, shownMessages(store.getState()), profile, signal);
      if (outcome.ok) return outcome.value;
      if (!outcome.cancelled) fail(COMPRESSING, outcome);
      return null;
    },

    /** Measures encodings and compressors; false: it was cancelled or failed. */
    async measureMatrix(signal: AbortSignal, onProgress: (progress: Progress) => void): Promise<boolean> {
      const outcome = await askMatrix(store.getState(), client, { signal, onProgress });
      if (outcome.ok) setSession({ matrix: outcome.value });
      else if (!outcome.cancelled) fail(MEASURING_ENCODINGS, outcome);
      return outcome.ok;
    },

    /** Measures the bits that fields pay; false: it was cancelled or failed. */
    async measureBits(asked: Streams, signal: AbortSignal): Promise<boolean> {
      const outcome = await askBits(store.getState(), asked, client, { signal, onProgress: () => undefined });
      if (outcome.ok) setSession({ bits: outcome.value });
      else if (!outcome.cancelled) fail(MEASURING_PAID, outcome);
      return outcome.ok;
    },

    /** Measures A and B after a compressor, if they are not measured yet; false: it was cancelled or failed. */
    async measurePair(asked: PairStreams, signal: AbortSignal): Promise<boolean> {
      const { baseline: before } = session();
      const profile = shownProfile(store.getState());
      const outcome = await askPairBits(store.getState(), asked, client, signal);
      if (!outcome.ok) {
        if (!outcome.cancelled) fail(MEASURING_PAID, outcome);
        return false;
      }
      const { a, b } = outcome.value;
      const { baseline, pairBits } = session();
      if (a !== undefined && baseline?.profile === before?.profile && baseline !== null) {
        setSession({ baseline: { ...baseline, bits: { ...baseline.bits, [asked]: a } } });
      }
      if (b !== undefined) setSession({ pairBits: { ...pairBits, [asked]: { profile, asked, measured: b } } });
      return true;
    },

    /** The source of copied bytes of a message; null: not known, cancelled or failed. */
    async findCopies(
      asked: Streams,
      at: { readonly ordinal: number; readonly start: number; readonly end: number },
      signal: AbortSignal,
    ): Promise<CopiedFrom | null> {
      const outcome = await askCopies(store.getState(), asked, at, client, signal);
      if (!outcome.ok && !outcome.cancelled) fail(READING_STREAM, outcome);
      return outcome.ok ? outcome.value : null;
    },

    /**
     * Measures the saving if each of these fields is left out; false: it was cancelled or failed. Earlier measurements
     * stay.
     */
    async measureSaved(
      paths: readonly string[],
      signal: AbortSignal,
      onProgress: (progress: Progress) => void,
    ): Promise<boolean> {
      const onSoFar = (saved: SessionState['saved']): void => {
        if (!signal.aborted) setSession({ saved });
      };
      const outcome = await askSaved(store.getState(), paths, client, { signal, onProgress, onSoFar });
      if (outcome.ok) setSession({ saved: outcome.value });
      else if (!outcome.cancelled) fail(MEASURING_SAVINGS, outcome);
      return outcome.ok;
    },
  };
}
