/**
 * A recording whose entries state their size → its entries, each as a whole. An entry that is too long, or not
 * well-formed, is skipped and reported.
 */
import { ByteWindow } from '../../bytes/byte-window.ts';
import { countText } from '../../model/count-text.ts';
import type { CaptureReader } from './capture-format.ts';
import type { CaptureLog, LossRun } from './packets-log.ts';

/** An entry is read as a whole; a longer one is skipped. */
const LONGEST_ENTRY = 256 * 1024 * 1024;

export interface EntryOptions {
  /** Before the codes of its findings: `mitmproxy`. */
  readonly id: string;
  /** In findings, with its article: `a flow`. */
  readonly entry: string;
  /** Bytes of the entry that begins at `start`, its size included. `no`: none begins there. */
  readonly sizeAt: (bytes: Uint8Array, start: number, end: number) => number | 'more' | 'no';
  /**
   * Enters the entry in the ledger and hands it over. @param bytes borrowed @param at its captureOffset @returns whether
   * it is well-formed
   */
  readonly read: (bytes: Uint8Array, at: number) => boolean;
  readonly log: CaptureLog;
  /** In bytes. */
  readonly longest?: number | undefined;
  /** The file has ended. */
  readonly onEnd?: () => void;
}

export function createEntryReader(options: EntryOptions): CaptureReader {
  const { id, entry, sizeAt, read, log, longest = LONGEST_ENTRY, onEnd } = options;
  const noun = entry.replace(/^an? /, '');
  const window = new ByteWindow();
  let consumed = 0;
  /** Bytes that are still to be skipped of the current entry, and their loss. */
  let skipped = 0;
  let passing: LossRun | null = null;

  const take = (count: number): void => {
    window.consume(count);
    consumed += count;
  };

  const lose = (code: string, severity: 'error' | 'warning', reason: string): LossRun =>
    log.lose({ code, severity, layer: 'unattributed', stream: null, reason }, consumed);

  function passOver(): void {
    const count = Math.min(skipped, window.length);
    passing!.add(consumed, consumed + count);
    take(count);
    skipped -= count;
  }

  /** @returns false: more bytes are needed */
  function step(): boolean {
    if (skipped > 0) {
      passOver();
      return true;
    }
    const { bytes, start, end } = window;
    const size = sizeAt(bytes, start, end);
    if (size === 'more') return false;
    if (size === 'no') {
      // Where the next entry begins is not known.
      skipped = Number.POSITIVE_INFINITY;
      passing = lose(`${id}/malformed`, 'error', `No ${noun} begins here; the rest of the file is not read.`);
      return true;
    }
    if (size > longest) {
      skipped = size;
      const reason = `${capital(entry)} is not read: at most ${countText(longest)} bytes of one are held.`;
      passing = lose(`${id}/too-large`, 'error', reason);
      return true;
    }
    if (window.length < size) return false;
    if (!read(bytes.subarray(start, start + size), consumed)) {
      const reason = `This ${noun} is not well-formed; reading continues after it.`;
      lose(`${id}/malformed`, 'error', reason).add(consumed, consumed + size);
    }
    take(size);
    return true;
  }

  return {
    push(chunk) {
      window.borrow(chunk);
      while (window.length > 0 && step());
      window.settle();
    },
    end() {
      onEnd?.();
      const size = window.length;
      const isWithin = size > 0 || (skipped > 0 && Number.isFinite(skipped));
      if (isWithin) {
        const reason = `The file ends within ${entry}.`;
        lose('capture/ends-early', 'warning', reason).add(consumed, consumed + size);
      }
      take(size);
    },
  };
}

const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1);
