/**
 * `npm run firefox [-- NAME]`: the main stories in Firefox against the build in dist/, over WebDriver BiDi. The last line is
 * `N passed, N failed`. FIREFOX_PATH or a Firefox of the system; Debian's package is firefox-esr. Differences from
 * Chromium: docs/browsers.md.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { serve } from '../src/server/serve.ts';
import { STORIES, type Story } from './firefox/stories.ts';

const dist = fileURLToPath(new URL('../dist', import.meta.url));
const PLACES = ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/Applications/Firefox.app/Contents/MacOS/firefox'];

const executablePath = process.env['FIREFOX_PATH'] ?? PLACES.find((path) => existsSync(path));
if (executablePath === undefined) {
  console.error('No Firefox found. Install it (Debian, Ubuntu: apt-get install firefox-esr), or set FIREFOX_PATH.');
  process.exit(1);
}

/** Runs one story on a server and in a profile of its own → what was wrong. */
async function tell(story: Story, browser: Browser): Promise<readonly string[]> {
  const server = await serve(dist, 0);
  let isCutOff = false;
  const wrong: string[] = [];
  const open = async (): Promise<Page> => {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    await page.setViewport({ width: 1280, height: 800 });
    page.on('pageerror', (error) => wrong.push(`uncaught: ${String(error)}`));
    page.on('console', (message) => {
      if (message.type() === 'error' && !isCutOff) wrong.push(`console: ${message.text()}`);
    });
    await page.goto(server.address);
    return page;
  };
  const cutOff = async (): Promise<void> => {
    isCutOff = true;
    await server.close();
  };
  try {
    const page = await open();
    await story.tell({ page, address: server.address, stranger: open, cutOff });
  } catch (error) {
    wrong.push(error instanceof Error ? error.message : String(error));
  } finally {
    if (!isCutOff) await server.close();
  }
  return wrong;
}

const [only = ''] = process.argv.slice(2);
const browser = await puppeteer.launch({ browser: 'firefox', executablePath, headless: true });
console.log(await browser.version());
let failed = 0;
const stories = STORIES.filter(({ name }) => name.includes(only));
for (const story of stories) {
  const wrong = await tell(story, browser);
  if (wrong.length > 0) failed++;
  console.log(`${wrong.length === 0 ? 'ok  ' : 'FAIL'}  ${story.name}`);
  for (const line of wrong) console.log(`        ${line}`);
}
await browser.close();
console.log(`${stories.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
