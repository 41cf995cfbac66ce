/** As an engineer whose services talk TLS I give the key log beside the capture; it stays in this tab. */
import type { Page } from '@playwright/test';
import { expect, test } from './page.ts';
import { bytesOf, chooseFiles, pathOf, readText } from './steps.ts';

const NAME = 'node-tls13-chacha20';
const list = (page: Page) => page.getByRole('listbox', { name: 'Messages' });
const keys = bytesOf(`fixtures/tls/${NAME}.keys`).toString('latin1');
/** The secrets alone: 64 hex digits and more at the ends of lines. */
const secrets = [...keys.matchAll(/ ([0-9a-f]{64,})$/gm)].map(([, secret]) => secret!);

const openInputPanel = (page: Page, name: string) =>
  page.getByRole('banner').getByRole('button', { name, exact: false }).first().click();

test('a capture with TLS names the missing key log, and is read once the key log is pasted', async ({ page }) => {
  await page.goto('.');
  await chooseFiles(page, pathOf(`fixtures/tls/${NAME}.pcap`));
  await expect(page.getByText(/^TLS is read with its keys/)).toBeVisible();
  await page.getByRole('button', { name: /^Findings/ }).click();
  await expect(
    page.getByText(
      '10.0.0.1:40000 ↔ 10.0.0.2:443: TLS 1.3 with TLS_CHACHA20_POLY1305_SHA256, to localhost. There is no key log',
    ),
  ).toBeVisible();

  await readText(page, keys);
  await expect(list(page).getByRole('option')).toHaveCount(6);
  await openInputPanel(page, `${NAME}.pcap`);
  await expect(page.getByText('This tab has the secrets of 1 TLS connection in memory')).toBeVisible();
  await expect(page.getByLabel('Not read')).toHaveCount(0);

  await page.getByRole('button', { name: 'Forget them' }).click();
  await expect(page.getByLabel('Not read').first()).toContainText('TLS, encrypted1 connection');
});

for (const { title, files } of [
  { title: 'a key log dropped beside the capture', files: [`${NAME}.keys`, `${NAME}.pcap`] },
  { title: 'a pcapng that holds its secrets', files: ['editcap-tls13-chacha20.pcapng'] },
]) {
  test(`${title} opens it, and no secret is kept, shared or written anywhere`, async ({ page }) => {
    await page.goto('.');
    await chooseFiles(
      page,
      files.map((file) => pathOf(`fixtures/tls/${file}`)),
    );
    await expect(list(page).getByRole('option')).toHaveCount(6);

    await page.getByRole('button', { name: 'Share' }).click();
    const dialog = page.getByRole('dialog', { name: 'Share this analysis' });
    await dialog.getByRole('radio', { name: /^Everything/ }).check();
    await expect(dialog.getByText('The link has no TLS secrets').first()).toBeVisible();
    await expect(dialog.getByRole('status')).toContainText('characters');
    const link = await dialog.getByRole('textbox', { name: 'Link' }).inputValue();
    await page.keyboard.press('Escape');

    // The browser keeps the input, for a reload.
    await openInputPanel(page, files.at(-1)!);
    await expect(page.getByText('The input is stored in this browser only')).toBeVisible();
    const stored = await page.evaluate(everythingStored);
    expect(stored.length).toBeGreaterThan(5000);
    expect(secrets.length).toBeGreaterThan(3);
    expect(secrets.filter((secret) => holds(stored, secret))).toEqual([]);

    // The link's receiver has the capture, and its encrypted parts stay encrypted.
    await page.goto('about:blank');
    await page.goto(link);
    await expect(page.getByText(/^TLS is read with its keys/)).toBeVisible();
    await expect(list(page).getByRole('option')).toHaveCount(0);
  });
}

/** As text of hex digits, and as the bytes that they stand for. */
const holds = (stored: string, secret: string): boolean =>
  stored.includes(secret) || stored.includes(Buffer.from(secret, 'hex').toString('latin1'));

/** All databases, storages, caches, the address and its state, as characters of one byte. */
async function everythingStored(): Promise<string> {
  const text = (bytes: ArrayBuffer): string => new TextDecoder('latin1').decode(bytes);
  const found: string[] = [location.href, JSON.stringify(history.state), document.cookie];
  for (const storage of [localStorage, sessionStorage]) found.push(JSON.stringify({ ...storage }));
  const walk = async (value: unknown): Promise<void> => {
    if (value instanceof Blob) found.push(text(await value.arrayBuffer()));
    else if (value instanceof ArrayBuffer) found.push(text(value));
    else if (ArrayBuffer.isView(value)) found.push(text(value.buffer as ArrayBuffer));
    else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) await walk(each);
    else found.push(String(value));
  };
  for (const { name } of await indexedDB.databases()) {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open(name!);
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    for (const store of database.objectStoreNames) {
      const all = await new Promise<unknown[]>((resolve, reject) => {
        const asking = database.transaction(store).objectStore(store).getAll();
        asking.onsuccess = () => resolve(asking.result);
        asking.onerror = () => reject(asking.error);
      });
      await walk(all);
    }
    database.close();
  }
  return found.join('\n');
}
