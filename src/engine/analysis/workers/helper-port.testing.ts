/** A pool without workers, and what it was asked for. */
import { bytesSource, type Source } from '../../bytes/source.ts';
import { connectHelper, serveHelper } from './helper-port.ts';
import { Pool } from './pool.ts';

export const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

export interface Counted {
  ranges: number;
  shares: number;
}

/** Workers that are not: orders and answers are cloned as posted ones are, and taken in a later turn. */
export const poolOf = (workers: number, counted: Counted, fails = false): Pool =>
  new Pool(
    workers,
    () =>
      connectHelper((onAnswer, onFailure) => {
        const openHandle = (handle: unknown, name: string): Source => bytesSource(name, handle as Uint8Array);
        const follow = serveHelper({
          answer: (answer, transfer) => onAnswer(structuredClone(answer, { transfer })),
          openHandle,
          nextTurn,
        });
        return {
          post: (order, transfer) => {
            if (order.kind === 'sum') counted.ranges++;
            if (order.kind === 'read') counted.shares++;
            const posted = structuredClone(order, { transfer });
            void nextTurn().then(() => (fails ? onFailure('No worker.') : follow(posted)));
          },
          end: () => undefined,
        };
      }),
    { alone: 0, rest: 0, input: 0, range: 1, lane: 1, busy: 0 },
  );
