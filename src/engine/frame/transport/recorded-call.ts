/**
 * A recorded call of gRPC → drafts of its messages. As on a connection, the last message of its response waits for the
 * status. Messages also wait until the ends of the call are known.
 */
import type { CallMessage, Ends, RecordedCall } from '../../capture/containers/exchange.ts';
import { plural } from '../../model/count-text.ts';
import { type ExchangeTarget, flowOf } from './exchange-messages.ts';
import { UNANSWERED, unansweredCall } from './grpc-status.ts';
import { LastMessage } from './last-message.ts';

/** More bytes do not wait for the ends. */
const LONGEST_HELD = 4 * 1024 * 1024;
/** A call that its client cancelled, as gRPC's status. */
const CANCELLED = '1';

export class CallMessages implements RecordedCall {
  /** null: the call's beginning is not recorded. */
  readonly #method: string | null;
  readonly #target: ExchangeTarget;
  readonly #last: LastMessage;
  #ends: Ends | null;
  /** null: none waits any more. */
  #early: CallMessage[] | null = [];
  #held = 0;
  #isAnswered = false;

  constructor(method: string | null, ends: Ends | null, target: ExchangeTarget) {
    this.#method = method;
    this.#ends = ends;
    this.#target = target;
    if (ends !== null) this.#early = null;
    this.#last = new LastMessage({
      emit: (draft, bytes) => target.emitter.emit(draft, bytes, flowOf(this.#ends, draft.direction!)),
    });
  }

  know(ends: Ends): void {
    this.#ends ??= ends;
    this.#giveEarly();
  }

  message(message: CallMessage): void {
    if (this.#early === null) {
      this.#give(message);
      return;
    }
    this.#early.push({ ...message, bytes: message.bytes.slice() });
    this.#held += message.bytes.length;
    if (this.#held > LONGEST_HELD) this.#giveEarly();
  }

  end(status: string | null, start: number, end: number): void {
    this.#last.release(status);
    const isKnown = !this.#isAnswered && this.#method !== null && end > start;
    const error = isKnown ? unansweredCall(this.#method, status ?? CANCELLED) : null;
    if (error !== null) this.#target.log.add(UNANSWERED, 'info', error, start, end);
    this.#isAnswered = true;
  }

  #giveEarly(): void {
    const early = this.#early ?? [];
    this.#early = null;
    for (const message of early) this.#give(message);
  }

  #give(message: CallMessage): void {
    const { isFromClient, time, bytes, captureOffset, statedSize } = message;
    if (!isFromClient) this.#isAnswered = true;
    const direction = isFromClient ? 'request' : 'response';
    if (statedSize === null || statedSize > bytes.length) {
      this.#lose(message, direction);
      return;
    }
    this.#target.layers.message += bytes.length;
    const draft = {
      transport: 'grpc',
      side: isFromClient ? 0 : 1,
      time,
      direction,
      method: this.#method,
      status: null,
      typeHint: null,
      headerBytes: 0,
      context: {},
      pieces: [{ start: captureOffset, end: captureOffset + bytes.length }],
      steps: [],
    } as const;
    if (isFromClient) {
      this.#last.line();
      this.#last.follow(draft, bytes);
    } else this.#last.hold(draft, bytes);
  }

  #lose({ captureOffset, bytes, statedSize }: CallMessage, direction: 'request' | 'response'): void {
    if (direction === 'response') this.#last.release(null);
    const name = `A ${direction} of ${this.#method ?? 'an unknown method'}`;
    const size = statedSize === null ? 'of an unknown size' : `of ${plural(statedSize, 'byte')}`;
    const reason =
      bytes.length === 0
        ? `${name}, ${size}, was recorded without its contents: it cannot be read.`
        : `${name}, ${size}, was recorded in part, ${plural(bytes.length, 'byte')}: it cannot be read.`;
    const stream = flowOf(this.#ends, direction);
    const loss = { code: 'grpc/cut', severity: 'warning', layer: 'incomplete', stream, reason } as const;
    const run = this.#target.log.lose(loss, captureOffset);
    if (bytes.length > 0) run.add(captureOffset, captureOffset + bytes.length);
  }
}
