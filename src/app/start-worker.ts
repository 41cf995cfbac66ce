/**
 * Starts the worker: a classic one made from a blob, because that one keeps the page's policy (a worker's own file would
 * obey the headers of its host, which may send none). It imports the engine from the app's files; parts of the engine
 * come on demand. Messages that arrive before the engine does are answered after it.
 *
 * A worker holds a lock of its own for as long as it lives. A browser sends no event when a worker ends for want of memory;
 * the page waits for the lock, and has it as soon as the worker is gone.
 */
import { PAUSES } from '#worker/retry.ts';
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
