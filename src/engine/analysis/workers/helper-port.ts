/** Both ends of the line to a helper worker. */
import type { Source } from '../../bytes/source.ts';
import type { LaneFacts } from '../../frame/read-lane.ts';
import { needed } from '../../model/needed-file.ts';
import type { InputSums } from '../part-sums.ts';
import { buffersOf } from '../store/message-table.ts';
import type { CaptureShare } from './capture-readers.ts';
import type { LaneBatch } from './lane-batch.ts';
import type { Helper, MessageRange, Schemas } from './pool.ts';
import type { openLibrary } from './sum-range.ts';

export type Order =
  | { readonly kind: 'compile'; readonly schemas: Schemas }
  | { readonly kind: 'sum'; readonly range: MessageRange }
  | { readonly kind: 'read'; readonly share: CaptureShare };

export type Answer =
  | { readonly kind: 'progress'; readonly done: number }
  | { readonly kind: 'sums'; readonly sums: InputSums }
  | { readonly kind: 'batch'; readonly batch: LaneBatch }
  | { readonly kind: 'lane'; readonly facts: LaneFacts }
  | { readonly kind: 'failed'; readonly message: string };

/** A line to another worker, as the platform has it. */
export interface HelperLine {
  /** @param transfer buffers of the order that are moved, not copied */
  readonly post: (order: Order, transfer: ArrayBuffer[]) => void;
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
  const call = <T>(order: Order, hear: (answer: Answer, resolve: (result: T) => void) => void): Promise<T> =>
    new Promise((resolve, reject) => {
      onAnswer = (answer) => {
        if (answer.kind === 'failed') reject(new Error(answer.message));
        else hear(answer, resolve);
      };
      if (failure === null) line.post(order, order.kind === 'sum' ? buffersOf(order.range.messages) : []);
      else reject(new Error(failure));
    });
  return {
    compile: (schemas) => line.post({ kind: 'compile', schemas }, []),
    sum: (range, onProgress) =>
      call<InputSums>({ kind: 'sum', range }, (answer, resolve) => {
        if (answer.kind === 'sums') resolve(answer.sums);
        else if (answer.kind === 'progress') onProgress(answer.done);
      }),
    read: (share, take) =>
      call<LaneFacts>({ kind: 'read', share }, (answer, resolve) => {
        if (answer.kind === 'lane') resolve(answer.facts);
        else if (answer.kind === 'batch') take(answer.batch);
      }),
    close: line.end,
  };
}

/** The platform of the other end. */
export interface HelperPlatform {
  readonly answer: (answer: Answer, transfer: ArrayBuffer[]) => void;
  readonly openHandle: (handle: unknown, name: string) => Source;
  readonly nextTurn: () => Promise<void>;
}

/** The other end: takes orders, and follows them one after the other. */
export function serveHelper({ answer, openHandle, nextTurn }: HelperPlatform): (order: Order) => void {
  let library: ReturnType<typeof openLibrary> | null = null;
  const follow = async (order: Order): Promise<void> => {
    if (order.kind === 'read') {
      const { readShare } = await needed(() => import('./read-share.ts'));
      const take = (batch: LaneBatch): void => {
        const { messages, packets, ranks } = batch;
        answer({ kind: 'batch', batch }, [...buffersOf(messages), packets.buffer, ranks.buffer]);
      };
      answer({ kind: 'lane', facts: await readShare(order.share, openHandle, take) }, []);
      return;
    }
    const { openLibrary, sumRange } = await needed(() => import('./sum-range.ts'));
    if (order.kind === 'compile') {
      library = openLibrary(order.schemas);
      return;
    }
    const onProgress = (done: number): void => answer({ kind: 'progress', done }, []);
    answer({ kind: 'sums', sums: await sumRange(order.range, library!, openHandle, nextTurn, { onProgress }) }, []);
  };
  let last = Promise.resolve();
  return (order) => {
    last = last.then(() => follow(order)).catch((error) => answer({ kind: 'failed', message: String(error) }, []));
  };
}
