/** Fetches from the address in a link; remembers in this browser the hosts that the user allowed. */

import { isOnThisMachine } from '#state/kept/own-machine.ts';
import { isReadableBy, type Outside } from '#state/opening/remote-sources.ts';
import { APP_NOTES } from '#wording/app-notes.ts';

const KEY = 'wirecost.sources';
/** Bytes, 256 MiB. */
const MOST = 256 << 20;

export const outside: Outside = {
  originOf: (address) => new URL(address, document.baseURI).origin,

  isReadable: (origin) => origin === location.origin || isReadableBy(policySources(), origin),

  isAllowed: (origin, address) => isOpenedHere(address) || remembered().includes(origin),

  allow(origin) {
    try {
      localStorage.setItem(KEY, [...new Set([...remembered(), origin])].join('\n'));
    } catch {
      // Asked again next time.
    }
  },

  async fetch(address, signal) {
    const response = await fetch(new URL(address, document.baseURI), {
      signal,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    });
    if (!response.ok) throw new Error(`it answers ${response.status} ${response.statusText}`);
    if (Number(response.headers.get('Content-Length')) > MOST) throw new Error(APP_NOTES.tooLarge);
    return bodyOf(response);
  },
};

/** A compressed body, and one that is sent in chunks, has no length before it ends. */
async function bodyOf({ body }: Response): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const reader = body?.getReader();
  let left = MOST;
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    parts.push(part.value);
    left -= part.value.length;
    if (left >= 0) continue;
    await reader?.cancel();
    throw new Error(APP_NOTES.tooLarge);
  }
  return new Blob(parts);
}

/** The origins that the page's own policy lets it connect to; null: it has no policy, as in development. */
function policySources(): readonly string[] | null {
  const policy = document.querySelector<HTMLMetaElement>('meta[http-equiv="Content-Security-Policy"]')?.content;
  if (policy === undefined) return null;
  const [, sources = ''] = /(?:^|;)\s*connect-src ([^;]*)/.exec(policy) ?? [];
  return sources.split(/\s+/);
}

/** Whether it is a file that the user gave to "wirecost open", whose server has it beside the app. */
function isOpenedHere(address: string): boolean {
  const [file, opened] = [address, 'opened/'].map((path) => new URL(path, document.baseURI).href);
  return isOnThisMachine() && file!.startsWith(opened!);
}

/** The browser may deny storage; then every link asks. */
function remembered(): readonly string[] {
  try {
    return (localStorage.getItem(KEY) ?? '').split('\n').filter((origin) => origin !== '');
  } catch {
    return [];
  }
}
