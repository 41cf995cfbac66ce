/** As someone with confidential captures I can see for myself that nothing is sent anywhere. */
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page, Request } from '@playwright/test';
import { dist, expect, test } from './page.ts';
import { chooseFiles, dropOnto, fieldTable, openSample, pasteSchema, pathOf, workerOf } from './steps.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Share this analysis' });

const KINDS = ['The figures alone', 'The shape of the messages', 'Everything', 'Address of the input'];

/** Has a link of each of these kinds made, and pictures. There are no other kinds. */
async function shareAs(page: Page, kinds: readonly string[]): Promise<readonly (readonly [string, string])[]> {
  await page.getByRole('button', { name: 'Share' }).click();
  const choices = dialog(page).getByRole('radio');
  await expect(choices).toHaveCount(kinds.length);
  const links: (readonly [string, string])[] = [];
  for (const kind of kinds) {
    await dialog(page)
      .getByRole('radio', { name: new RegExp(`^${kind}`) })
      .check();
    const address = dialog(page).getByRole('textbox', { name: 'Address of the input' });
    if (await address.isVisible()) await address.fill('https://elsewhere.example/input.binpb');
    await expect(dialog(page).getByRole('status')).toContainText('characters');
    links.push([kind, await dialog(page).getByRole('textbox', { name: 'Link' }).inputValue()]);
  }
  await dialog(page).getByRole('button', { name: 'Figures' }).click();
  await expect(dialog(page).getByRole('img').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  return links;
}

/** Waits for late parts: the panes, their details of a field, fonts, the note of an update. */
async function everythingStands(page: Page): Promise<void> {
  await expect(fieldTable(page)).toBeVisible();
  await expect(page.getByRole('region', { name: /^Field / })).toBeVisible();
  await expect(page.getByRole('region', { name: /^Message \d+$/ })).toBeVisible();
  await expect(page.getByRole('banner').getByRole('status')).toHaveCount(0);
  await page.evaluate(async () => void (await document.fonts.ready));
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /update-note-/.test(name)),
  );
}

test('a whole session requests the files of the app, and nothing else', async ({ page, origin }) => {
  test.slow();
  const requests: Request[] = [];
  page.on('request', (request) => {
    if (!/^(blob|data):/.test(request.url())) requests.push(request);
  });

  await openSample(page, /ten search hits/);
  const links = [...(await shareAs(page, ['The name of the sample', ...KINDS]))];

  await page.goto('.');
  await pasteSchema(page, 'schemas/prometheus/remote-write-1.proto');
  // The editor and its language are files of the app that come late.
  await expect(page.locator('.monaco-editor .view-line').first()).toBeVisible();
  // So are the panes, with the first file that there is.
  await chooseFiles(page, pathOf('fixtures/wire/truth/prometheus_codecfixture.rw1.binpb'));
  await everythingStands(page);
  await page.getByRole('button', { name: 'Protobuf tree' }).click();
  await expect(page.getByRole('tree', { name: 'Protobuf tree message' })).toBeVisible();
  // No label is under the pointer: pointing at one loads the explanations.
  await page.mouse.move(0, 0);
  let before = requests.length;
  await dropOnto(page, [pathOf('fixtures/input/codecfixture.rw1.binpb')]);
  await expect(page.getByRole('banner').getByRole('button', { name: /^codecfixture/ })).toBeVisible();
  await everythingStands(page);
  // An own file asks for nothing at all.
  expect(requests.slice(before).map((request) => request.url())).toEqual([]);
  links.push(...(await shareAs(page, KINDS)));

  await page.goto('.');
  await chooseFiles(page, pathOf('fixtures/capture/vitess-gzip.pcapng'));
  await everythingStands(page);
  before = requests.length;
  // A message that has the selected field: the way to one that has it is a file that comes late.
  await page.getByRole('listbox', { name: 'Messages' }).getByRole('option').nth(2).click();
  await expect(page.getByRole('region', { name: 'Message 2', exact: true })).toBeVisible();
  expect(requests.slice(before).map((request) => request.url())).toEqual([]);

  for (const [name, link] of links.filter(([name]) => name !== 'Address of the input')) {
    await page.goto('about:blank');
    await page.goto(link);
    await expect(fieldTable(page), name).toBeVisible();
  }
  await page.getByRole('button', { name: /^Schema/ }).click();
  await expect(page.locator('.monaco-editor .view-line').first()).toBeVisible();

  // This is how a request of the worker's would be seen.
  const asked = page.waitForEvent('request', (request) => request.url().endsWith('index.json'));
  await (await workerOf(page)).evaluate((address) => fetch(address).then(() => {}), `${origin}samples/index.json`);
  expect(requests).toContain(await asked);

  // A request for an existing file carries no data: it has no query and no body.
  const strange = requests.filter((request) => {
    const { pathname, search, hash, href } = new URL(request.url());
    const file = pathname === '/' ? 'index.html' : decodeURIComponent(pathname.slice(1));
    const isFile = href.startsWith(origin) && search === '' && hash === '' && existsSync(join(dist, file));
    return !isFile || request.method() !== 'GET' || request.postDataBuffer() !== null;
  });
  expect(strange.map((request) => `${request.method()} ${request.url()}`)).toEqual([]);
  const fragments = links.map(([, link]) => new URL(link).hash.slice(1, 40));
  for (const request of requests) {
    const headers = JSON.stringify(await request.allHeaders());
    expect(fragments.filter((fragment) => headers.includes(fragment))).toEqual([]);
    expect(request.headers()['referer'] ?? '').toBe('');
  }
});

