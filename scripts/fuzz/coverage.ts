/**
 * The blocks of functions that an input runs, as V8 counts them. In binary mode a block costs nothing once it is known, so the
 * engine runs at its usual speed; taking the news costs about a millisecond.
 */
import { Session } from 'node:inspector';

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

interface Covered {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly Range[] }[];
  }[];
}

export class Coverage {
  readonly #session = new Session();
  readonly #seen = new Set<string>();

  constructor() {
    this.#session.connect();
    this.#post('Profiler.enable');
    this.#post('Profiler.startPreciseCoverage', { callCount: false, detailed: true });
  }

  /** Functions that ran a combination of their blocks for the first time since the start. */
  news(): number {
    const { result } = this.#post('Profiler.takePreciseCoverage') as Covered;
    let news = 0;
    for (const { url, functions } of result) {
      if (!url.includes('/src/engine/') && !url.includes('/src/permalink/')) continue;
      for (const { ranges } of functions) {
        const key = `${url} ${ranges.map(({ startOffset, endOffset, count }) => `${startOffset}-${endOffset}:${count}`)}`;
        if (this.#seen.has(key)) continue;
        this.#seen.add(key);
        news++;
      }
    }
    return news;
  }

  get size(): number {
    return this.#seen.size;
  }

  // `post` returns after its callback was called: the session is one of this process.
  #post(method: string, params: object = {}): unknown {
    let answer: unknown;
    this.#session.post(method, params, (error, result) => {
      if (error !== null) throw error;
      answer = result;
    });
    return answer;
  }
}
