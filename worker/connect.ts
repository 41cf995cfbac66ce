/** The page's end of the port: typed calls with progress and cancel. An Outcome comes back, never a rejection. */
import type { Api, CallResult, Port, Progress, Request, Response } from './protocol.ts';

export interface CallOptions<R = unknown> {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** The result as far as it is known, for calls that report it. */
  readonly onSoFar?: ((result: R) => void) | undefined;
}

export interface Client {
  call<M extends keyof Api>(
    method: M,
    params: Parameters<Api[M]>[0],
    options?: CallOptions<ReturnType<Api[M]>>,
  ): Promise<CallResult<ReturnType<Api[M]>>>;
  /** From now on another worker answers. Open calls end with this message, without an answer. */
  moveTo(port: Port, message: string): void;
  /**
   * Ends every open call with this message. If the worker never answered, it did not start, and every later call ends
   * so, too.
   */
  fail(message: string): void;
}

interface Pending {
  readonly settle: (outcome: CallResult<unknown>) => void;
  readonly onProgress: ((progress: Progress) => void) | undefined;
  readonly onSoFar: ((result: never) => void) | undefined;
}

const CANCELLED = { ok: false, cancelled: true, message: 'Cancelled.', isMissing: false } as const;

export function connect(first: Port): Client {
  let port = first;
  const pending = new Map<number, Pending>();
  let nextId = 1;
  let hasAnswered = false;
  let obstacle: string | null = null;

  const send = (request: Request): void => port.postMessage(request, []);

  const listen = ({ data }: MessageEvent<Response>): void => {
    // The worker also sends a message when it has started.
    if (typeof data !== 'object') return;
    hasAnswered = true;
    const call = pending.get(data.id);
    if (!call) return;
    if (data.kind === 'progress') call.onProgress?.(data.progress);
    else if (data.kind === 'so-far') call.onSoFar?.(data.result as never);
    else if (data.kind === 'ok') call.settle({ ok: true, value: data.result });
    else call.settle({ ok: false, cancelled: data.cancelled, message: data.message, isMissing: data.isMissing });
  };
  port.onmessage = listen;

  function endAll(message: string): void {
    for (const call of [...pending.values()]) call.settle({ ok: false, cancelled: false, message, isMissing: false });
  }

  return {
    call<M extends keyof Api>(method: M, params: Parameters<Api[M]>[0], options: CallOptions<ReturnType<Api[M]>> = {}) {
      const { signal, onProgress, onSoFar } = options;
      if (signal?.aborted) return Promise.resolve(CANCELLED);
      if (obstacle !== null)
        return Promise.resolve({ ok: false, cancelled: false, message: obstacle, isMissing: false });
      const id = nextId++;
      return new Promise<CallResult<ReturnType<Api[M]>>>((resolve) => {
        // The caller is released at once; the worker stops at its next chunk and its answer is dropped.
        const cancel = () => {
          send({ kind: 'cancel', id });
          settle(CANCELLED);
        };
        const settle = (outcome: CallResult<unknown>) => {
          pending.delete(id);
          signal?.removeEventListener('abort', cancel);
          resolve(outcome as CallResult<ReturnType<Api[M]>>);
        };
        pending.set(id, { settle, onProgress, onSoFar });
        signal?.addEventListener('abort', cancel);
        send({ kind: 'call', id, method, params } as Request);
      });
    },
    moveTo(next, message) {
      port.onmessage = null;
      port = next;
      port.onmessage = listen;
      hasAnswered = false;
      obstacle = null;
      endAll(message);
    },
    fail(message) {
      if (!hasAnswered) obstacle = message;
      endAll(message);
    },
  };
}
