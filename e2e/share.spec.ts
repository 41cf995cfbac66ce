/** As someone who found something out I can show it to others: as a link or a file, without giving away more than I choose. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { findings } from './findings.ts';
import { expect, test } from './page.ts';
import { chooseFiles, fieldTable, openSample, pathOf } from './steps.ts';

// Every row of the table fits: what is not drawn cannot be compared.
const viewport = { width: 1280, height: 1600 };
test.use({ viewport });

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Share this analysis' });

async function shareAs(page: Page, what: RegExp): Promise<string> {
  await page.getByRole('button', { name: 'Share' }).click();
  await dialog(page).getByRole('radio', { name: what }).check();
  await expect(dialog(page).getByRole('status')).toContainText('characters');
  const scale = dialog(page).locator('.length-scale');
  expect(await scale.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  const link = await dialog(page).getByRole('textbox', { name: 'Link' }).inputValue();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  return link;
}

/** The verdict, and the table row by row, as they are read, once nothing is under way. */
async function figures(page: Page): Promise<readonly string[]> {
  await expect(fieldTable(page).getByRole('row').nth(3)).toBeVisible();
  await expect(page.getByRole('banner').getByRole('status')).toHaveCount(0);
  return [
    ...(await page.getByRole('heading', { level: 1 }).allInnerTexts()),
    ...(await fieldTable(page).getByRole('row').allInnerTexts()),
  ];
}

test.describe('a shared link opens in a fresh browser', () => {
  for (const [what, carries] of [
    ['The name of the sample', true],
    ['The figures alone', false],
    ['The shape of the messages', true],
    ['Everything', true],
  ] as const) {
    test(what, async ({ page, browser, complaints }) => {
      await openSample(page, /ten search hits/);
      await fieldTable(page)
        .getByRole('row', { name: /^seq_no/ })
        .click();
      await expect(fieldTable(page).getByRole('row', { selected: true })).toHaveText(/seq_no/);
      const before = await figures(page);
      const isShape = what === 'The shape of the messages';
      // A panel that the receiver cannot have: filler would give other sizes.
      if (isShape) await page.getByRole('button', { name: 'Encodings' }).click();
      const link = await shareAs(page, new RegExp(`^${what}`));

      const fresh = await browser.newContext({ viewport });
      const other = await fresh.newPage();
      const asked: string[] = [];
      other.on('request', (request) => asked.push(request.url()));
      other.on('pageerror', (error) => complaints.push(String(error)));
      await other.goto(link);
      await expect.poll(() => figures(other)).toEqual(before);
      await expect(fieldTable(other).getByRole('row', { selected: true })).toHaveText(/seq_no/);
      const fragment = link.slice(link.indexOf('#') + 1);
      expect(fragment).toMatch(/^w\d+-/);
      expect(asked.filter((url) => url.includes(fragment.slice(0, 40)))).toEqual([]);
      await expect(other.getByRole('region', { name: 'Native bytes' })).toHaveCount(carries ? 1 : 0);
      if (!carries) await expect(other.getByText('there are no bytes').first()).toBeVisible();
      // Filler compresses otherwise than what it stands for.
      await expect(other.getByRole('complementary', { name: 'Encodings' })).toHaveCount(0);
      await expect(other.getByRole('combobox', { name: 'After compression' })).toHaveCount(isShape || !carries ? 0 : 1);
      await expect(other.getByRole('button', { name: 'Encodings', disabled: isShape })).toHaveCount(isShape ? 0 : 1);
      const saved = other.getByRole('region', { name: 'Saved if removed' });
      await expect(saved).toHaveCount(isShape || !carries ? 0 : 1);
      if (isShape) await expect(other.getByText('Filler is neither compressed')).toBeVisible();
      await fresh.close();
    });
  }
});

test('a link carries only the files of descriptor sets that the messages need', async ({ page, browser }) => {
  const sets = ['opensearch-api', 'vitess-queryservice'].map((name) => `fixtures/schema/sets/${name}.binpb`);
  await page.goto('.');
  await chooseFiles(page, ['fixtures/capture/vitess-gzip.pcapng', ...sets].map(pathOf));
  const before = await figures(page);
  await page.getByRole('button', { name: 'Share' }).click();
  const everything = dialog(page).getByRole('radio', { name: /^Everything/ });
  await everything.check();
  const part = /the part of the schema that the messages need, 1 file of 24,797.bytes/;
  await expect(everything).toHaveAccessibleName(part);
  await expect(dialog(page).getByRole('radio', { name: /^Address/ })).toHaveAccessibleName(part);
  const link = await dialog(page).getByRole('textbox', { name: 'Link' }).inputValue();
  const fresh = await browser.newContext({ viewport });
  const other = await fresh.newPage();
  await other.goto(link);
  await expect.poll(() => figures(other)).toEqual(before);
  await fresh.close();
});

test('in a low window the sentence about the link is not behind the buttons', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 700 });
  await openSample(page, /ten search hits/);
  await page.getByRole('button', { name: 'Share' }).click();
  const status = dialog(page).getByRole('status');
  await expect(status).toContainText('host the app.');
  const isShown = await status.evaluate((sentence) => {
    const { left, bottom } = sentence.getBoundingClientRect();
    return sentence.contains(document.elementFromPoint(left + 5, bottom - 5));
  });
  expect(isShown).toBe(true);
});

