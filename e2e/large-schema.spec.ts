/** As someone with thousands of .proto files I drop them all, watch them being read, and search in them at once. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './page.ts';
import { dropOnto } from './steps.ts';

const PACKAGES = 100;
const FILES_EACH = 30;
const MESSAGES_EACH = 8;
let folder: string;

test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wirecost-many-'));
  for (let p = 0; p < PACKAGES; p++) {
    mkdirSync(join(folder, 'many', `p${p}`), { recursive: true });
    for (let f = 0; f < FILES_EACH; f++) {
      const before = f === 0 ? '' : `import "p${p}/f${f - 1}.proto";\n`;
      const messages = Array.from({ length: MESSAGES_EACH }, (_, m) => {
        const uses = f === 0 ? '' : `  repeated Thing${f - 1}x${m} before = 3;\n`;
        return `// Thing ${m}.\nmessage Thing${f}x${m} {\n  string name_${m} = 1;\n  int64 size = 2;\n${uses}}\n`;
      });
      const text = `syntax = "proto3";\npackage many.p${p};\n${before}${messages.join('')}`;
      writeFileSync(join(folder, 'many', `p${p}`, `f${f}.proto`), text);
    }
  }
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('three thousand files are read with progress and searched at once', async ({ page }) => {
  test.setTimeout(180_000);
  await page.goto('#/schema');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await watchTasks(page);
  const started = Date.now();
  await dropOnto(page, [join(folder, 'many')]);
  const types = (PACKAGES * FILES_EACH * MESSAGES_EACH).toLocaleString('en-US');
  await expect(page.getByText(`${types} message types`)).toBeVisible({ timeout: 150_000 });
  const read = Date.now() - started;

  await page.getByRole('combobox', { name: 'Search the schema' }).fill('p77 thing29x3');
  const asked = Date.now();
  await expect(page.getByRole('option').first()).toContainText('Thing29x3');
  const searched = Date.now() - asked;
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Thing29x3');

  await report(page, `${PACKAGES * FILES_EACH} files in ${(read / 1000).toFixed(1)} s, first search ${searched} ms`);
});

test('a descriptor set of 22 MB finds types at once and fields once they are listed', async ({ page }) => {
  test.setTimeout(180_000);
  const path = join(folder, 'large.binpb');
  writeFileSync(path, largeSet());
  await page.goto('#/schema');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await watchTasks(page);
  const started = Date.now();
  await page.getByLabel('Schema files to add', { exact: true }).setInputFiles(path);
  await expect(page.getByText(`${(SET_FILES * SET_MESSAGES).toLocaleString('en-US')} message types`)).toBeVisible({
    timeout: 150_000,
  });
  const read = Date.now() - started;

  const search = page.getByRole('combobox', { name: 'Search the schema' });
  const first = page.getByRole('option').first();
  await search.fill('f1249.message39');
  const asked = Date.now();
  await expect(first).toContainText('Message39');
  const searched = Date.now() - asked;
  // Enter is remembered until a name is found.
  await search.fill('f1249 message39 field_7');
  await search.press('Enter');
  await expect(page.getByRole('table', { name: 'Fields of Message39' }).locator('.is-focused')).toContainText(
    'field_7',
    { timeout: 60_000 },
  );
  const members = Date.now() - asked;
  await expect(page.getByRole('status').filter({ hasText: 'listed' })).toHaveCount(0, { timeout: 60_000 });

  await report(page, `22 MB in ${(read / 1000).toFixed(1)} s, a type ${searched} ms, a field ${members} ms`);
});

const SET_FILES = 1250;
const SET_MESSAGES = 40;

/** google.protobuf.FileDescriptorSet of files that use each other's types, with packages, fields and names of usual sizes. */
function largeSet(): Buffer {
  const part = (number: number, content: Buffer | string): Buffer => {
    const bytes = Buffer.from(content);
    const length: number[] = [];
    for (let left = bytes.length; length.length === 0 || left > 0; left >>>= 7) {
      length.push((left & 0x7f) | (left > 0x7f ? 0x80 : 0));
    }
    return Buffer.concat([Buffer.of((number << 3) | 2, ...length), bytes]);
  };
  const field = (name: string, number: number, file: number): Buffer => {
    // LABEL_OPTIONAL; every third of TYPE_MESSAGE, the others of TYPE_STRING.
    const type = number % 3 === 0 ? [part(6, `.large.f${file}.Message${number}`)] : [];
    const fixed = Buffer.of(0x18, number, 0x20, 1, 0x28, type.length > 0 ? 11 : 9);
    return Buffer.concat([part(1, name), fixed, ...type]);
  };
  const files = Array.from({ length: SET_FILES }, (_, file) => {
    const messages = Array.from({ length: SET_MESSAGES }, (__, index) => {
      const fields = Array.from({ length: 18 }, (___, at) => part(2, field(`field_${at}`, at + 1, file)));
      return part(4, Buffer.concat([part(1, `Message${index}`), ...fields]));
    });
    const head = [part(1, `large/f${file}.proto`), part(2, `large.f${file}`)];
    return part(1, Buffer.concat([...head, ...messages, part(12, 'proto3')]));
  });
  return Buffer.concat(files);
}

const watchTasks = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const watched = { longest: 0 };
    Object.assign(window, { watched });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) watched.longest = Math.max(watched.longest, duration);
    }).observe({ type: 'longtask' });
  });

/** A figure, and no limit: how long a task takes is the machine's affair too. */
async function report(page: Page, measured: string): Promise<void> {
  const longest = await page.evaluate(() => (window as unknown as { watched: { longest: number } }).watched.longest);
  const text = `${measured}, ${longest === 0 ? 'no task above 50 ms' : `longest task ${longest.toFixed(0)} ms`}`;
  console.log(text);
  test.info().annotations.push({ type: 'measured', description: text });
}
