/**
 * Starts the worker: a classic one made from a blob, because that one keeps the page's policy (a worker's own file would
 * obey the headers of its host, which may send none). It imports the engine from the app's files; parts of the engine
 * come on demand. Messages that arrive before the engine does are answered after it.
 */
import { PAUSES } from '#worker/retry.ts';
import address from '../../worker/main.ts?worker&url';

const boot = (engine: string): string => `
const early = [];
self.onmessage = (event) => early.push(event);
(async () => {
  for (const pause of ${JSON.stringify([...PAUSES, null])}) {
    try {
      await import(${JSON.stringify(engine)});
      for (const event of early) self.onmessage(event);
      return;
    } catch (error) {
      // Only a throw outside of a promise reaches the page as the worker's error.
      if (pause === null) setTimeout(() => { throw error; });
      else await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
})();
`;

export function startWorker(): Worker {
  const code = boot(new URL(address, document.baseURI).href);
  return new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })), { name: 'wirecost' });
}
