/** Loads parts of the page on demand. A failed request is repeated; if that fails, the part is missing. */
import { retry } from '#engine/model/needed-file.ts';
import { MISSING_PART } from '#wording/failure-words.ts';
import { firstFrame } from './first-frame.ts';

/** The app was replaced on its host after the page was opened, or there is no network. */
export class MissingPart extends Error {
  override readonly name = 'MissingPart';
}

/** @throws MissingPart once every try has failed */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  await firstFrame;
  try {
    return await retry(load, loadStylesAgain);
  } catch (error) {
    throw new MissingPart(MISSING_PART.detail, { cause: error });
  }
}

/** Style sheets that are requested again at this moment. Parts that fail together share one request. */
const requestedAgain = new WeakMap<HTMLLinkElement, Promise<void>>();

/** A failed style sheet is not requested again by the next import that needs it. */
async function loadStylesAgain(): Promise<void> {
  if (typeof document === 'undefined') return;
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')];
  const missing = links.filter(({ sheet }) => sheet === null);
  await Promise.all(missing.map((link) => requestedAgain.get(link) ?? loadStyleAgain(link)));
}

function loadStyleAgain(failed: HTMLLinkElement): Promise<void> {
  const link = failed.cloneNode() as HTMLLinkElement;
  const settled = new Promise<void>((resolve) => {
    const settle = (type: 'load' | 'error') => {
      link.onload = null;
      link.onerror = null;
      requestedAgain.delete(link);
      // Callers that wait for the old element get the result of the new one.
      failed.dispatchEvent(new Event(type));
      resolve();
    };
    link.onload = () => settle('load');
    link.onerror = () => settle('error');
  });
  requestedAgain.set(link, settled);
  failed.replaceWith(link);
  return settled;
}
