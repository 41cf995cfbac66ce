/** The entry of a helper worker: it adds messages up for the worker that started it. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { serveHelper } from '#engine/analysis/workers/helper-port.ts';
import type { Source } from '#engine/bytes/source.ts';
import './provide-brotli.ts';

/** The file that was opened last stays open. */
let open: { readonly path: string; readonly file: number } | null = null;

/** It is read while nothing else waits: a worker of its own need not give way. */
function openFile(handle: unknown, name: string): Source {
  const path = String(handle);
  if (open?.path !== path) {
    if (open !== null) closeSync(open.file);
    open = { path, file: openSync(path, 'r') };
  }
  const { file } = open;
  const whole = fstatSync(file).size;
  let spare: ArrayBuffer | undefined;
  return {
    name,
    size: whole,
    read: async (start, end) => {
      const size = end - start;
      const bytes =
        spare !== undefined && spare.byteLength >= size ? new Uint8Array(spare, 0, size) : new Uint8Array(size);
      spare = undefined;
      let length = 0;
      for (let read = -1; read !== 0 && length < size; length += read)
        read = readSync(file, bytes, length, size - length, start + length);
      if (length < Math.min(end, whole) - start) throw new Error(`${name} was cut while it was read`);
      return bytes.subarray(0, length);
    },
    letGo: ({ buffer }) => {
      if (buffer instanceof ArrayBuffer) spare = buffer;
    },
  };
}

const port = parentPort!;
port.on(
  'message',
  serveHelper({
    answer: (answer, transfer) => port.postMessage(answer, transfer),
    openHandle: openFile,
    nextTurn,
  }),
);
