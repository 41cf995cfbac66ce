/**
 * The app without a network: a service worker that keeps the whole build. A page and all its parts come from one build;
 * a newer one waits until no tab shows the older one, or until a person asks for it. It asks for files of the app only,
 * and no input passes through it.
 */
/// <reference lib="webworker" />

/** Files of the build, relative to the scope, and what names the build: written in when it is built. */
declare const BUILT_FILES: readonly string[];
declare const BUILD_NAME: string;

const scope = self as unknown as ServiceWorkerGlobalScope;
const PREFIX = 'wirecost-build ';
const CACHE = PREFIX + BUILD_NAME;
/** Some hosts send `Vary: Origin`; module scripts ask with an origin, and the build was kept without one. */
const ANY_ORIGIN = { ignoreVary: true } as const;
/** Pages, by the last part of their paths. */
const PAGES: Readonly<Record<string, string>> = { '': './', 'index.html': './', 'embed.html': 'embed.html' };

scope.addEventListener('install', (event) => event.waitUntil(keepBuild()));

scope.addEventListener('activate', (event) => event.waitUntil(dropOlderBuilds().then(() => scope.clients.claim())));

scope.addEventListener('message', ({ data }) => {
  if (data === 'use-this-build') void scope.skipWaiting();
});

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(scope.registration.scope)) return;
  event.respondWith(answer(request));
});

/** A file of an older build with the same name is the same file: names hold a hash of the contents. */
async function keepBuild(): Promise<void> {
  const cache = await caches.open(CACHE);
  const fetched = BUILT_FILES.map(async (file) => {
    const known = file.startsWith('assets/') ? await caches.match(file, ANY_ORIGIN) : undefined;
    const response = known ?? (await fetch(file, { cache: file.startsWith('assets/') ? 'default' : 'no-cache' }));
    if (!response.ok) throw new Error(`${file}: ${response.status}`);
    await cache.put(file, response);
  });
  await Promise.all(fetched);
}

/** Other open tabs may still request parts of the build that they began with. */
async function dropOlderBuilds(): Promise<void> {
  const pages = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (pages.length > 1) return;
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)),
  );
}

async function answer(request: Request): Promise<Response> {
  const path = new URL(request.url).pathname.slice(new URL(scope.registration.scope).pathname.length);
  const cache = await caches.open(CACHE);
  const page = request.mode === 'navigate' ? PAGES[path] : undefined;
  const kept = await cache.match(page ?? request, { ...ANY_ORIGIN, ignoreSearch: page !== undefined });
  return kept ?? (await caches.match(request, ANY_ORIGIN)) ?? fetch(request);
}