test('a shared link with figures holds no text of the payload', async ({ page }) => {
  await openSample(page, /ten search hits/);
  await page.getByRole('button', { name: 'Share' }).click();
  const download = page.waitForEvent('download');
  await dialog(page)
    .getByRole('radio', { name: /^The figures alone/ })
    .check();
  await expect(dialog(page).getByRole('status')).toContainText('characters');
  await dialog(page).getByRole('button', { name: 'Save as file' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('opensearch-search-hits.binpb.wirecost.json');
  const path = await file.path();
  // A press in it leaves it open, one beside it closes it.
  await dialog(page).getByRole('heading', { name: 'Share this analysis' }).click();
  await expect(dialog(page)).toBeVisible();
  await page.mouse.click(5, 5);
  await expect(dialog(page)).toBeHidden();
  const before = await figures(page);

  await page.goto('about:blank');
  await page.goto('.');
  await chooseFiles(page, {
    name: file.suggestedFilename(),
    mimeType: 'application/json',
    buffer: await readFile(path),
  });
  await expect.poll(() => figures(page)).toEqual(before);
  await expect(page.getByRole('note')).toContainText('From a file');
});

test('a link with figures holds bytes only if the user chooses them, and only the named ones', async ({
  page,
  browser,
  complaints,
}) => {
  await openSample(page, /ten search hits/);
  await fieldTable(page)
    .getByRole('row', { name: /^version/ })
    .click();
  await page.getByRole('button', { name: 'Share' }).click();
  await dialog(page)
    .getByRole('radio', { name: /^The figures alone/ })
    .check();
  const bytes = dialog(page).getByRole('checkbox', {
    name: /With the bytes in the hex view.*message 0 as they are, around hits\.version/,
  });
  await expect(bytes).not.toBeChecked();
  const link = dialog(page).getByRole('textbox', { name: 'Link' });
  await expect(dialog(page).getByRole('status')).toContainText('characters');
  const without = await link.inputValue();
  await bytes.check();
  await expect(link).not.toHaveValue(without);
  const fresh = await browser.newContext({ viewport });
  const other = await fresh.newPage();
  other.on('pageerror', (error) => complaints.push(String(error)));
  await other.goto(await link.inputValue());
  const came = other.getByRole('region', { name: 'Shared bytes' });
  await expect(came.getByRole('img', { name: 'Bytes in both encodings' })).toBeVisible();
  await expect(came.getByRole('heading')).toHaveText(/hits\.version in message 0: 11.bytes as protobuf, 8 as native/);
  await expect(other.getByRole('note')).toContainText('shared with bytes of one message');
  await fresh.close();
});

test('a cut link says how much is missing', async ({ page }) => {
  await openSample(page, /ten search hits/);
  const link = await shareAs(page, /^The figures alone/);
  await page.goto('about:blank');
  await page.goto(link.slice(0, -100));
  await expect(page.getByRole('alert')).toContainText('100 are missing');
  // As if a user pastes another link into the same address bar.
  await page.evaluate(
    (hash) => {
      location.hash = hash;
    },
    new URL(link.replace(/w$/, 'x')).hash,
  );
  await expect(page.getByRole('alert')).toContainText('checksum');
});

test.describe('the share dialog works by keyboard, narrow and wide, light and dark', () => {
  for (const width of [1280, 480]) {
    test(`${width} pixels`, async ({ page, context }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.setViewportSize({ width, height: 900 });
      await openSample(page, /ten search hits/);
      await page.keyboard.press('l');
      await expect(dialog(page)).toBeVisible();
      const isUsable = async () => {
        expect(await findings(page, 'dialog')).toEqual([]);
        expect(await dialog(page).evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
      };
      const tabTo = async (what: Locator) => {
        for (let pressed = 0; pressed < 20; pressed++) {
          if (await what.evaluate((element) => element === document.activeElement)) return;
          await page.keyboard.press('Tab');
        }
        throw new Error('It was not reached by Tab.');
      };
      await tabTo(dialog(page).getByRole('radio', { name: /^The name of the sample/ }));
      await page.keyboard.press('ArrowDown');
      await expect(dialog(page).getByRole('radio', { name: /^The figures alone/ })).toBeChecked();
      await tabTo(dialog(page).getByRole('checkbox', { name: /^With the bytes/ }));
      await page.keyboard.press('Space');
      await expect(dialog(page).getByRole('status')).toContainText('characters');
      await isUsable();
      await tabTo(dialog(page).getByRole('button', { name: 'Copy link' }));
      await page.keyboard.press('Enter');
      await expect(dialog(page).getByRole('status')).toContainText('Copied.');
      expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/#w\d+-\d+-/);

      await tabTo(dialog(page).getByRole('button', { name: 'Figures' }));
      await page.keyboard.press('Enter');
      const choice = dialog(page).getByRole('combobox', { name: 'Figure' });
      await tabTo(choice);
      for (const title of ['Bytes by field', 'Hex view']) {
        // By arrows: letters typed within a second are one word to it.
        await choice.press('Home');
        const titles = await choice.locator('option').allTextContents();
        for (let index = titles.indexOf(title); index > 0; index--) await choice.press('ArrowDown');
        await expect(choice.locator('option:checked')).toHaveText(title);
        await isUsable();
      }
      const html = dialog(page).getByRole('button', { name: 'HTML frame' });
      await tabTo(html);
      await page.keyboard.press('Enter');
      await expect(dialog(page).getByRole('status')).toContainText('HTML frame copied.');
      await page.keyboard.press('Escape');
      await expect(dialog(page)).toBeHidden();
    });
  }
});
