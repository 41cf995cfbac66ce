/** This machine → the path of a Chromium the end-to-end tests can drive, or what to do about its absence. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Chromium without its windows comes first: a page takes a quarter less work in it. */
const NAMES = [
  'chromium-headless-shell',
  ...['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'],
];
const FOLDERS = ['/usr/bin', '/snap/bin', '/opt/google/chrome'];
const FILES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

export const CHROMIUM_MISSING = `No Chromium found for the end-to-end tests. Either
  - install it with the system's package manager (Debian, Ubuntu as root: apt-get install
    chromium-headless-shell, or chromium), or
  - install Google Chrome, or
  - set CHROMIUM_PATH to a Chromium or Chrome executable.`;

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** CHROMIUM_PATH wins, even when it names nothing: a wrong setting should be seen. @returns {string | undefined} */
export function findChromium() {
  const { CHROMIUM_PATH: chosen, PATH: path = '' } = process.env;
  if (chosen) return isExecutable(chosen) ? chosen : undefined;
  const folders = [...path.split(delimiter).filter(Boolean), ...FOLDERS];
  return [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), ...FILES].find(isExecutable);
}
