/**
 * Workers beside this one for large inputs. Each is started from a blob, as this one is, and imports this module: there it
 * adds messages up, here it starts such workers.
 */
import { connectHelper, type Order, serveHelper } from '#engine/analysis/workers/helper-port.ts';
import { type Helper, LIMITS, Pool } from '#engine/analysis/workers/pool.ts';
import { blobSource } from './blob-source.ts';
import { nextMacrotask } from './next-macrotask.ts';

const NAME = 'wirecost-helper';
const MAX_WORKERS = 8;
/**
 * The browser's own process hands over the bytes of a file: with two cores, two readers of 600 MB took longer than one.
 */
const BROWSER_LIMITS = { ...LIMITS, busy: 1 };

const boot = `
const early = [];
self.onmessage = (event) => early.push(event);
import(${JSON.stringify(import.meta.url)}).then(
  () => early.forEach((event) => self.onmessage(event)),
  (error) => setTimeout(() => { throw error; }),
);
`;

export const browserPool = (): Pool =>
  new Pool(Math.min(MAX_WORKERS, globalThis.navigator?.hardwareConcurrency ?? 1), startHelper, BROWSER_LIMITS);

const startHelper = (): Helper =>
  connectHelper((onAnswer, onFailure) => {
    const address = URL.createObjectURL(new Blob([boot], { type: 'text/javascript' }));
    const worker = new Worker(address, { name: NAME });
    worker.onmessage = ({ data }) => onAnswer(data);
    worker.onerror = ({ message }) => onFailure(message);
    return {
      post: (order, transfer) => worker.postMessage(order, transfer),
      end: () => {
        worker.terminate();
        URL.revokeObjectURL(address);
      },
    };
  });

if (globalThis.name === NAME) {
  const scope = self as unknown as DedicatedWorkerGlobalScope;
  const follow = serveHelper({
    answer: (answer, transfer) => scope.postMessage(answer, transfer),
    openHandle: (handle, name) => blobSource(name, handle as Blob),
    nextTurn: nextMacrotask,
  });
  scope.onmessage = ({ data }: MessageEvent<Order>) => follow(data);
}
