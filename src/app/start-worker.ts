/**
 * Starts the worker: a classic one made from a blob, because a blob inherits the page's policy. A worker file would
 * have the policy of its host's headers, and the host may send none. It imports the engine from the app's files; parts
 * of the engine load on demand. Messages that arrive before the engine is loaded are answered afterwards.
 *
 * A worker holds its own lock as long as it lives. A browser sends no event when a worker ends out of memory. The page
 * waits for the lock, and gets it as soon as the worker is gone.
 */
import { PAUSES } from '#engine/model/needed-file.ts';
import address from '../../worker/main.ts?worker&url';

const boot = (engine: string): string => `
navigator.locks?.request(self.name, () => {
  self.postMessage('alive');
  return new Promise(() => {});
});
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

/** @param onEnd called once, when a worker that had started has ended */
export function startWorker(onEnd: () => void): Worker {
  const code = boot(new URL(address, document.baseURI).href);
  const name = `wirecost-worker ${crypto.randomUUID()}`;
  const worker = new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })), { name });
  const wait = ({ data }: MessageEvent): void => {
    if (data !== 'alive') return;
    worker.removeEventListener('message', wait);
    void navigator.locks.request(name, onEnd);
  };
  worker.addEventListener('message', wait);
  return worker;
}
