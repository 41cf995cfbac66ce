/**
 * The worker's edge: requests in, handlers called, responses out. A throw from a handler is a bug: it is caught
 * here, once, and reported with its stack. A cancelled call answers `cancelled`, with any result of its handler.
 */
import { MissingFile } from '#engine/model/needed-file.ts';
import type { Context, Handlers, Port, Progress, Request, Response } from './protocol.ts';

/** Milliseconds between two progress messages of one call. */
const PROGRESS_INTERVAL = 50;

type AnyHandler = (params: unknown, context: Context) => unknown;

export function serve(port: Port, handlers: Handlers, now: () => number = () => performance.now()): void {
  const running = new Map<number, AbortController>();

  const respond = (response: Response, transfer: readonly ArrayBuffer[] = []): void =>
    port.postMessage(response, [...transfer]);

  const answer = async (request: Extract<Request, { kind: 'call' }>): Promise<void> => {
    const { id, method } = request;
    const abort = new AbortController();
    running.set(id, abort);
    const transfer: ArrayBuffer[] = [];
    let last = -Infinity;
    const context: Context = {
      signal: abort.signal,
      progress: (progress: Progress) => {
        const time = now();
        if (abort.signal.aborted || time - last < PROGRESS_INTERVAL) return;
        last = time;
        respond({ kind: 'progress', id, progress });
      },
      soFar: (result) => {
        if (!abort.signal.aborted) respond({ kind: 'so-far', id, result });
      },
      transfer: (...buffers) => transfer.push(...buffers),
    };
    try {
      const handler = (handlers as Readonly<Record<string, AnyHandler>>)[method];
      if (!handler) throw new Error(`The worker knows no method “${method}”.`);
      const result = await handler(request.params, context);
      if (abort.signal.aborted)
        respond({ kind: 'error', id, message: 'Cancelled.', cancelled: true, isMissing: false });
      else respond({ kind: 'ok', id, result }, transfer);
    } catch (error) {
      const cancelled = abort.signal.aborted;
      const isMissing = error instanceof MissingFile;
      respond({ kind: 'error', id, message: cancelled ? 'Cancelled.' : printError(error), cancelled, isMissing });
    } finally {
      running.delete(id);
    }
  };

  port.onmessage = ({ data }: MessageEvent<Request>) => {
    if (data.kind === 'cancel') running.get(data.id)?.abort();
    else void answer(data);
  };
}

function printError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const said = `${error.name}: ${error.message}`;
  const stack = error.stack ?? '';
  // V8's stack begins with what was said; that of Firefox and Safari does not.
  return stack.startsWith(said) ? stack : `${said}\n${stack}`;
}