interface Refused {
  /** Directives and paths. */
  readonly refused: Set<string>;
}

test('the policy also applies in the worker: it cannot connect to any host', async ({ page, provoked }) => {
  const received: string[] = [];
  const elsewhere = createServer((request, response) => {
    received.push(`${request.method} ${request.url}`);
    response.writeHead(200, { 'Access-Control-Allow-Origin': '*', 'Content-Type': 'text/javascript' }).end('1');
  });
  elsewhere.on('upgrade', (request, socket) => {
    received.push(`upgrade ${request.url}`);
    socket.destroy();
  });
  await new Promise<void>((listening) => elsewhere.listen(0, '127.0.0.1', listening));
  const host = `127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
  // It answers any request.
  await fetch(`http://${host}/from-outside`);

  await openSample(page, /ten search hits/);
  const worker = await workerOf(page);
  provoked.push(new RegExp(host));
  const connected = await worker.evaluate(async (host) => {
    const refused = new Set<string>();
    Object.assign(globalThis, { refused });
    addEventListener('securitypolicyviolation', (event) => {
      const { effectiveDirective, blockedURI } = event as SecurityPolicyViolationEvent;
      refused.add(`${effectiveDirective} ${new URL(blockedURI).pathname}`);
    });
    const reached: string[] = [];
    const attempt = async (name: string, connect: () => unknown) => {
      try {
        await connect();
        reached.push(name);
      } catch {
        // As it should be.
      }
    };
    const opened = (source: EventTarget) =>
      new Promise((open, close) => {
        source.addEventListener('open', open);
        source.addEventListener('error', close);
      });
    await attempt('fetch', () => fetch(`http://${host}/fetch`));
    await attempt('fetch without an answer', () =>
      fetch(`http://${host}/no-cors`, { method: 'POST', mode: 'no-cors', body: 'x' }),
    );
    await attempt('WebSocket', () => opened(new WebSocket(`ws://${host}/socket`)));
    await attempt('EventSource', () => opened(new EventSource(`http://${host}/events`)));
    await attempt('XMLHttpRequest', () => {
      const request = new XMLHttpRequest();
      request.open('GET', `http://${host}/xhr`, false);
      request.send();
    });
    await attempt('importScripts', () =>
      (globalThis as unknown as { importScripts(address: string): void }).importScripts(`http://${host}/script`),
    );
    return reached;
  }, host);
  expect(connected).toEqual([]);
  // Violations are reported in tasks of their own. The page's policy stands in its headers and in the page itself.
  const refusedOnce = () => worker.evaluate(() => [...(globalThis as unknown as Refused).refused].sort());
  await expect
    .poll(refusedOnce)
    .toEqual([
      'connect-src /events',
      'connect-src /fetch',
      'connect-src /no-cors',
      'connect-src /socket',
      'connect-src /xhr',
      'script-src-elem /script',
    ]);
  elsewhere.close();
  expect(received).toEqual(['GET /from-outside']);
});
