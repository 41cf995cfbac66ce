/**
 * WebKit, the engine of Safari, over WebDriver: WebKitGTK's driver and the small browser that comes with it. Debian's
 * package is webkit2gtk-driver. It needs a display (`xvfb-run`). A driver has one session, whose profile is a private
 * one: each tab has a driver.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Engine, PATIENCE, type Tab } from './tab.ts';

const DRIVER = '/usr/bin/WebKitWebDriver';
/** WebDriver's code points of keys. */
const KEYS = { ArrowDown: '\uE015', Enter: '\uE007', Escape: '\uE00C' };
const CAPABILITIES = { alwaysMatch: {} };

interface WebDriver {
  readonly ask: (method: string, path: string, body?: unknown) => Promise<unknown>;
  readonly process: ChildProcess;
}

/** null: it is not installed, or there is no display. */
export async function startWebKit(): Promise<Engine | null> {
  if (!existsSync(DRIVER) || !process.env['DISPLAY']) return null;
  const tab = await open();
  const title = `WebKit ${tab.version}`;
  await tab.close();
  return { title, open, close: async () => {} };
}

async function startDriver(): Promise<WebDriver> {
  const port = await freePort();
  const driver = spawn(DRIVER, [`--port=${port}`], { stdio: 'ignore' });
  const end = (): boolean => driver.kill();
  process.once('exit', end);
  driver.once('exit', () => process.off('exit', end));
  const ask: WebDriver['ask'] = async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(2 * PATIENCE),
    });
    const { value } = (await response.json()) as { readonly value: unknown };
    if (!response.ok) throw new Error(`${path}: ${(value as { readonly message: string }).message}`);
    return value;
  };
  for (let tries = 0; tries < 100; tries++) {
    await pause(100);
    if (await ask('GET', '/status').catch(() => null)) return { ask, process: driver };
  }
  throw new Error(`${DRIVER} does not answer.`);
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { readonly port: number };
      server.close(() => resolve(port));
    });
  });

async function open(): Promise<Tab & { readonly version: string }> {
  const driver = await startDriver();
  const { sessionId, capabilities } = (await driver.ask('POST', '/session', { capabilities: CAPABILITIES })) as {
    readonly sessionId: string;
    readonly capabilities: { readonly browserVersion: string };
  };
  const ask = (method: string, path: string, body?: unknown) =>
    driver.ask(method, `/session/${sessionId}${path}`, body);
  const run = (script: unknown, args: readonly unknown[]): Promise<unknown> =>
    ask('POST', '/execute/sync', { script: `return (${script}).apply(null, arguments);`, args });
  const wait = async (script: unknown, args: readonly unknown[]): Promise<unknown> => {
    for (const end = Date.now() + PATIENCE; ; await pause(100)) {
      const found = await run(script, args);
      if (found) return found;
      if (Date.now() > end) throw new Error(`Not seen: ${script} ${JSON.stringify(args)}`);
    }
  };
  /** The address of the element that a script gives. */
  const find = async (script: unknown, args: readonly unknown[]): Promise<string> =>
    `/element/${Object.values((await wait(script, args)) as Record<string, string>)[0]}`;

  const heard: string[] = [];
  const hear = async (): Promise<void> => {
    heard.push(...((await run(() => window.heard?.splice(0) ?? [], [])) as string[]));
  };
  const leave = async (path: string, body: unknown): Promise<void> => {
    await hear();
    await ask('POST', path, body);
    await run(listen, []);
  };
  await ask('POST', '/window/rect', { width: 1280, height: 800 });
  return {
    version: capabilities.browserVersion,
    goto: (url) => leave('/url', { url }),
    reload: () => leave('/refresh', {}),
    back: () => leave('/back', {}),
    forward: () => leave('/forward', {}),
    seen: async <T>(look: unknown, ...args: readonly unknown[]) => (await wait(look, args)) as T,
    async click(script, ...args) {
      for (const end = Date.now() + PATIENCE; ; await pause(100)) {
        const element = await find(script, args);
        // It may be replaced meanwhile.
        const refused = await ask('POST', `${element}/click`, {}).then(
          () => null,
          (error: unknown) => error,
        );
        if (refused === null) return;
        if (Date.now() > end) throw refused;
      }
    },
    async choose(paths) {
      const input = await find(() => document.querySelector('input[type=file]'), []);
      await ask('POST', `${input}/value`, { text: paths.join('\n') });
    },
    async clickAt(x, y) {
      const actions = [
        { type: 'pointerMove', x, y },
        ...['pointerDown', 'pointerUp'].map((type) => ({ type, button: 0 })),
      ];
      await ask('POST', '/actions', { actions: [{ type: 'pointer', id: 'mouse', actions }] });
    },
    async press(key) {
      const actions = ['keyDown', 'keyUp'].map((type) => ({ type, value: KEYS[key] }));
      await ask('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
    },
    async complaints() {
      await hear();
      return heard;
    },
    async close() {
      await ask('DELETE', '').catch(() => {});
      driver.process.kill();
    },
  };
}

declare global {
  interface Window {
    heard?: string[];
  }
}

/** Runs in the page, as soon as it has loaded. */
function listen(): void {
  if (window.heard !== undefined) return;
  window.heard = [];
  addEventListener('error', ({ message }) => window.heard!.push(`uncaught: ${message}`));
  addEventListener('unhandledrejection', ({ reason }) => window.heard!.push(`uncaught: ${reason}`));
  addEventListener('securitypolicyviolation', ({ blockedURI }) => window.heard!.push(`policy violated: ${blockedURI}`));
  console.error = (...words) => window.heard!.push(`console: ${words.join(' ')}`);
}
