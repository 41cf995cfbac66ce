/** The build in dist/ → docs/analysis.png, the picture in README.md: a sample with one of its fields selected. */
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { serve } from '../src/server/serve.ts';
import { CHROMIUM_MISSING, findChromium } from './chromium.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const executablePath = findChromium();
if (executablePath === undefined) throw new Error(CHROMIUM_MISSING);

const server = await serve(`${root}dist`, 0);
const browser = await chromium.launch({ executablePath, chromiumSandbox: false, args: ['--disable-gpu'] });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
await page.goto(server.address);
await page.getByRole('button', { name: /bytes of a trace/ }).click();
await page.getByRole('img', { name: /^Icicle of/ }).waitFor();
await page.getByRole('region', { name: /^Field .*double_value$/ }).waitFor();
await page.waitForFunction(() => document.fonts.check('13px "Inter Variable"'));
await page.mouse.move(0, 0);
await page.locator('.hex-byte.is-in').first().waitFor();
await page.screenshot({ path: `${root}docs/analysis.png`, animations: 'disabled' });
await browser.close();
await server.close();
