/**
 * `npm run browsers [-- NAME]`: the main stories in Firefox and in WebKit, where they are installed, against the build
 * in dist/. The last line is `N passed, N failed`. Supported browsers, and their differences: docs/browsers.md.
 */
import { fileURLToPath } from 'node:url';
import { serve } from '../src/server/serve.ts';
import { startFirefox } from './browsers/firefox.ts';
import { STORIES, type Story } from './browsers/stories.ts';
import type { Engine, Tab } from './browsers/tab.ts';
import { startWebKit } from './browsers/webkit.ts';

const dist = fileURLToPath(new URL('../dist', import.meta.url));

/** Runs one story on a server and in a profile of its own → what was wrong. */
async function tell(story: Story, engine: Engine): Promise<readonly string[]> {
  const server = await serve(dist, 0);
  const tabs: Tab[] = [];
  const wrong: string[] = [];
  const hear = async (): Promise<void> => {
    for (const tab of tabs) wrong.push(...(await tab.complaints()));
  };
  let isCutOff = false;
  const open = async (): Promise<Tab> => {
    const tab = await engine.open();
    tabs.push(tab);
    await tab.goto(server.address);
    return tab;
  };
  const cutOff = async (): Promise<void> => {
    await hear();
    isCutOff = true;
    await server.close();
  };
  try {
    const tab = await open();
    await story.tell({ tab, address: server.address, stranger: open, cutOff });
  } catch (error) {
    wrong.push(error instanceof Error ? error.message : String(error));
  } finally {
    if (!isCutOff) await hear();
    for (const tab of tabs) await tab.close();
    if (!isCutOff) await server.close();
  }
  return wrong;
}

const [only = ''] = process.argv.slice(2);
const STARTS = { Firefox: startFirefox, WebKit: startWebKit };
const MISSING = {
  Firefox: 'install it (Debian, Ubuntu: apt-get install firefox-esr), or set FIREFOX_PATH',
  WebKit:
    'install it (Debian, Ubuntu: apt-get install webkit2gtk-driver xvfb xauth), and give it a display: xvfb-run -a',
};
let passed = 0;
let failed = 0;
for (const name of ['Firefox', 'WebKit'] as const) {
  const stories = STORIES.filter((story) => `${name}: ${story.name}`.includes(only));
  if (stories.length === 0) continue;
  const engine = await STARTS[name]();
  console.log(engine?.title ?? `${name} is not run: ${MISSING[name]}`);
  if (engine === null) continue;
  for (const story of stories) {
    const wrong = await tell(story, engine);
    if (wrong.length > 0) failed++;
    else passed++;
    console.log(`${wrong.length === 0 ? 'ok  ' : 'FAIL'}  ${name}: ${story.name}`);
    for (const line of wrong) console.log(`        ${line}`);
  }
  await engine.close();
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
