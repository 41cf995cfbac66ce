/** Diagnostics about a capture, of which a damaged one could give millions: the first of each code are kept, all are counted. */
import type { Diagnostic } from '../../model/diagnostic.ts';

const KEPT_PER_CODE = 200;

export class CaptureLog {
  readonly #kept: Diagnostic[] = [];
  readonly #counts = new Map<string, number>();

  /** @param start captureOffset of the first byte concerned */
  add(code: string, severity: Diagnostic['severity'], message: string, start: number, end: number = start): void {
    const count = (this.#counts.get(code) ?? 0) + 1;
    this.#counts.set(code, count);
    if (count <= KEPT_PER_CODE) this.#kept.push({ code, severity, message, space: 'capture', start, end });
  }

  /** In the order found; a code that came up too often closes with how many more there were. */
  finish(): readonly Diagnostic[] {
    const more = [...this.#counts]
      .filter(([, count]) => count > KEPT_PER_CODE)
      .map(
        ([code, count]): Diagnostic => ({
          code,
          severity: 'info',
          message: `${(count - KEPT_PER_CODE).toLocaleString('en')} more of the kind “${code}”.`,
          space: 'capture',
          start: 0,
          end: 0,
        }),
      );
    return [...this.#kept, ...more];
  }
}
