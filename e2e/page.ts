/**
 * The page under test, served from dist/ with its response headers, and watched: a test fails on a request that leaves
 * the origin, a violation of the content security policy, an uncaught error, or an error in the console. Every test
 * imports `test` and `expect` from here.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test as base, type ConsoleMessage, type Page, type Request } from '@playwright/test';
import { serve } from '../src/server/serve.ts';

export { expect } from '@playwright/test';

export const dist = fileURLToPath(new URL('../dist', import.meta.url));

interface PerTest {
  /** Errors so far, in the page and its workers. */
  readonly complaints: string[];
  /** Faults that a test provokes are not complaints, at any time: one fault may be reported in several ways. */
  readonly provoked: RegExp[];
}

interface PerWorker {
  /** `http://127.0.0.1:PORT/`, a server of this Playwright worker's own. */
  readonly origin: string;
}

/** Runs in the page and in each worker, whose violations no console shows. */
function reportViolations(): void {
  addEventListener('securitypolicyviolation', (event) => {
    const { violatedDirective, blockedURI } = event as SecurityPolicyViolationEvent;
    console.error(`policy violated: ${violatedDirective} ${blockedURI}`);
  });
}

/** Complaints known only at the end: requests that were aborted although the page was not left. */
function watch(page: Page, origin: string, complaints: string[]): () => readonly string[] {
  let documents = 0;
  let isAnotherComing = false;
  const askedBy = new Map<Request, number>();
  const brokenOff: Request[] = [];
  const isOfWindow = (request: Request): boolean =>
    request.isNavigationRequest() && request.frame() === page.mainFrame();
  page.on('framenavigated', (frame) => {
    // Within a document it is announced as well. The previous one asks until the next one is there.
    if (frame !== page.mainFrame() || !(isAnotherComing || frame.url() === 'about:blank')) return;
    isAnotherComing = false;
    documents++;
  });
  page.on('request', (request) => {
    askedBy.set(request, documents);
    const url = request.url();
    if (!url.startsWith(origin) && !/^(blob|data|about):/.test(url)) complaints.push(`request left the origin: ${url}`);
  });
  page.on('websocket', (socket) => complaints.push(`socket opened: ${socket.url()}`));
  page.on('requestfailed', (request) => {
    if (request.failure()?.errorText === 'net::ERR_ABORTED') brokenOff.push(request);
    else complaints.push(`request failed: ${request.url()}`);
  });
  page.on('response', (response) => {
    if (isOfWindow(response.request())) isAnotherComing = true;
    if (response.status() >= 400) complaints.push(`${response.status()}: ${response.url()}`);
  });
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.stack || error.message}`));
  const listen = (message: ConsoleMessage) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`);
  };
  page.on('console', listen);
  page.on('worker', (worker) => {
    worker.on('console', listen);
    // A worker that has ended already cannot be asked.
    worker.evaluate(reportViolations).catch(() => {});
  });
  // Leaving a page aborts its requests.
  return () =>
    brokenOff.filter((request) => askedBy.get(request) === documents).map((request) => `broken off: ${request.url()}`);
}

export const test = base.extend<PerTest, PerWorker>({
  origin: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs off this pattern.
    async ({}, use) => {
      if (!existsSync(`${dist}/index.html`)) throw new Error('There is no build in dist/. Run: npm run build');
      const server = await serve(dist, 0);
      await use(server.address);
      await server.close();
    },
    { scope: 'worker' },
  ],
  baseURL: ({ origin }, use) => use(origin),
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  complaints: ({}, use) => use([]),
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  provoked: ({}, use) => use([]),
  page: async ({ page, origin, complaints, provoked }, use) => {
    const brokenOff = watch(page, origin, complaints);
    await page.addInitScript(reportViolations);
    // The first listener makes the browser hand over its file choosers. On a busy machine that takes a moment, and a
    // chooser that opens before it is lost.
    page.on('filechooser', () => {});
    await use(page);
    const left = [...complaints, ...brokenOff()].filter((text) => !provoked.some((expected) => expected.test(text)));
    base.expect(left).toEqual([]);
  },
});
