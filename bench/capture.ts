/**
 * `npm run bench -- capture [CAPTURE…]`: a capture of 200 MB made of real ones, and how long its messages take to list,
 * ours and tshark's in turn, each in a process of its own. CPU time, start of the process not counted for us and
 * counted for tshark: half a second of many.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCapture } from '#engine/frame/read-capture.ts';
import { findChromium } from '../scripts/chromium.mjs';
import { writeLargeCapture } from './large-capture.ts';
import { quantile } from './ratios.ts';

const SIZE = 200_000_000;
const ROUNDS = 3;
const SELF = fileURLToPath(import.meta.url);

interface Reading {
  /** Seconds. */
  readonly cpu: number;
  readonly wall: number;
  /** Bytes above what the process had before it read. */
  readonly memory: number;
  readonly messages: number;
}

export async function measureCapture(originals: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'wirecost-bench-'));
  try {
    const path = join(folder, 'large.pcap');
    const { bytes, packets } = await writeLargeCapture(path, SIZE, originals.length > 0 ? originals : undefined);
    console.log(`\ncapture: ${(bytes / 1e6).toFixed(1)} MB, ${packets} packets, ${ROUNDS} rounds`);
    const hasTshark = spawnSync('tshark', ['--version']).status === 0;
    if (!hasTshark) console.log('tshark is not installed: no comparison.');
    const ours: Reading[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(readInProcess(path));
      if (hasTshark) theirs.push(cpuOfTshark(path));
    }
    const cpu = quantile(
      ours.map((reading) => reading.cpu),
      0.5,
    );
    const wall = quantile(
      ours.map((reading) => reading.wall),
      0.5,
    );
    const memory = Math.max(...ours.map((reading) => reading.memory));
    console.log(
      `${'wirecost'.padEnd(22)}${row(bytes, cpu)}   ${ours[0]!.messages} messages, ${wall.toFixed(2)} s on the clock`,
    );
    console.log(`${'extra memory'.padEnd(22)}${(memory / 1e6).toFixed(0).padStart(8)} MB at most`);
    if (hasTshark) {
      const ratios = theirs.map((time, round) => time / ours[round]!.cpu);
      console.log(`${'tshark'.padEnd(22)}${row(bytes, quantile(theirs, 0.5))}`);
      console.log(`${'times as fast'.padEnd(22)}${`${quantile(ratios, 0.5).toFixed(1)}×`.padStart(9)}`);
    }
    await measureInBrowser(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The same file in the page, where there is a build of it and a browser. */
async function measureInBrowser(path: string): Promise<void> {
  if (!existsSync(fileURLToPath(new URL('../dist/index.html', import.meta.url))) || findChromium() === undefined) {
    console.log('In Chromium: not measured, for want of a build (npm run build) or of the browser.');
    return;
  }
  const { readInBrowser } = await import('./capture-in-browser.ts');
  const run = await readInBrowser(path);
  const { bytes, messages, readSeconds, allSeconds } = run;
  console.log(
    `${'in Chromium'.padEnd(22)}${row(bytes, readSeconds)}   ${messages} messages, all in ${allSeconds.toFixed(2)} s`,
  );
  const [read, peak, kept] = [run.readExtra, run.peakExtra, run.keptExtra].map((extra) => (extra / 1e6).toFixed(0));
  console.log(
    `${'extra memory'.padEnd(22)}${read!.padStart(8)} MB at most while reading, ${peak} until all is added up, ${kept} kept`,
  );
  const [inReading, inAll] = [run.longestReadTask, run.longestTask].map((task) => task.toFixed(0));
  console.log(
    `${'longest task'.padEnd(22)}${inReading!.padStart(8)} ms on the main thread while reading, ${inAll} until all is added up`,
  );
}

const row = (bytes: number, seconds: number): string =>
  `${(bytes / 1e6 / seconds).toFixed(0).padStart(8)} MB/s${seconds.toFixed(2).padStart(9)} s`;

function readInProcess(path: string): Reading {
  const { stdout, status } = spawnSync(process.execPath, [...process.execArgv, SELF, '--read', path], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error('Reading the capture failed.');
  return JSON.parse(stdout) as Reading;
}

/** What lists the same messages: requests and responses of HTTP, gRPC and OpenSearch's transport, with their names. */
function cpuOfTshark(path: string): number {
  const fields = ['frame.time_epoch', 'tcp.stream', 'http.request.uri', 'http2.headers.path', '_ws.col.Info'];
  const ports = ['9300,elasticsearch', '9301,elasticsearch', '9302,elasticsearch', '15992,http2', '4317,http2'];
  const args = [
    ...['-r', path, '-Y', 'http or grpc or elasticsearch', '-T', 'fields'],
    ...fields.flatMap((field) => ['-e', field]),
    ...ports.flatMap((port) => ['-d', `tcp.port==${port}`]),
  ];
  // `times` says what the shell and, in its second line, what its children took.
  const script = 'tshark "$@" >/dev/null 2>&1; times';
  const { stdout } = spawnSync('sh', ['-c', script, 'sh', ...args], { encoding: 'utf8' });
  const times = [...(stdout.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
  return times.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
}

async function readOnce(path: string): Promise<Reading> {
  const file = await open(path, 'r');
  const { size } = await file.stat();
  const before = process.memoryUsage.rss();
  let most = before;
  let messages = 0;
  /** A chunk that was let go serves the next read. */
  let spare: Uint8Array | undefined;
  const began = process.cpuUsage();
  const start = performance.now();
  await readCapture(
    {
      name: path,
      size,
      read: async (from, to) => {
        const bytes = spare !== undefined && spare.length >= to - from ? spare : new Uint8Array(to - from);
        spare = undefined;
        await file.read(bytes, 0, to - from, from);
        return bytes.subarray(0, to - from);
      },
      letGo: ({ buffer }) => {
        spare = new Uint8Array(buffer as ArrayBuffer);
      },
    },
    () => {
      messages++;
    },
    {
      onProgress: () => {
        most = Math.max(most, process.memoryUsage.rss());
      },
    },
  );
  const wall = (performance.now() - start) / 1e3;
  const { user, system } = process.cpuUsage(began);
  await file.close();
  return { cpu: (user + system) / 1e6, wall, memory: most - before, messages };
}

if (process.argv[2] === '--read' && process.argv[1] === SELF)
  console.log(JSON.stringify(await readOnce(process.argv[3]!)));
