/**
 * `npm run lighthouse [-- --preset=desktop]`: Lighthouse's figure of performance for the home page of the build in dist/,
 * served by the static server; a phone on a slow network unless the arguments say otherwise. npx fetches Lighthouse, which
 * is not a dependency of the project. A score below LEAST fails.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { serve } from '../src/server/serve.ts';
import { findChromium } from './chromium.mjs';

/** The last version that runs on Node 20. */
const LIGHTHOUSE = 'lighthouse@12';
const LEAST = 98;
const METRICS = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'total-blocking-time',
  'cumulative-layout-shift',
  'speed-index',
] as const;

interface Report {
  readonly categories: { readonly performance: { readonly score: number } };
  readonly audits: Readonly<
    Record<(typeof METRICS)[number], { readonly title: string; readonly displayValue: string }>
  >;
}

const server = await serve(fileURLToPath(new URL('../dist', import.meta.url)), 0);
const { code, output } = await new Promise<{ readonly code: number | null; readonly output: string }>((done) => {
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
      ...process.argv.slice(2),
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
  child.on('close', (code) => done({ code, output }));
});
await server.close();
if (code !== 0) process.exit(code ?? 1);
const { categories, audits } = JSON.parse(output) as Report;
const score = Math.round(categories.performance.score * 100);
for (const metric of METRICS) console.log(`${audits[metric].title.padEnd(26)}${audits[metric].displayValue}`);
console.log(`${'Performance'.padEnd(26)}${score}, at least ${LEAST}`);
process.exitCode = score < LEAST ? 1 : 0;
