/** Steps and views of a user that more than one story has. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Locator, type Page, type Worker } from '@playwright/test';

const root = new URL('../', import.meta.url);

/** A file of the repository, such as `schemas/prometheus/remote-write-1.proto`. */
export const pathOf = (file: string): string => fileURLToPath(new URL(file, root));
export const bytesOf = (file: string): Buffer => readFileSync(pathOf(file));

export const fieldTable = (page: Page): Locator => page.getByRole('treegrid', { name: 'Cost by field' });

export async function openSample(page: Page, title: RegExp): Promise<void> {
  await page.goto('.');
  await page.getByRole('button', { name: title }).click();
  await expect(fieldTable(page)).toBeVisible();
}

/** The headline, once nothing is under way: it changes while a capture is added up. */
export async function verdictOf(page: Page): Promise<string> {
  await expect(page.getByRole('status', { name: 'Verdict' })).not.toBeEmpty();
  return (await page.getByRole('heading', { level: 1 }).first().textContent())!;
}

/** Puts text into the box that takes bytes and schemas, and has it read. */
export async function readText(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Bytes or schema as text' }).fill(text);
  await page.getByRole('button', { name: 'Read text' }).click();
}

export const chooseFiles = (page: Page, files: Parameters<Locator['setInputFiles']>[0]): Promise<void> =>
  page.getByLabel('Files to open').setInputFiles(files);

/** Reads a .proto file as pasted text on the home page, and waits until it is loaded. */
export async function pasteSchema(page: Page, file: string): Promise<void> {
  await readText(page, bytesOf(file).toString('utf8'));
  await expect(page.getByRole('button', { name: 'Schema 1 file' })).toBeVisible();
}

/** The selected bytes of a hex view, by offset: `{ '13': '10', … }`. */
export const litBytes = (page: Page, side: 'Protobuf' | 'Native'): Promise<readonly (readonly [number, string])[]> =>
  page
    .getByRole('region', { name: `${side} bytes` })
    .locator('.hex-byte.is-in')
    .evaluateAll((cells) => cells.map((cell) => [Number((cell as HTMLElement).dataset['offset']), cell.textContent]));

/**
 * Drops files or folders onto the page, as a file manager does: the browser asks it for its files.
 * @param says what the page says of them before they are dropped
 */
export async function dropOnto(page: Page, paths: readonly string[], says: RegExp = /^Drop to open:/): Promise<void> {
  await expect(page.getByRole('banner')).toBeVisible();
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files: [...paths], dragOperationsMask: 1 };
  const drag = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    devtools.send('Input.dispatchDragEvent', { type, x: 240, y: 300, data });
  await page.evaluate(() => {
    const seen = window as unknown as { isDropped: boolean };
    seen.isDropped = false;
    addEventListener('drop', () => (seen.isDropped = true), { once: true, capture: true });
  });
  const isDropped = () => page.evaluate(() => (window as unknown as { readonly isDropped: boolean }).isDropped);
  // A held file is over the page again and again. Once is not enough: where what lies under it was replaced since,
  // the browser says "enter" of the new element instead of "over", and no drop follows.
  await expect(async () => {
    await drag('dragEnter');
    await expect(async () => {
      await drag('dragOver');
      await expect(page.getByText(says)).toBeVisible({ timeout: 250 });
    }).toPass();
    // Once more: now the page has said that it takes it.
    await drag('dragOver');
    await drag('drop');
    await expect.poll(isDropped, { timeout: 3000 }).toBe(true);
  }).toPass();
}

/** The app's worker, which the browser announces before or after others. */
export async function workerOf(page: Page): Promise<Worker> {
  let found: Worker | undefined;
  await expect(async () => {
    const workers = page.workers();
    // One that has ended since cannot be asked.
    const names = await Promise.all(workers.map((worker) => worker.evaluate(() => self.name).catch(() => '')));
    found = workers[names.findIndex((name) => name.startsWith('wirecost'))];
    expect(found).toBeDefined();
  }).toPass();
  return found!;
}

/** Points at something in the editor until it says `text` of it: what is pointed at while it settles is forgotten. */
export async function pointAt(page: Page, target: Locator, text: string): Promise<Locator> {
  const hover = page.locator('.monaco-hover:visible');
  await expect(async () => {
    await page.mouse.move(10, 10);
    await target.hover();
    await expect(hover).toContainText(text, { timeout: 3000 });
  }).toPass();
  return hover;
}

/** Whether keys go to the editor. */
export const isEditing = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.activeElement?.closest('.monaco-editor') != null);

/**
 * Presses a button as soon as it is there and `when` holds, in the page itself: the job may end before a test could
 * see the button. Runs in the page.
 */
export const pressWhen = (page: Page, button: string, when: string): Promise<void> =>
  page.evaluate(
    ([name, condition]) => {
      const press = (): void => {
        const found = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === name);
        if (found === undefined || document.querySelector(condition) === null) return;
        observer.disconnect();
        // As a finger or a key does.
        found.focus();
        found.click();
      };
      const observer = new MutationObserver(press);
      observer.observe(document.body, { subtree: true, childList: true });
    },
    [button, when] as const,
  );

export const shareDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Share this analysis' });

/** The link of one of the dialog's choices, of the one that it proposes if none is named. The dialog is closed again. */
export async function linkAs(page: Page, what?: RegExp): Promise<string> {
  await page.getByRole('button', { name: 'Share' }).click();
  if (what !== undefined) await shareDialog(page).getByRole('radio', { name: what }).check();
  await expect(shareDialog(page).getByRole('status')).toContainText('characters');
  const link = await shareDialog(page).getByRole('textbox', { name: 'Link' }).inputValue();
  await page.keyboard.press('Escape');
  return link;
}

/** The layout shift from now on, of inputs of a person too: the sum of the scores of all shifts. */
export async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const seen = window as unknown as { shifted: number };
    seen.shifted = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) seen.shifted += entry.value;
    }).observe({ type: 'layout-shift' });
  });
  return () => page.evaluate(() => (window as unknown as { shifted: number }).shifted);
}

/**
 * The longest task of the page during the steps, in milliseconds of CPU time: other processes of a busy machine do not
 * count.
 */
export async function longestTask(page: Page, steps: () => Promise<void>): Promise<number> {
  const browser = page.context().browser()!;
  await browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] });
  await steps();
  await page.evaluate(() => performance.mark('steps ended'));
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString('utf8')) as {
    readonly traceEvents: readonly {
      readonly name: string;
      readonly pid: number;
      readonly tid: number;
      tdur?: number;
    }[];
  };
  const { pid, tid } = traceEvents.find(({ name }) => name === 'steps ended')!;
  const tasks = traceEvents.filter((event) => event.pid === pid && event.tid === tid && /RunTask$/.test(event.name));
  expect(tasks.length).toBeGreaterThan(0);
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
}
