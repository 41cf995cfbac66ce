/** As someone whose browser denies the page something, I can continue, or read what fails. */
import { expect, test } from './page.ts';
import { fieldTable, litBytes, openSample, pasteSchema, verdictOf } from './steps.ts';

test('a worker that does not start: every attempt reports it, and none waits without end', async ({ page }) => {
  await page.addInitScript(() => {
    // As a blocked worker does: no exception, an event without a message.
    class Blocked extends EventTarget {
      onmessage: unknown = null;
      postMessage() {}
      terminate() {}
      constructor() {
        super();
        setTimeout(() => this.dispatchEvent(new Event('error')), 0);
      }
    }
    Object.assign(window, { Worker: Blocked });
  });
  await page.goto('.');
  for (const _ of ['once', 'once more']) {
    await page.getByRole('button', { name: /ten search hits/ }).click();
    const alert = page.getByRole('alert');
    await expect(alert).toContainText('The worker that reads messages could not be started');
    await expect(page.getByRole('banner').getByRole('status')).toHaveCount(0);
    await alert.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByRole('button', { name: 'Wirecost' }).click();
  }
});

test('a browser without storage still opens schemas and analyses', async ({ page }) => {
  await page.addInitScript(() => {
    const refuse = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
    Object.defineProperty(window, 'localStorage', { get: refuse });
    IDBFactory.prototype.open = refuse;
  });
  await page.goto('.');
  await pasteSchema(page, 'schemas/prometheus/remote-write-1.proto');
  // It is fetched when a schema is loaded. Leaving the page earlier would abort the request.
  await expect(page.locator('.monaco-editor .view-line').first()).toBeVisible();
  await expect(page.getByText('This browser keeps no schema files for this page')).toBeVisible();
  await page.getByRole('button', { name: /^Theme/ }).click();
  await openSample(page, /ten search hits/);
});

test('without the clipboard API, as over plain http, a link is copied by selecting it', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined, configurable: true });
  });
  await openSample(page, /ten search hits/);
  await page.getByRole('button', { name: /^Share/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Share this analysis' });
  const copy = dialog.getByRole('button', { name: 'Copy link' });
  await copy.click();
  await expect(dialog.getByRole('status')).toContainText('Copied.');
  await expect(copy).toBeFocused();
  const name = dialog.getByRole('textbox', { name: 'Called' });
  await name.fill('');
  await name.press('Control+V');
  await expect(name).toHaveValue(/#w\d+-/);

  await page.evaluate(() => {
    document.execCommand = () => false;
  });
  await copy.click();
  await expect(dialog.getByRole('status')).toContainText('does not let this page copy');
});

test('if the worker stops, a new worker reads the open input again', async ({ page }) => {
  await openSample(page, /ten search hits/);
  const verdict = await verdictOf(page);
  for (const worker of page.workers()) await worker.evaluate(() => self.close());
  await expect(page.getByRole('alert')).toContainText('The worker ended and was started again');
  await expect(page.getByRole('heading', { level: 1 }).first()).toHaveText(verdict);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await fieldTable(page)
    .getByRole('row', { name: /^version/ })
    .click();
  await expect.poll(() => litBytes(page, 'Protobuf')).toHaveLength(11);
});
