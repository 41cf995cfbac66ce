/** What a user does and looks at in more than one story. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Locator, type Page } from '@playwright/test';

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

/** Puts text into the box that takes bytes and schemas, and has it read. */
export async function readText(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Bytes or schema as text' }).fill(text);
  await page.getByRole('button', { name: 'Read text' }).click();
}

export const chooseFiles = (page: Page, files: Parameters<Locator['setInputFiles']>[0]): Promise<void> =>
  page.locator('input[type=file]').setInputFiles(files);

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

/** Drops a file or folder onto the page, as a file manager does: the browser asks it for its files. */
export async function dropOnto(page: Page, path: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  // Twice over: the page has to have said that it takes it.
  for (const type of ['dragEnter', 'dragOver', 'dragOver', 'drop'] as const) {
    await devtools.send('Input.dispatchDragEvent', { type, x: 240, y: 300, data });
  }
}
