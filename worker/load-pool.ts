/** Workers for large inputs. Their code loads with the first one. */
import type { Pool } from '#engine/analysis/workers/pool.ts';

/** Bytes of the smallest input for which the code is loaded. */
const LARGE = 8 << 20;

/** @param use gets undefined where one worker does all: the input is small, or the code does not load */
export async function withPool<T>(bytes: number, use: (pool: Pool | undefined) => Promise<T>): Promise<T> {
  const pool = bytes >= LARGE ? await loadPool() : undefined;
  try {
    return await use(pool);
  } finally {
    pool?.close();
  }
}

const loadPool = (): Promise<Pool | undefined> =>
  import('./browser-pool.ts').then(
    ({ browserPool }) => browserPool(),
    () => undefined,
  );
