/**
 * Diagnostics about a capture. A damaged capture may cause millions. The first ones of each code are kept, and all are
 * counted.
 *
 * Only this file enters bytes in the layers of lost bytes, so that every lost byte has a diagnostic with its stream,
 * span and reason (`frame/losses.properties.test.ts`).
 */

import type { Diagnostic } from '#engine/model/diagnostic.ts';
import { countText, plural } from '../../model/count-text.ts';
import { CaptureClock, compareMoments, type Moment } from './capture-clock.ts';
import type { LayerLedger, LossLayer } from './packets-layers.ts';

const KEPT_PER_CODE = 200;

export interface LostBytes {
  readonly code: string;
  readonly severity: Diagnostic['severity'];
  readonly layer: LossLayer;
  /** `10.0.0.1:9300 → 10.0.0.2:41412`; null: the file itself. */
  readonly stream: string | null;
  /** One sentence. */
  readonly reason: string;
}

/** Bytes of one stream that were lost for one reason. More can be added while the capture is read. */
export interface LossRun {
  /**
   * @param start captureOffset; each byte of a capture may be lost only once
   * @param bytes number of lost bytes in the span, if not all
   */
  add(start: number, end: number, bytes?: number): void;
}

interface KeptLoss extends LostBytes {
  bytes: number;
  start: number;
  end: number;
}

interface Kept {
  readonly at: Moment;
  readonly found: Diagnostic | KeptLoss;
}

/** The findings of one reader of a capture, as data that can be posted. */
export interface LogFindings {
  readonly kept: readonly Kept[];
  /** By code: number of findings, and lost bytes of those that are not kept. */
  readonly counts: ReadonlyMap<string, number>;
  readonly uncounted: ReadonlyMap<string, number>;
}

export class CaptureLog {
  readonly #layers: Record<LossLayer, number>;
  readonly #clock: Moment;
  readonly #kept: Kept[] = [];
  readonly #counts = new Map<string, number>();
  /** By code: lost bytes of losses that are only counted. */
  readonly #uncounted = new Map<string, number>();

  /** @param others findings of other readers of the same capture */
  constructor(
    layers: Pick<Record<keyof LayerLedger, number>, LossLayer>,
    clock: CaptureClock = new CaptureClock(),
    others: readonly LogFindings[] = [],
  ) {
    this.#layers = layers;
    this.#clock = clock;
    this.#join(others);
  }

  get findings(): LogFindings {
    return { kept: this.#kept, counts: this.#counts, uncounted: this.#uncounted };
  }

  /** @param start captureOffset of the finding's first byte */
  add(code: string, severity: Diagnostic['severity'], message: string, start: number, end: number = start): void {
    if (this.#counted(code)) this.#keep({ code, severity, message, space: 'capture', start, end });
  }

  /**
   * Begins a run of lost bytes. It is reported even if no bytes are added. @param at captureOffset where the loss is
   * reported
   */
  lose(loss: LostBytes, at: number): LossRun {
    const layers = this.#layers;
    const run: KeptLoss = { ...loss, bytes: 0, start: at, end: at };
    const isKept = this.#counted(loss.code);
    if (isKept) this.#keep(run);
    return {
      add: (start, end, bytes = end - start) => {
        layers[run.layer] += bytes;
        if (!isKept) increase(this.#uncounted, loss.code, bytes);
        else {
          run.start = Math.min(run.start, start);
          run.end = Math.max(run.end, end);
          run.bytes += bytes;
        }
      },
    };
  }

  #keep(found: Kept['found']): void {
    const { packet, rank } = this.#clock;
    this.#kept.push({ at: { packet, rank }, found });
  }

  #join(others: readonly LogFindings[]): void {
    for (const { at, found } of inOrder(others.flatMap(({ kept }) => kept))) {
      if (this.#counted(found.code)) this.#kept.push({ at, found });
      else if ('bytes' in found) increase(this.#uncounted, found.code, found.bytes);
    }
    for (const { kept, counts, uncounted } of others) {
      for (const [code, bytes] of uncounted) increase(this.#uncounted, code, bytes);
      for (const [code, count] of counts) increase(this.#counts, code, count);
      for (const { found } of kept) increase(this.#counts, found.code, -1);
    }
  }

  #counted(code: string): boolean {
    const count = (this.#counts.get(code) ?? 0) + 1;
    this.#counts.set(code, count);
    return count <= KEPT_PER_CODE;
  }

  /** In the order of occurrence. If a code occurred too often, a final diagnostic counts the others and their bytes. */
  finish(): readonly Diagnostic[] {
    const more = [...this.#counts]
      .filter(([, count]) => count > KEPT_PER_CODE)
      .map(([code, count]): Diagnostic => {
        const bytes = this.#uncounted.get(code) ?? 0;
        const size = bytes === 0 ? '' : `, ${plural(bytes, 'byte')} not read`;
        const message = `${countText(count - KEPT_PER_CODE)} more of the kind “${code}”${size}.`;
        return { code, severity: 'info', message, space: 'capture', start: 0, end: 0 };
      });
    const found = inOrder(this.#kept).map((one) => one.found);
    return [...found.map((one) => ('bytes' in one ? printLoss(one) : one)), ...more];
  }
}

const inOrder = (kept: readonly Kept[]): readonly Kept[] => [...kept].sort((a, b) => compareMoments(a.at, b.at));

const increase = (sums: Map<string, number>, code: string, by: number): void => {
  sums.set(code, (sums.get(code) ?? 0) + by);
};

function printLoss({ code, severity, stream, reason, bytes, start, end }: KeptLoss): Diagnostic {
  const lost = bytes === 0 ? '' : ` Not read: ${plural(bytes, 'byte')} of ${stream ?? 'the file'}.`;
  return { code, severity, message: `${reason}${lost}`, space: 'capture', start, end };
}
