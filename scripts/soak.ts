/**
 * `npm run soak -- FOLDER [--captures 200] [--kills 50] [--seed 1]`: one tab of Chromium opens captures of a folder one after
 * another and is asked for its memory before and after; then its worker is ended at random moments, and the page must
 * recover each time. The last line is `N passed, N failed`.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type CDPSession, chromium, type Page } from '@playwright/test';
import { serve } from '../src/server/serve.ts';
import { findChromium } from './chromium.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    captures: { type: 'string', default: '200' },
    kills: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
  },
});
const [folder] = positionals;
if (folder === undefined) {
  console.error('usage: npm run soak -- FOLDER [--captures 200] [--kills 50] [--seed 1]');
  process.exit(1);
}

/** The memory that may stay, in MiB. */
const MOST_LEFT = 20;
/** Larger captures take longer than they show. */
const MOST_BYTES = 8 << 20;

const captures = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(pcap|pcapng|har)$/.test(path))
  .map((path) => join(folder, path))
  .filter((path) => statSync(path).size <= MOST_BYTES)
  .sort();
if (captures.length === 0) throw new Error(`No captures in ${folder}.`);

let state = Number(values.seed) >>> 0;
function random(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}

const server = await serve(fileURLToPath(new URL('../dist', import.meta.url)), 0);
const browser = await chromium.launch({
  executablePath: findChromium() ?? '',
  chromiumSandbox: false,
  args: ['--js-flags=--expose-gc'],
});
const context = await browser.newContext({ serviceWorkers: 'block' });
const page = await context.newPage();
const complaints: string[] = [];
page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
await page.goto(server.address);

/** Resident memory of the tab's process after a collection, in MiB, at home with nothing open. */
async function memory(devtools: CDPSession): Promise<number> {
  await page.goto(server.address);
  await page.getByRole('button', { name: 'Wirecost', exact: true }).waitFor();
  for (let i = 0; i < 3; i++) {
    await devtools.send('HeapProfiler.collectGarbage');
    for (const worker of page.workers()) await worker.evaluate(() => (globalThis as { gc?: () => void }).gc?.());
    await page.waitForTimeout(500);
  }
  const status = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((id) => {
      try {
        const command = readFileSync(`/proc/${id}/cmdline`, 'utf8');
        return command.includes('--type=renderer') ? [readFileSync(`/proc/${id}/status`, 'utf8')] : [];
      } catch {
        return [];
      }
    });
  const resident = status.map((text) => Number(/VmRSS:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024);
  return Math.max(...resident);
}

/** Opens a file and waits until all of it is added up, or the app says why it cannot be. */
async function open(tab: Page, path: string): Promise<void> {
  await tab.getByRole('button', { name: 'Wirecost', exact: true }).click();
  await tab.locator('input[type=file]').first().setInputFiles(path);
  await tab
    .getByRole('treegrid')
    .or(tab.getByRole('alert'))
    .or(tab.getByText(/No message/))
    .first()
    .waitFor({ timeout: 60_000 });
}

let failed = 0;
function report(isGood: boolean, text: string): void {
  if (!isGood) failed++;
  console.log(`${isGood ? 'ok  ' : 'FAIL'}  ${text}`);
}

const devtools = await context.newCDPSession(page);
for (const path of captures.slice(0, 20)) await open(page, path);
const before = await memory(devtools);
for (let count = 0; count < Number(values.captures); count++) await open(page, captures[count % captures.length]!);
const after = await memory(devtools);
const left = after - before;
report(
  left <= MOST_LEFT,
  `${values.captures} captures in one tab: ${before.toFixed(0)} MiB before, ${after.toFixed(0)} after, ${left.toFixed(0)} stay`,
);

let recovered = 0;
const kills = Number(values.kills);
for (let count = 0; count < kills; count++) {
  const path = captures[random(captures.length)]!;
  await page.getByRole('button', { name: 'Wirecost', exact: true }).click();
  await page.locator('input[type=file]').first().setInputFiles(path);
  await page.waitForTimeout(random(1500));
  for (const worker of page.workers()) await worker.evaluate(() => self.close()).catch(() => undefined);
  try {
    await page.getByRole('alert').getByText('was started again').waitFor({ timeout: 60_000 });
    await page.getByRole('treegrid').first().waitFor({ timeout: 60_000 });
    recovered++;
  } catch (error) {
    console.log(`        ${path}: ${String(error).split('\n')[0]}`);
    await page.goto(server.address);
  }
}
report(recovered === kills, `${recovered} of ${kills} times the page went on after its worker had ended`);
report(complaints.length === 0, `${complaints.length} uncaught errors`);
for (const line of complaints.slice(0, 5)) console.log(`        ${line}`);
await browser.close();
await server.close();
console.log(`${3 - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
