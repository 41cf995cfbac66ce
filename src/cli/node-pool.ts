/** Workers of Node for large inputs. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { connectHelper } from '#engine/analysis/workers/helper-port.ts';
import { Pool } from '#engine/analysis/workers/pool.ts';
import { MAX_WORKERS, type Options } from './options/arguments.ts';

/** @param workers in all; undefined: as many as there are cores */
export async function withPool<T>({ workers }: Pick<Options, 'workers'>, use: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = nodePool(workers);
  try {
    return await use(pool);
  } finally {
    pool.close();
  }
}

const nodePool = (workers: number = Math.min(MAX_WORKERS, availableParallelism())): Pool =>
  new Pool(workers, () =>
    connectHelper((onAnswer, onFailure) => {
      const isSource = import.meta.url.endsWith('.ts');
      const worker = new Worker(new URL(isSource ? './helper.ts' : './helper.js', import.meta.url), {
        ...(isSource ? { execArgv: ['--import', 'tsx'] } : {}),
      });
      worker.on('message', onAnswer);
      worker.on('error', (error) => onFailure(error.message));
      worker.on('exit', () => onFailure('The worker has ended.'));
      return { post: (order, transfer) => worker.postMessage(order, transfer), end: () => void worker.terminate() };
    }),
  );
