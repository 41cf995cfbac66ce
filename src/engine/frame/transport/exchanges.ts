/**
 * Pending requests by the id that their responses repeat. A response that is captured before its request waits for it.
 */
import type { ConnectionSide } from '../../stream/connection-sink.ts';

/** Limits: pending requests; responses that wait for a request that is captured later, and their bytes. */
const MAX_OPEN = 65_536;
const MAX_WAITING = 64;
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

interface Waiting<Request> {
  readonly id: string;
  readonly bytes: number;
  readonly settle: (request: Request | null) => void;
}

export class Exchanges<Request> {
  /** By the side that sent the request. */
  readonly #open: readonly [Map<string, Request>, Map<string, Request>] = [new Map(), new Map()];
  readonly #waiting: readonly [Waiting<Request>[], Waiting<Request>[]] = [[], []];
  readonly #ended: boolean[] = [];

  ask(asker: ConnectionSide, id: string, request: Request): void {
    const open = this.#open[asker];
    open.set(id, request);
    if (open.size > MAX_OPEN) open.delete(open.keys().next().value!);
    const queue = this.#waiting[asker];
    const index = queue.findIndex((waiter) => waiter.id === id);
    if (index < 0) return;
    open.delete(id);
    queue.splice(index, 1)[0]!.settle(request);
  }

  isOpen(asker: ConnectionSide, id: string): boolean {
    return this.#open[asker].has(id);
  }

  /** Takes the request with that id, which only one response answers; undefined: not captured yet. */
  answer(asker: ConnectionSide, id: string): Request | undefined {
    const request = this.#open[asker].get(id);
    this.#open[asker].delete(id);
    return request;
  }

  /**
   * Calls `settle` when the request is known, or when it cannot follow any more. @param bytes that are held until then
   */
  wait(asker: ConnectionSide, id: string, bytes: number, settle: (request: Request | null) => void): void {
    this.#waiting[asker].push({ id, bytes, settle });
    this.#settleOldest(asker);
  }

  /** This side sends no more requests. */
  end(asker: ConnectionSide): void {
    this.#ended[asker] = true;
    this.#settleOldest(asker);
  }

  #settleOldest(asker: ConnectionSide): void {
    const queue = this.#waiting[asker];
    const held = () => queue.reduce((sum, { bytes }) => sum + bytes, 0);
    while (queue.length > 0 && (this.#ended[asker] || queue.length > MAX_WAITING || held() > MAX_WAITING_BYTES)) {
      queue.shift()!.settle(null);
    }
  }
}
