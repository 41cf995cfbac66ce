/** The reader of captures: it is loaded with the first of them. */
import { captureReader } from '#engine/analysis/read-input.ts';
import { MissingFile } from './on-demand.ts';
import { retry } from './retry.ts';

/** @throws MissingFile */
export async function loadCaptures(): Promise<void> {
  try {
    await retry(captureReader);
  } catch (cause) {
    throw new MissingFile('A file of the app did not load.', { cause });
  }
}
