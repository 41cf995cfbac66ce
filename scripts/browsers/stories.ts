/** The main stories for Firefox: a person's steps, and what they must see. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ElementHandle, Page } from 'puppeteer-core';

export interface Stage {
  readonly page: Page;
  /** `http://127.0.0.1:PORT/` */
  readonly address: string;
  /** A page that shares nothing with the first one but the server. */
  readonly stranger: () => Promise<Page>;
  /** From now on nothing answers. */
  readonly cutOff: () => Promise<void>;
}

export interface Story {
  readonly name: string;
  readonly tell: (stage: Stage) => Promise<void>;
}

const pathOf = (file: string): string => fileURLToPath(new URL(`../../${file}`, import.meta.url));
const PAYLOADS = ['public/samples/prometheus-remote-write-1.binpb', 'public/samples/prometheus-remote-write-2.binpb'];
const CAPTURE = 'public/samples/opensearch-search.pcap';

/** Milliseconds that something may take to be seen. */
const PATIENCE = 30_000;

const quoted = (text: string): string => `'${text.replaceAll("'", "\\'")}'`;

function control(page: Page, role: string, name: string): Promise<ElementHandle | null> {
  return page.waitForSelector(`::-p-aria([name=${quoted(name)}][role=${quoted(role)}])`, { timeout: PATIENCE });
}

const press = async (page: Page, role: string, name: string): Promise<void> =>
  (await control(page, role, name))!.click();

/** The first element of a kind whose text matches; any white space counts as one blank. */
async function withText(page: Page, selector: string, pattern: RegExp): Promise<ElementHandle> {
  const found = await page.waitForFunction(
    (where, source, flags) =>
      [...document.querySelectorAll(where)].find((one) =>
        new RegExp(source, flags).test((one.textContent ?? '').replace(/\s+/g, ' ').trim()),
      ),
    { timeout: PATIENCE },
    selector,
    pattern.source,
    pattern.flags,
  );
  const element = found.asElement();
  if (element === null) throw new Error(`Nothing says ${pattern}`);
  return element as ElementHandle;
}

const TABLE = '[role=treegrid][aria-label="Cost by field"]';
const row = (page: Page, pattern: RegExp): Promise<ElementHandle> => withText(page, `${TABLE} [role=row]`, pattern);
const headline = (page: Page, pattern: RegExp): Promise<ElementHandle> => withText(page, 'h1', pattern);

async function choose(page: Page, ...files: readonly string[]): Promise<void> {
  const input = (await page.waitForSelector('input[type=file]')) as ElementHandle<HTMLInputElement>;
  await input.uploadFile(...files.map(pathOf));
}

async function openSample(page: Page): Promise<void> {
  await (await withText(page, 'button', /ten search hits/i)).click();
  await headline(page, /Protobuf 9,191 bytes, native 9,125/);
}

async function paste(page: Page, text: string): Promise<void> {
  const box = (await control(page, 'textbox', 'Bytes or schema as text'))!;
  await box.click();
  await page.evaluate((value) => document.execCommand('insertText', false, value), text);
  await press(page, 'button', 'Read text');
}

/** Changes of the view that follow each other at once are one step of the history. */
const pause = (): Promise<void> => new Promise((done) => setTimeout(done, 800));

