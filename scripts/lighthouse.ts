/**
 * `npm run lighthouse [-- --preset=desktop]`: Lighthouse's figures of performance for the home page of the build in
 * dist/, served by the static server; a phone on a slow network unless the arguments say otherwise. npx fetches
 * Lighthouse, which is not a dependency of the project. Prints the medians of several runs; a score below LEAST fails.
 *
 * Lighthouse multiplies the processor's times by 4 to get a phone's from those of a fast desktop. A slower machine takes
 * a smaller factor, by the index that every run measures (Lighthouse, docs/throttling.md, "Calibrating the CPU
 * slowdown"). The first run is for the index alone.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { serve } from '../src/server/serve.ts';
import { findChromium } from './chromium.mjs';

/** The last version that runs on Node 20. */
const LIGHTHOUSE = 'lighthouse@12';
const LEAST = 98;
/** As many as Lighthouse's docs/variability.md advises. */
const RUNS = 5;
const METRICS = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'total-blocking-time',
  'cumulative-layout-shift',
  'speed-index',
] as const;

interface Report {
  readonly environment: { readonly benchmarkIndex: number };
  readonly categories: { readonly performance: { readonly score: number } };
  readonly audits: Readonly<
    Record<(typeof METRICS)[number], { readonly title: string; readonly numericValue: number }>
  >;
}

/**
 * The factor for a machine of this benchmark index, as of Lighthouse's calculator
 * (https://lighthouse-cpu-throttling-calculator.vercel.app): linear between the points of the table.
 */
function slowdownOf(index: number): number {
  const points = [
    [150, 1],
    [800, 2],
    [1300, 3],
    [2000, 6],
  ] as const;
  const next = points.findIndex(([at]) => index < at);
  if (next === 0) return 1;
  const [[from, low], [to, high]] = next < 0 ? [points.at(-2)!, points.at(-1)!] : [points[next - 1]!, points[next]!];
  return low + ((index - from) / (to - from)) * (high - low);
}

const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[numbers.length >> 1]!;

const server = await serve(fileURLToPath(new URL('../dist', import.meta.url)), 0);
const given = process.argv.slice(2);

function measure(...args: readonly string[]): Promise<Report> {
  const child = spawn(
    'npx',
    [
      '--yes',
      LIGHTHOUSE,
      server.address,
      '--only-categories=performance',
      '--output=json',
      '--quiet',
      '--chrome-flags=--headless=new --no-sandbox --disable-gpu',
      ...args,
      ...given,
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, CHROME_PATH: findChromium(), DO_NOT_TRACK: '1' },
    },
  );
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (code) =>
      code === 0 ? done(JSON.parse(output)) : fail(new Error(`Lighthouse ended with ${code}`)),
    );
  });
}

const isCalibrated = !given.some((arg) => arg.startsWith('--preset') || arg.startsWith('--throttling'));
const reports: Report[] = [];
let { benchmarkIndex: index } = (await measure()).environment;
for (let run = 0; run < RUNS; run++) {
  const slowdown = slowdownOf(index).toFixed(2);
  const report = await measure(...(isCalibrated ? [`--throttling.cpuSlowdownMultiplier=${slowdown}`] : []));
  reports.push(report);
  index = report.environment.benchmarkIndex;
  console.log(
    `run ${run + 1}: ${Math.round(report.categories.performance.score * 100)}${isCalibrated ? `, processor's times × ${slowdown}` : ''}, benchmark index ${Math.round(index)}`,
  );
}
await server.close();

for (const metric of METRICS) {
  const value = median(reports.map(({ audits }) => audits[metric].numericValue));
  const text = metric === 'cumulative-layout-shift' ? value.toFixed(3) : `${Math.round(value)} ms`;
  console.log(`${reports[0]!.audits[metric].title.padEnd(26)}${text}`);
}
const score = Math.round(median(reports.map(({ categories }) => categories.performance.score)) * 100);
console.log(`${'Performance'.padEnd(26)}${score}, at least ${LEAST}`);
process.exitCode = score < LEAST ? 1 : 0;
