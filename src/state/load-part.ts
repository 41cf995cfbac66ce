/** Loads parts of the page on demand. A failed request is repeated; if that fails, the part is missing. */
import { MISSING_PART } from '#wording/failure-words.ts';
import { retry } from '#worker/retry.ts';

/** The app was replaced on its host after the page was opened, or there is no network. */
export class MissingPart extends Error {
  override readonly name = 'MissingPart';
}

/** @throws MissingPart once every try has failed */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await retry(load, loadStylesAgain);
  } catch (error) {
    throw new MissingPart(MISSING_PART.detail, { cause: error });
  }
}

/** A failed style sheet is not requested again by the next import that needs it. */
async function loadStylesAgain(): Promise<void> {
  if (typeof document === 'undefined') return;
  const missing = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].filter(
    ({ sheet }) => sheet === null,
  );
  await Promise.all(
    missing.map(
      (link) =>
        new Promise<void>((resolve) => {
          const again = link.cloneNode() as HTMLLinkElement;
          // Callers that wait for the old element get the result of the new one.
          const end = ({ type }: Event | { readonly type: string }) => {
            link.dispatchEvent(new Event(type));
            resolve();
          };
          again.onload = end;
          again.onerror = () => end({ type: 'error' });
          link.replaceWith(again);
        }),
    ),
  );
}
