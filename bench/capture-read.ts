/**
 * Lists the messages of one capture, as a process of its own: `node … CAPTURE OUT [WORKERS]` writes a line a message to
 * OUT and prints what it took, as JSON.
 */
import { createWriteStream } from 'node:fs';
import type { TableRow } from '#engine/analysis/store/message-table.ts';
import { readShared } from '#engine/analysis/workers/shared-reading.ts';
import { withSource } from '../src/cli/inputs/file-source.ts';
import { withPool } from '../src/cli/node-pool.ts';

export interface CaptureReading {
  /** Seconds, from the first byte to the last line. */
  readonly cpu: number;
  readonly wall: number;
  /** Bytes above what the process had before it read. */
  readonly memory: number;
  readonly messages: number;
}

/** Characters that are written at once. */
const PIECE = 1 << 16;
/** Milliseconds between two looks at the memory. */
const LOOK = 20;

async function list(path: string, to: string, workers: number | undefined): Promise<CaptureReading> {
  const out = createWriteStream(to);
  const before = process.memoryUsage.rss();
  let most = before;
  let looked = 0;
  let messages = 0;
  let lines = '';
  const began = process.cpuUsage();
  const start = performance.now();
  const enter = (message: TableRow): void => {
    const { time, flow, transport, direction, method, status, bytes, capturedBytes } = message;
    messages++;
    lines += `${time}\t${flow}\t${transport}\t${direction}\t${method}\t${status}\t${bytes}\t${capturedBytes}\n`;
    if (lines.length < PIECE) return;
    out.write(lines);
    lines = '';
  };
  // Asking for it takes longer than reading a block of the capture.
  const onProgress = (): void => {
    const now = performance.now();
    if (now - looked < LOOK) return;
    looked = now;
    most = Math.max(most, process.memoryUsage.rss());
  };
  await withPool({ workers }, (pool) => withSource(path, (source) => readShared(source, enter, { onProgress }, pool)));
  await new Promise<void>((resolve) => out.end(lines, resolve));
  const wall = (performance.now() - start) / 1e3;
  const { user, system } = process.cpuUsage(began);
  return { cpu: (user + system) / 1e6, wall, memory: most - before, messages };
}

const [, , path, to, workers] = process.argv;
if (path === undefined || to === undefined) throw new Error('usage: capture-read CAPTURE OUT');
console.log(JSON.stringify(await list(path, to, workers === undefined ? undefined : Number(workers))));
