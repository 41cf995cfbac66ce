/**
 * `npm run bench -- capture [CAPTURE…]`: a capture of 200 MB made of real ones, and how long its messages take to list,
 * ours and tshark's in turn, each in a process of its own that writes a line a message to a file. Ours is built as the
 * app is, and counted from its first byte read: what starting Node takes is not of it; tshark's start is counted, half
 * a second of many. Then a capture of 600 MB, by one worker and by several; then the first capture, and 500 MB of
 * payload, in the page.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { findChromium } from '../scripts/chromium.mjs';
import type { CaptureReading } from './capture-read.ts';
import { writeLargeCapture } from './large-capture.ts';
import { writeLargePayload } from './large-payload.ts';
import { quantile } from './ratios.ts';

const SIZE = 200_000_000;
/** Large enough that workers share it. */
const SHARED_SIZE = 600_000_000;
const PAYLOAD_SIZE = 500_000_000;
const ROUNDS = 3;

/** Seconds. */
type Time = Pick<CaptureReading, 'cpu' | 'wall'>;

export async function measureCapture(originals: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'wirecost-bench-'));
  try {
    const path = join(folder, 'large.pcap');
    const { bytes, packets } = await writeLargeCapture(path, SIZE, originals.length > 0 ? originals : undefined);
    console.log(`\ncapture: ${(bytes / 1e6).toFixed(1)} MB, ${packets} packets, ${ROUNDS} rounds`);
    const hasTshark = spawnSync('tshark', ['--version']).status === 0;
    if (!hasTshark) console.log('tshark is not installed: no comparison.');
    const reader = await builtReader(folder);
    const ours: CaptureReading[] = [];
    const theirs: Time[] = [];
    let listed = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const lines = join(folder, 'lines');
      ours.push(readInProcess(reader, path, lines));
      if (!hasTshark) continue;
      theirs.push(timeTshark(path, lines));
      listed = readFileSync(lines, 'latin1').split('\n').length - 1;
    }
    printSide(
      'wirecost',
      bytes,
      ours,
      `${ours[0]!.messages} messages: time, flow, method, status, plain and captured size`,
    );
    const memory = Math.max(...ours.map((reading) => reading.memory));
    console.log(`${'extra memory'.padEnd(22)}${(memory / 1e6).toFixed(0).padStart(8)} MB at most`);
    if (hasTshark) {
      printSide('tshark', bytes, theirs, `${listed} packets that end one: time, stream, URI, path, summary`);
      const ratio = (of: keyof Time) =>
        quantile(
          theirs.map((time, round) => time[of] / ours[round]![of]),
          0.5,
        ).toFixed(1);
      console.log(
        `${'times as fast'.padEnd(22)}${`${ratio('wall')}×`.padStart(9)} on the clock, ${ratio('cpu')}× in CPU time`,
      );
    }
    await measureWorkers(reader, folder, originals);
    await measureInBrowser(path, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A larger capture, by one worker and by as many as there are cores. */
async function measureWorkers(reader: string, folder: string, originals: readonly string[]): Promise<void> {
  const path = join(folder, 'shared.pcap');
  const { bytes } = await writeLargeCapture(path, SHARED_SIZE, originals.length > 0 ? originals : undefined);
  const lines = join(folder, 'lines');
  const alone: CaptureReading[] = [];
  const shared: CaptureReading[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(readInProcess(reader, path, lines, '1'));
    shared.push(readInProcess(reader, path, lines));
  }
  rmSync(path);
  console.log(`\ncapture: ${(bytes / 1e6).toFixed(1)} MB, ${ROUNDS} rounds`);
  printSide('one worker', bytes, alone, '');
  printSide(`${availableParallelism()} workers`, bytes, shared, '');
  const faster = quantile(
    alone.map(({ wall }, round) => wall / shared[round]!.wall),
    0.5,
  );
  console.log(`${'times as fast'.padEnd(22)}${`${faster.toFixed(2)}×`.padStart(9)} on the clock`);
}

function printSide(name: string, bytes: number, times: readonly Time[], what: string): void {
  const [wall, cpu] = (['wall', 'cpu'] as const).map((of) =>
    quantile(
      times.map((time) => time[of]),
      0.5,
    ),
  );
  console.log(`${name.padEnd(22)}${row(bytes, wall!)}${cpu!.toFixed(2).padStart(9)} s of CPU   ${what}`);
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The reader and its helpers as the app has them, without what running from source costs. */
async function builtReader(folder: string): Promise<string> {
  await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      rolldownOptions: {
        input: [here('capture-read.ts'), here('../src/cli/helper.ts')],
        output: { entryFileNames: '[name].js' },
      },
    },
  });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  return join(folder, 'capture-read.js');
}

