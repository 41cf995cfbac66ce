/** Both ends of the line to a helper worker. */
import type { Source } from '../bytes/source.ts';
import type { InputSums } from './part-sums.ts';
import type { Helper, MessageRange, Schemas } from './pool.ts';
import { openLibrary, sumRange } from './sum-range.ts';

export type Order =
  | { readonly kind: 'compile'; readonly schemas: Schemas }
  | { readonly kind: 'sum'; readonly range: MessageRange };

export type Answer =
  | { readonly kind: 'progress'; readonly done: number }
  | { readonly kind: 'done'; readonly sums: InputSums }
  | { readonly kind: 'failed'; readonly message: string };

/** A line to another worker, as the platform has it. */
export interface HelperLine {
  readonly post: (order: Order) => void;
  /** Ends the worker. */
  readonly end: () => void;
}

/** One call at a time. @param start starts a worker; `onFailure` is called where it does not start, or ends */
export function connectHelper(
  start: (onAnswer: (answer: Answer) => void, onFailure: (message: string) => void) => HelperLine,
): Helper {
  let onAnswer: (answer: Answer) => void = () => undefined;
  let failure: string | null = null;
  const line = start(
    (answer) => onAnswer(answer),
    (message) => {
      failure = message;
      onAnswer({ kind: 'failed', message });
    },
  );
  return {
    compile: (schemas) => line.post({ kind: 'compile', schemas }),
    sum: (range, onProgress) =>
      new Promise((resolve, reject) => {
        onAnswer = (answer) => {
          if (answer.kind === 'done') resolve(answer.sums);
          else if (answer.kind === 'failed') reject(new Error(answer.message));
          else onProgress(answer.done);
        };
        if (failure === null) line.post({ kind: 'sum', range });
        else reject(new Error(failure));
      }),
    close: line.end,
  };
}

/** The platform of the other end. */
export interface HelperPlatform {
  readonly answer: (answer: Answer) => void;
  readonly openHandle: (handle: unknown, name: string) => Source;
  readonly nextTurn: () => Promise<void>;
}

/** The other end: takes orders, and follows them one after the other. */
export function serveHelper({ answer, openHandle, nextTurn }: HelperPlatform): (order: Order) => void {
  let library: ReturnType<typeof openLibrary> | null = null;
  const follow = async (order: Order): Promise<void> => {
    if (order.kind === 'compile') {
      library = openLibrary(order.schemas);
      return;
    }
    const onProgress = (done: number): void => answer({ kind: 'progress', done });
    answer({ kind: 'done', sums: await sumRange(order.range, library!, openHandle, nextTurn, { onProgress }) });
  };
  let last = Promise.resolve();
  return (order) => {
    last = last.then(() => follow(order)).catch((error) => answer({ kind: 'failed', message: String(error) }));
  };
}
