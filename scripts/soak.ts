/**
 * `npm run soak -- FOLDER [--captures 200] [--kills 50] [--seed 1]`: one tab of Chromium opens captures of a folder one after
 * another and is asked for its memory before and after; its worker is ended at random moments, and the page must recover
 * each time; captures are opened while its storage is full, and after a second tab has raised the version of its
 * databases. A count of 0 leaves a check out. The last line is `N passed, N failed`.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type CDPSession, chromium } from '@playwright/test';
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
});
const context = await browser.newContext({ serviceWorkers: 'block' });
const page = await context.newPage();
const complaints: string[] = [];
page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
await page.goto(server.address);

interface HeapUsage {
  readonly usedSize: number;
  readonly embedderHeapUsedSize?: number;
  readonly backingStorageSize?: number;
}

/** The worker of the page, which the page's session speaks to. */
class WorkerSession {
  readonly #page: CDPSession;
  readonly #waiting = new Map<number, (result: unknown) => void>();
  #id: string | null = null;
  #calls = 0;

  constructor(session: CDPSession) {
    this.#page = session;
    session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
      if (targetInfo.type === 'worker') this.#id = sessionId;
    });
    session.on('Target.receivedMessageFromTarget', ({ message }) => {
      const { id, result } = JSON.parse(message);
      this.#waiting.get(id)?.(result);
      this.#waiting.delete(id);
    });
  }

  attach(): Promise<unknown> {
    return this.#page.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
  }

  call(method: string): Promise<unknown> {
    const id = ++this.#calls;
    const answer = new Promise((resolve) => this.#waiting.set(id, resolve));
    const message = JSON.stringify({ id, method, params: {} });
    void this.#page.send('Target.sendMessageToTarget', { sessionId: this.#id ?? '', message });
    return answer;
  }
}

interface Memory {
  /** Objects, elements and buffers of page and worker that are alive, in MiB. */
  readonly alive: number;
  /** Resident memory of the tab's process, with what its allocators keep for later, in MiB. */
  readonly resident: number;
}

/** After a collection, at home, in the document that opened the captures. */
async function memory(devtools: CDPSession, worker: WorkerSession): Promise<Memory> {
  await page.getByRole('button', { name: 'Wirecost', exact: true }).click();
  await page.waitForTimeout(1000);
  for (let i = 0; i < 3; i++) {
    await devtools.send('HeapProfiler.collectGarbage');
    await worker.call('HeapProfiler.collectGarbage');
    await page.waitForTimeout(500);
  }
  const usages = [
    await devtools.send('Runtime.getHeapUsage'),
    await worker.call('Runtime.getHeapUsage'),
  ] as HeapUsage[];
  const alive = usages.reduce(
    (sum, { usedSize, embedderHeapUsedSize = 0, backingStorageSize = 0 }) =>
      sum + usedSize + embedderHeapUsedSize + backingStorageSize,
    0,
  );
  return { alive: alive / 2 ** 20, resident: residentMemory() };
}

/** The largest renderer's, in MiB. */
function residentMemory(): number {
  const sizes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((id) => {
      try {
        const isRenderer = readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('--type=renderer');
        return isRenderer
          ? Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0) / 1024
          : 0;
      } catch {
        return 0;
      }
    });
  return Math.max(...sizes);
}

/** Gives the page a file. Playwright would keep a handle of the input, and with it the elements around it. */
async function give(devtools: CDPSession, path: string): Promise<void> {
  await page.getByRole('button', { name: 'Wirecost', exact: true }).click();
  const input = page.locator('input[type=file]').first();
  await input.waitFor({ state: 'attached' });
  const { result } = await devtools.send('Runtime.evaluate', {
    expression: "document.querySelector('input[type=file]')",
  });
  const objectId = result.objectId!;
  await devtools.send('DOM.setFileInputFiles', { files: [path], objectId });
  await devtools.send('Runtime.releaseObject', { objectId });
}

/** Opens a file and waits until all of it is added up, or the app says why it cannot be. */
async function open(devtools: CDPSession, path: string): Promise<void> {
  await give(devtools, path);
  await page
    .getByRole('treegrid')
    .or(page.getByRole('alert'))
    .or(page.locator('#verdict'))
    .first()
    .waitFor({ timeout: 60_000 });
}

let passed = 0;
let failed = 0;
function report(isGood: boolean, text: string): void {
  if (isGood) passed++;
  else failed++;
  console.log(`${isGood ? 'ok  ' : 'FAIL'}  ${text}`);
}

const devtools = await context.newCDPSession(page);
const worker = new WorkerSession(devtools);
await worker.attach();
const wanted = Number(values.captures);
if (wanted > 0) {
  for (const path of captures.slice(0, 20)) await open(devtools, path);
  const before = await memory(devtools, worker);
  for (let count = 0; count < wanted; count++) await open(devtools, captures[count % captures.length]!);
  const after = await memory(devtools, worker);
  report(
    after.alive - before.alive <= MOST_LEFT,
    `${wanted} captures in one tab: ${before.alive.toFixed(1)} MiB alive before, ${after.alive.toFixed(1)} after; resident ${before.resident.toFixed(0)} and ${after.resident.toFixed(0)} MiB`,
  );
}

let recovered = 0;
const kills = Number(values.kills);
for (let count = 0; count < kills; count++) {
  const path = captures[random(captures.length)]!;
  await give(devtools, path);
  await page.waitForTimeout(random(1500));
  for (const worker of page.workers()) await worker.evaluate(() => self.close()).catch(() => undefined);
  try {
    await page.getByRole('alert').getByText('was started again').waitFor({ timeout: 60_000 });
    await page.getByRole('treegrid').or(page.locator('#verdict')).first().waitFor({ timeout: 60_000 });
    recovered++;
  } catch (error) {
    console.log(`        ${path}: ${String(error).split('\n')[0]}`);
    await page.goto(server.address);
  }
}
if (kills > 0)
  report(recovered === kills, `${recovered} of ${kills} times the page went on after its worker had ended`);
/** Whether some captures open, also after a reload. */
async function opensSome(): Promise<boolean> {
  try {
    for (const path of captures.slice(0, 3)) await open(devtools, path);
    await page.reload();
    await open(devtools, captures[0]!);
    return true;
  } catch (error) {
    console.log(`        ${String(error).split('\n')[0]}`);
    return false;
  }
}

await page.goto(server.address);
const { origin } = new URL(server.address);
await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 });
report(await opensSome(), 'captures open while the storage is full');
await devtools.send('Storage.overrideQuotaForOrigin', { origin });

const other = await context.newPage();
await other.goto(server.address);
const raised = await other.evaluate(async () => {
  const databases = await indexedDB.databases();
  for (const { name = '', version = 1 } of databases)
    await new Promise<void>((resolve, reject) => {
      const request = indexedDB.open(name, version + 1);
      request.onsuccess = () => resolve();
      request.onerror = () => reject(request.error);
      request.onblocked = () => reject(new Error(`${name} is held open`));
    });
  for (const key of Object.keys(localStorage)) localStorage.setItem(key, '{"version":1000}');
  return databases.length;
});
report(
  raised > 0 && (await opensSome()),
  `captures open after a tab of another version has raised ${raised} databases and rewritten what was kept`,
);

report(complaints.length === 0, `${complaints.length} uncaught errors`);
for (const line of complaints.slice(0, 5)) console.log(`        ${line}`);
await browser.close();
await server.close();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