/** The same file and a large payload in the page, where there is a build of it and a browser. */
async function measureInBrowser(capture: string, folder: string): Promise<void> {
  if (!existsSync(fileURLToPath(new URL('../dist/index.html', import.meta.url))) || findChromium() === undefined) {
    console.log('In Chromium: not measured, for want of a build (npm run build) or of the browser.');
    return;
  }
  console.log('\nin Chromium:');
  await measurePage('capture', capture);
  const payload = join(folder, 'large.binpb');
  await writeLargePayload(payload, PAYLOAD_SIZE);
  await measurePage('payload', payload);
}

async function measurePage(name: string, path: string): Promise<void> {
  const { readInBrowser } = await import('./read-in-browser.ts');
  const run = await readInBrowser(path);
  const { bytes, messages, readSeconds, allSeconds } = run;
  console.log(
    `${name.padEnd(22)}${row(bytes, readSeconds)}   ${messages} messages of ${(bytes / 1e6).toFixed(0)} MB, all in ${allSeconds.toFixed(2)} s`,
  );
  const [read, peak, kept] = [run.readExtra, run.peakExtra, run.keptExtra].map((extra) => (extra / 1e6).toFixed(0));
  console.log(
    `${'extra memory'.padEnd(22)}${read!.padStart(8)} MB at most while reading, ${peak} until all is added up, ${kept} kept when idle`,
  );
  const [inReading, inAll] = [run.longestReadTask, run.longestTask].map((task) => task.toFixed(0));
  console.log(
    `${'longest task'.padEnd(22)}${inReading!.padStart(8)} ms on the main thread while reading, ${inAll} until all is added up`,
  );
}

const row = (bytes: number, seconds: number): string =>
  `${(bytes / 1e6 / seconds).toFixed(0).padStart(8)} MB/s${seconds.toFixed(2).padStart(9)} s`;

function readInProcess(reader: string, path: string, lines: string, ...workers: readonly string[]): CaptureReading {
  const { stdout, status } = spawnSync(process.execPath, [reader, path, lines, ...workers], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error('Reading the capture failed.');
  return JSON.parse(stdout) as CaptureReading;
}

/** tshark with the same output: requests and responses of HTTP, gRPC and OpenSearch's transport, with their names. */
function timeTshark(path: string, lines: string): Time {
  const fields = ['frame.time_epoch', 'tcp.stream', 'http.request.uri', 'http2.headers.path', '_ws.col.Info'];
  const ports = ['9300,elasticsearch', '9301,elasticsearch', '9302,elasticsearch', '15992,http2', '4317,http2'];
  const args = [
    ...['-r', path, '-Y', 'http or grpc or elasticsearch', '-T', 'fields'],
    ...fields.flatMap((field) => ['-e', field]),
    ...ports.flatMap((port) => ['-d', `tcp.port==${port}`]),
  ];
  // `times` says what the shell and, in its second line, what its children took.
  const script = 'to=$1; shift; tshark "$@" >"$to" 2>/dev/null; times';
  const start = performance.now();
  const { stdout } = spawnSync('sh', ['-c', script, 'sh', lines, ...args], { encoding: 'utf8' });
  const wall = (performance.now() - start) / 1e3;
  const times = [...(stdout.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
  const cpu = times.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
  return { cpu, wall };
}
