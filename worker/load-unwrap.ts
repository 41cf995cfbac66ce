/** The opener of archives and other wrappers: it is loaded with the first input that may be wrapped. */
import type { LoadUnwrap } from '#engine/frame/payload.ts';
import { MissingFile } from './on-demand.ts';
import { retry } from './retry.ts';

/** @throws MissingFile */
export const loadUnwrap: LoadUnwrap = async () => {
  try {
    return (await retry(() => import('#engine/frame/unwrap/unwrap.ts'))).unwrap;
  } catch (cause) {
    throw new MissingFile('A file of the app did not load.', { cause });
  }
};
