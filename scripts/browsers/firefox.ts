/** Firefox, over WebDriver BiDi. FIREFOX_PATH or a Firefox of the system; Debian's package is firefox-esr. */
import { existsSync } from 'node:fs';
import puppeteer, { type ElementHandle } from 'puppeteer-core';
import { type Engine, PATIENCE, type Tab } from './tab.ts';

const PLACES = ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/Applications/Firefox.app/Contents/MacOS/firefox'];
type Script = (...args: unknown[]) => unknown;
const patience = { timeout: PATIENCE };

/** null: it is not installed. */
export async function startFirefox(): Promise<Engine | null> {
  const executablePath = process.env['FIREFOX_PATH'] ?? PLACES.find((path) => existsSync(path));
  if (executablePath === undefined) return null;
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath, headless: true });

  async function open(): Promise<Tab> {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    await page.setViewport({ width: 1280, height: 800 });
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(`uncaught: ${String(error)}`));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(`console: ${message.text()}`);
    });
    return {
      goto: async (address) => void (await page.goto(address)),
      reload: async () => void (await page.reload()),
      back: async () => void (await page.goBack()),
      forward: async () => void (await page.goForward()),
      async seen<Args extends readonly unknown[], T>(look: (...args: Args) => T, ...args: Args) {
        const found = await page.waitForFunction(look as unknown as Script, patience, ...args);
        return (await found.jsonValue()) as T;
      },
      async click(find, ...args) {
        const found = await page.waitForFunction(find as unknown as Script, patience, ...args);
        await (found as ElementHandle<Element>).click();
      },
      async choose(paths) {
        const input = await page.waitForSelector('input[type=file]', patience);
        await (input as ElementHandle<HTMLInputElement>).uploadFile(...paths);
      },
      clickAt: (x, y) => page.mouse.click(x, y),
      press: (key) => page.keyboard.press(key),
      complaints: async () => complaints,
      close: () => context.close(),
    };
  }
  return { title: await browser.version(), open, close: () => browser.close() };
}
