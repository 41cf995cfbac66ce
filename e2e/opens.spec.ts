import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningServer, serve } from '../src/server/serve.ts';
import { dist, expect, test } from './page.ts';
import { fieldTable } from './steps.ts';

test('the page opens', async ({ page }) => {
  await page.goto('.');
  await expect(page).toHaveTitle(/Wirecost/);
  await expect(page.getByRole('main')).toBeVisible();
});

test('every response carries the policy, and so does the page itself', async ({ page }) => {
  const policies: (string | undefined)[] = [];
  page.on('response', (response) => {
    // A blob has no headers: it obeys the page's policy.
    if (response.url().startsWith('http')) policies.push(response.headers()['content-security-policy']);
  });
  await page.goto('.');
  await expect(page.getByRole('main')).toBeVisible();
  expect(policies.length).toBeGreaterThan(1);
  for (const policy of policies) {
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
  }
  const meta = page.locator('head > meta').first();
  await expect(meta).toHaveAttribute('http-equiv', 'Content-Security-Policy');
  expect(policies[0]).toContain(await meta.getAttribute('content'));
});

test.describe('nothing can leave', () => {
  // Another origin that would answer: only the policy stands in between.
  let elsewhere: RunningServer;
  test.beforeAll(async () => {
    elsewhere = await serve(dist, 0);
  });
  test.afterAll(() => elsewhere.close());

  test('the page', async ({ page, complaints, provoked }) => {
    provoked.push(new RegExp(elsewhere.address));
    await page.goto('.');
    const outcome = await page.evaluate(
      (address) => fetch(address, { mode: 'no-cors' }).then(String, () => 'held'),
      elsewhere.address,
    );
    expect(outcome).toBe('held');
    await expect.poll(() => complaints).toContainEqual(expect.stringMatching(/policy violated: connect-src/));
  });

  test('a worker', async ({ page, complaints, provoked }) => {
    provoked.push(new RegExp(elsewhere.address));
    await page.goto('.');
    const script = await page.evaluate(() => {
      const code = `onmessage = ({ data }) => fetch(data, { mode: 'no-cors' }).then(String, () => 'held').then(postMessage)`;
      return URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
    });
    // By its address: the app starts a worker of its own, before or after.
    const started = page.waitForEvent('worker', (worker) => worker.url() === script);
    await page.evaluate((url) => Object.assign(window, { worker: new Worker(url) }), script);
    // In the order of evaluations: the fixture listens for violations before the worker is asked.
    await (await started).evaluate(() => 0);
    const outcome = await page.evaluate((address) => {
      const { worker } = window as unknown as { readonly worker: Worker };
      return new Promise((done) => {
        worker.onmessage = ({ data }) => done(data);
        worker.postMessage(address);
      });
    }, elsewhere.address);
    expect(outcome).toBe('held');
    await expect.poll(() => complaints).toContainEqual(expect.stringMatching(/policy violated: connect-src/));
  });
});

test.describe('in a folder of a host', () => {
  let site: string;
  let server: RunningServer;
  test.beforeAll(async () => {
    site = mkdtempSync(join(tmpdir(), 'wirecost-folder-'));
    mkdirSync(join(site, 'tools'));
    symlinkSync(dist, join(site, 'tools/wirecost'));
    server = await serve(site, 0);
  });
  test.afterAll(async () => {
    await server.close();
    rmSync(site, { recursive: true });
  });

  test('a sample, the editor, a link and an embedded figure load, and nothing is requested from the root', async ({
    browser,
  }) => {
    const app = `${server.address}tools/wirecost/`;
    const page = await browser.newPage();
    const strange: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(app) && !/^(blob|data):/.test(request.url())) strange.push(request.url());
    });
    page.on('response', (response) => {
      if (response.status() >= 400) strange.push(`${response.status()} ${response.url()}`);
    });
    page.on('pageerror', (error) => strange.push(String(error)));
    await page.goto(app);
    await page.getByRole('button', { name: /ten search hits/ }).click();
    await expect(fieldTable(page)).toBeVisible();
    await page.getByRole('button', { name: /^Schema/ }).click();
    await expect(page.locator('.monaco-editor .view-line').first()).toBeVisible();
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('radio', { name: /^The figures alone/ }).check();
    const link = page.getByRole('textbox', { name: 'Link' });
    await expect(link).toHaveValue(new RegExp(`^${app}#w\\d+-`));
    const address = await link.inputValue();
    await page.goto('about:blank');
    await page.goto(address);
    await expect(page.getByRole('note')).toContainText('From a link');
    await page.goto(address.replace('#', 'embed.html#figure=waterfall&'));
    await expect(page.getByRole('img', { name: 'From native to protobuf, by cause' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Open in Wirecost' })).toHaveAttribute('href', /^\.\/#w\d+-/);
    expect(strange).toEqual([]);
    await page.close();
  });
});