export const STORIES: readonly Story[] = [
  {
    name: 'from the home page to the verdict of a sample, and to the bytes of a field',
    async tell({ page }) {
      await openSample(page);
      await (await row(page, /^version/)).click();
      await page.waitForFunction(
        () => document.querySelectorAll('[aria-label="Protobuf bytes"] .hex-byte.is-in').length === 11,
        { timeout: PATIENCE },
      );
    },
  },
  {
    name: 'a capture opens on the fields of its largest type',
    async tell({ page }) {
      await choose(page, CAPTURE);
      await row(page, /hits/);
      await (await withText(page, '[aria-label="Messages"] [role=option]', /./)).click();
      await page.waitForSelector('[aria-label^="Message "]', { timeout: PATIENCE });
    },
  },
  {
    name: 'pasted hex is read as what it is',
    async tell({ page }) {
      await paste(page, '0a 03 66 6f 6f 10 96 01');
      await row(page, /\?1/);
      await row(page, /\?2/);
    },
  },
  {
    name: 'a pasted schema names the fields of a file of mine, and a reload returns to both',
    async tell({ page }) {
      await paste(page, readFileSync(pathOf('schemas/prometheus/remote-write-1.proto'), 'utf8'));
      await control(page, 'button', 'Schema 1 file');
      await choose(page, PAYLOADS[0]!);
      await row(page, /timeseries/);
      await pause();
      await page.reload();
      await row(page, /timeseries/);
    },
  },
  {
    name: 'a copied link opens for a stranger with the same verdict',
    async tell({ page, stranger }) {
      await openSample(page);
      const verdict = await page.$eval('h1', (heading) => heading.textContent);
      // Firefox lets no script read the clipboard: what is written there is heard on its way.
      await page.evaluate(() => {
        navigator.clipboard.writeText = async (text) => {
          document.body.dataset['copied'] = text;
        };
      });
      await (await withText(page, 'button', /^Share/)).click();
      await (await withText(page, '[role=dialog] button, dialog button', /^Copy link/)).click();
      const copied = await page.waitForFunction(() => document.body.dataset['copied'], { timeout: PATIENCE });
      const other = await stranger();
      await other.goto((await copied.jsonValue()) as string);
      await headline(other, new RegExp(verdict!.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/\s+/g, ' ')));
    },
  },
  {
    name: 'Back and Forward walk the fields that were looked at',
    async tell({ page }) {
      await openSample(page);
      await pause();
      await (await row(page, /^seq_no/)).click();
      await pause();
      await (await row(page, /^version/)).click();
      await pause();
      await page.goBack();
      await withText(page, `${TABLE} [role=row][aria-selected=true]`, /seq_no/);
      await page.goForward();
      await withText(page, `${TABLE} [role=row][aria-selected=true]`, /version/);
    },
  },
  {
    name: 'two files are A and B',
    async tell({ page }) {
      await choose(page, ...PAYLOADS);
      await headline(page, /B takes 11,749 bytes, A 71,690/);
    },
  },
  {
    name: 'the page of a message in the explorer, by its address',
    async tell({ page, address }) {
      await openSample(page);
      await page.goto(`${address}#/type/org.opensearch.proto.search.SearchHitsProto`);
      await withText(page, 'main, [role=main]', /SearchHitsProto[\s\S]*hits/);
    },
  },
  {
    name: 'every encoding before and after every compressor',
    async tell({ page }) {
      await openSample(page);
      await (await withText(page, 'button', /^Encodings/)).click();
      await withText(page, '[role=row], tr', /MessagePack by name.*\d/);
      await withText(page, '[role=row], tr', /JSON.*\d/);
    },
  },
  {
    name: 'by keyboard alone: to a field, and out again',
    async tell({ page }) {
      await openSample(page);
      await page.focus(TABLE).catch(async () => (await row(page, /^total_hits|^hits/)).focus());
      for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown'] as const) await page.keyboard.press(key);
      await page.waitForSelector(`${TABLE} [role=row][aria-selected=true]`, { timeout: PATIENCE });
      await page.keyboard.press('Escape');
    },
  },
  {
    name: 'without a network the app opens, and reads a file',
    async tell({ page, cutOff }) {
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null, { timeout: PATIENCE });
      // It keeps the whole build before it says that it is ready.
      await page.evaluate(() => navigator.serviceWorker.ready);
      await cutOff();
      await page.reload();
      await choose(page, PAYLOADS[1]!);
      await withText(page, 'h1', /symbols|bytes/);
    },
  },
];
