/** As someone on a train I open the app again without a network, with what I had open. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from './page.ts';
import { fieldTable, openSample, pathOf } from './steps.ts';

test.use({ serviceWorkers: 'allow' });

test('after the first visit everything works offline, and a reload keeps the open input', async ({
  page,
  context,
  provoked,
}) => {
  provoked.push(/broken off/);
  await openSample(page, /ten search hits/);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  await context.setOffline(true);
  await page.locator('body').press('l');
  await expect(page.getByRole('dialog', { name: 'Share this analysis' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Schema/ }).click();
  await expect(page.locator('.monaco-editor .view-line').first()).toBeVisible();
  await page.reload();
  await expect(fieldTable(page)).toBeVisible();
  await page.getByRole('button', { name: 'Wirecost', exact: true }).click();
  await page.locator('input[type=file]').setInputFiles(pathOf('public/samples/opensearch-search.pcap'));
  await expect(fieldTable(page)).toBeVisible();
  await page.waitForTimeout(700);
  await page.reload();
  await expect(page).toHaveTitle(/opensearch-search\.pcap/);
  await expect(fieldTable(page)).toBeVisible();
  await page.goto('embed.html');
  await expect(page.getByRole('alert')).toBeVisible();
});

test('a file that is missing in the kept build, too, is reported; later a reload opens the capture', async ({
  page,
  context,
  provoked,
}) => {
  provoked.push(/request failed|broken off|console|ERR_/);
  await openSample(page, /ten search hits/);
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  const removed = await page.evaluate(async () => {
    let count = 0;
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys())
        if (request.url.includes('/shared-reading-') && (await cache.delete(request))) count++;
    }
    return count;
  });
  expect(removed).toBe(1);
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Wirecost', exact: true }).click();
  await page.locator('input[type=file]').setInputFiles(pathOf('public/samples/opensearch-search.pcap'));
  await expect(page.getByText('A part of the app did not load').first()).toBeVisible();
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Reload' }).first().click();
  await expect(page).toHaveTitle(/opensearch-search\.pcap/);
  await expect(fieldTable(page)).toBeVisible();
});

test('the app works offline when its host’s responses vary by origin', async ({ browser, origin }) => {
  const host = createServer(async ({ url }, response) => {
    const { status, headers, body } = await fetch(new URL(url!, origin));
    const type = headers.get('content-type') ?? 'application/octet-stream';
    response.writeHead(status, { 'content-type': type, vary: 'Origin' });
    response.end(Buffer.from(await new Response(body).arrayBuffer()));
  });
  await new Promise<void>((ready) => host.listen(0, '127.0.0.1', ready));
  const context = await browser.newContext({ serviceWorkers: 'allow' });
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${(host.address() as AddressInfo).port}/`);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await context.close();
  await new Promise((closed) => host.close(closed));
});

test('the app can be installed: a manifest with its icons', async ({ page }) => {
  await page.goto('.');
  const found = await page.evaluate(async () => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="manifest"]')!;
    const manifest = await (await fetch(link.href)).json();
    const icons = manifest.icons.map(({ src }: { readonly src: string }) => new URL(src, link.href).href);
    const answers = await Promise.all(icons.map((icon: string) => fetch(icon)));
    return { name: manifest.name, display: manifest.display, icons: answers.map(({ ok }) => ok) };
  });
  expect(found).toEqual({ name: 'Wirecost', display: 'standalone', icons: [true, true] });
});
