/** As someone who keeps captures on a server of my own I link to them, and the person who opens the link is asked first. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { encodeFragment } from '#permalink/fragment.ts';
import { plainView } from '#permalink/plain-view.ts';
import { policiesFor } from '../src/server/csp.ts';
import { type RunningServer, serve } from '../src/server/serve.ts';
import { expect, test } from './page.ts';
import { bytesOf, fieldTable, pathOf } from './steps.ts';

/** Another origin, with a capture that any site may read, and one that none may. */
let captures: Server;
let elsewhere: string;
const asked: string[] = [];

test.beforeAll(async () => {
  captures = createServer((request, response) => {
    asked.push(
      `${request.method} ${request.url} ${JSON.stringify([request.headers['referer'], request.headers['cookie']])}`,
    );
    const headers = request.url === '/closed.binpb' ? {} : { 'Access-Control-Allow-Origin': '*' };
    response.writeHead(200, headers).end(bytesOf('fixtures/input/codecfixture.rw1.binpb'));
  });
  await new Promise<void>((listening) => captures.listen(0, '127.0.0.1', listening));
  elsewhere = `http://127.0.0.1:${(captures.address() as AddressInfo).port}`;
});
test.afterAll(() => captures.close());
test.beforeEach(() => {
  asked.length = 0;
});

const linkTo = (file: string): string =>
  encodeFragment({
    source: { name: 'a request', messages: 1, size: 1, coverage: null, losses: [] },
    made: { date: '2026-11-21', by: '0.1.0' },
    view: plainView('prometheus.WriteRequest', 'opensearch'),
    data: {
      kind: 'address',
      address: `${elsewhere}/${file}`,
      textEncoding: null,
      framing: null,
      schema: [
        {
          path: 'prometheus/remote-write-1.proto',
          content: readFileSync(pathOf('schemas/prometheus/remote-write-1.proto'), 'utf8'),
        },
      ],
    },
  })!;

test('a site that was not built for an address sends no request and shows what to do', async ({ page }) => {
  await page.goto(`./#${linkTo('open.binpb')}`);
  await expect(page.getByRole('alert')).toContainText(`WIRECOST_SOURCES="${elsewhere}" npm run build`);
  await expect(page.getByRole('button', { name: 'Fetch it' })).toBeHidden();
  expect(asked).toEqual([]);
});

test.describe('a site that was built for it', () => {
  // It is built once, for all of these.
  test.describe.configure({ mode: 'default' });

  let folder: string;
  let site: RunningServer;
  let seen: string[];

  test.beforeAll(async () => {
    test.setTimeout(300_000);
    folder = mkdtempSync(join(tmpdir(), 'wirecost-sources-'));
    await promisify(execFile)(
      process.execPath,
      [pathOf('node_modules/vite/bin/vite.js'), 'build', '--outDir', folder, '--logLevel', 'error'],
      {
        cwd: pathOf('.'),
        env: { ...process.env, WIRECOST_SOURCES: elsewhere },
      },
    );
    site = await serve(folder, 0, { policies: policiesFor([elsewhere]) });
  });
  test.afterAll(async () => {
    await site.close();
    rmSync(folder, { recursive: true });
  });

  /** The fixture's page takes any request elsewhere for a fault: here one is what is asked for. */
  async function open(page: Page, link: string): Promise<void> {
    seen = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(site.address) && !/^(blob|data):/.test(request.url())) seen.push(request.url());
    });
    await page.goto(`${site.address}#${link}`);
  }

  test('asks first, then reads only that address, and remembers the answer', async ({ browser }) => {
    const page = await browser.newPage();
    await open(page, linkTo('open.binpb'));
    const question = page.getByRole('alert');
    await expect(question).toContainText(`fetches its input from ${elsewhere}`);
    expect(asked).toEqual([]);
    await page.getByRole('button', { name: 'Fetch it' }).click();
    await expect(fieldTable(page)).toBeVisible();
    expect(seen).toEqual([`${elsewhere}/open.binpb`]);
    // Neither where it was asked from nor who asks.
    expect(asked).toEqual(['GET /open.binpb [null,null]']);
    await page.goto('about:blank');
    await open(page, linkTo('open.binpb'));
    await expect(fieldTable(page)).toBeVisible();
    await expect(question).toBeHidden();
    await page.close();
  });

  test('a person who declines causes no request', async ({ browser }) => {
    const page = await browser.newPage();
    await open(page, linkTo('open.binpb'));
    await page.getByRole('button', { name: 'Do not' }).click();
    await expect(page.getByRole('alert')).toBeHidden();
    expect([...seen, ...asked]).toEqual([]);
    await page.close();
  });

  test('a server that allows no other origin is named, with the header that it lacks', async ({ browser }) => {
    const page = await browser.newPage();
    await open(page, linkTo('closed.binpb'));
    await page.getByRole('button', { name: 'Fetch it' }).click();
    await expect(page.getByRole('alert')).toContainText(`${elsewhere}/closed.binpb could not be fetched`);
    await expect(page.getByRole('alert')).toContainText('Access-Control-Allow-Origin');
    await page.close();
  });
});
