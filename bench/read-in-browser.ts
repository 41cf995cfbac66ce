/**
 * A large input in Chromium, on the production build → how fast it is read, what memory it takes beyond the page's own,
 * and how long the main thread was blocked at most:
 *
 *   tsx bench/read-in-browser.ts FILE
 */
import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type CDPSession, chromium, type Page } from '@playwright/test';
import { findChromium } from '../scripts/chromium.mjs';
import { serve } from '../src/server/serve.ts';

/** Milliseconds between two looks at the memory. */
const LOOK = 50;
/** Milliseconds after which V8 has given back what it only keeps for more work: it does so after some 25 s without any. */
const IDLE = 40_000;

export interface BrowserRun {
  readonly bytes: number;
  readonly messages: string;
  readonly readSeconds: number;
  readonly allSeconds: number;
  /**
   * Bytes that the page's process held beyond what it held before: at most while it read, garbage included, at most
   * until all was added up, and once it had nothing to do.
   */
  readonly readExtra: number;
  readonly peakExtra: number;
  readonly keptExtra: number;
  /** Milliseconds: of the main thread, while it read and until all was added up. */
  readonly longestReadTask: number;
  readonly longestTask: number;
}

export async function readInBrowser(path: string): Promise<BrowserRun> {
  const server = await serve(fileURLToPath(new URL('../dist', import.meta.url)), 0);
  const browser = await chromium.launch({
    executablePath: findChromium() ?? '',
    chromiumSandbox: false,
    args: ['--disable-gpu', '--disable-dev-shm-usage', '--js-flags=--expose-gc'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(server.address);
    // A small capture first, so that code and schemas are there and what is measured is the large one's.
    const warm = fileURLToPath(new URL('../fixtures/capture/vitess-gzip.pcapng', import.meta.url));
    const files = page.locator('input[type=file]');
    await files.setInputFiles(warm);
    await page.getByRole('treegrid', { name: 'Cost by field' }).waitFor();
    await page.getByRole('button', { name: 'Home' }).or(page.getByTitle('Home')).first().click();
    const pid = await rendererOf(await browser.newBrowserCDPSession());
    await collectGarbage(page);
    const before = residentBytes(pid);
    const looks: { readonly at: number; readonly bytes: number }[] = [];
    const looking = setInterval(() => looks.push({ at: performance.now(), bytes: residentBytes(pid) }), LOOK);
    await page.evaluate(watchTasks);
    const start = performance.now();
    await files.setInputFiles(path);
    const bar = page.getByRole('banner').getByRole('status');
    await page.getByRole('treegrid', { name: 'Cost by field' }).waitFor({ timeout: 300_000 });
    const all = performance.now();
    await bar.waitFor({ state: 'detached', timeout: 300_000 });
    clearInterval(looking);
    const { tasks, readAt } = await page.evaluate(() => (window as unknown as { readonly watched: Watched }).watched);
    const longest = (until: number) =>
      Math.max(0, ...tasks.filter(({ at }) => at <= until).map(({ duration }) => duration));
    const most = (until: number) =>
      Math.max(before, ...looks.filter(({ at }) => at <= until).map(({ bytes }) => bytes)) - before;
    const messages = (await page.getByRole('button', { name: /^Messages/ }).textContent()) ?? '';
    await page.waitForTimeout(IDLE);
    await collectGarbage(page);
    return {
      bytes: statSync(path).size,
      messages: messages.replace(/\D/g, ''),
      readSeconds: readAt / 1000,
      allSeconds: (all - start) / 1000,
      readExtra: most(start + readAt),
      peakExtra: most(Number.POSITIVE_INFINITY),
      keptExtra: residentBytes(pid) - before,
      longestReadTask: longest(readAt),
      longestTask: longest(Number.POSITIVE_INFINITY),
    };
  } finally {
    await browser.close();
    await server.close();
  }
}

interface Watched {
  /** Tasks that blocked the main thread for more than 50 ms, by their start. */
  readonly tasks: { readonly at: number; readonly duration: number }[];
  /** Milliseconds until the capture was read; 0: not yet. */
  readAt: number;
}

/** Runs in the page: how long the main thread is blocked, and when the reading job gave way to the next. */
function watchTasks(): void {
  const from = performance.now();
  const watched: Watched = { tasks: [], readAt: 0 };
  Object.assign(window, { watched });
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) watched.tasks.push({ at: startTime - from, duration });
  }).observe({ type: 'longtask' });
  let isReading = false;
  new MutationObserver(() => {
    const text = document.querySelector('header [role=status]')?.textContent ?? '';
    if (text.startsWith('Reading the input')) isReading = true;
    else if (isReading && watched.readAt === 0) watched.readAt = performance.now() - from;
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}

/** In the page and in its worker. */
async function collectGarbage(page: Page): Promise<void> {
  const collect = () => (globalThis as unknown as { gc(): void }).gc();
  await page.evaluate(collect);
  for (const worker of page.workers()) await worker.evaluate(collect);
  await page.waitForTimeout(1000);
}

/** The process of the page: the renderer that used most time. */
async function rendererOf(session: CDPSession): Promise<number> {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const renderers = processInfo.filter(({ type }) => type === 'renderer').sort((a, b) => b.cpuTime - a.cpuTime);
  const [busiest] = renderers;
  if (busiest === undefined) throw new Error('No renderer is running.');
  return busiest.id;
}

/** Private memory: what the process alone holds. https://www.kernel.org/doc/html/latest/filesystems/proc.html */
function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
  return (kilobytes('RssAnon') + kilobytes('RssShmem')) * 1024;
}

const [, self = '', path] = process.argv;
if (self === fileURLToPath(import.meta.url)) {
  if (path === undefined) throw new Error('usage: tsx bench/read-in-browser.ts FILE');
  const run = await readInBrowser(path);
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  console.log(`${megabytes(run.bytes)}, ${run.messages} messages, in Chromium`);
  console.log(
    `read in ${run.readSeconds.toFixed(2)} s (${(run.bytes / 1e6 / run.readSeconds).toFixed(0)} MB/s), added up in ${run.allSeconds.toFixed(2)} s`,
  );
  console.log(
    `extra memory at most ${megabytes(run.readExtra)} while reading, ${megabytes(run.peakExtra)} in all, kept when idle ${megabytes(run.keptExtra)}`,
  );
  console.log(
    `main-thread tasks above 50 ms: longest ${run.longestReadTask.toFixed(0)} ms while reading, ${run.longestTask.toFixed(0)} ms in all`,
  );
}
