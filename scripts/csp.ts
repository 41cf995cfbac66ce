/**
 * The content security policy, in one place: response headers of the servers, and the <meta> of the built page for hosts
 * that send no headers. A worker loaded from an address obeys its own response's policy; one made from a blob inherits
 * the page's, hence `worker-src blob:` and inline workers. Together they keep an opened capture from leaving.
 */
const POLICY: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self' 'wasm-unsafe-eval'",
  'worker-src': "'self' blob:",
  // Monaco writes style elements.
  'style-src': "'self' 'unsafe-inline'",
  'font-src': "'self' data:",
  'img-src': "'self' data: blob:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'object-src': "'none'",
};

const print = (policy: Readonly<Record<string, string>>): string =>
  Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');

/** For <meta http-equiv>, which may not name frame-ancestors. */
export const META_POLICY = print(POLICY);

/** Of the embedded figure: it draws what its link carries, and has nothing to ask of anybody. */
export const EMBED_POLICY = print({
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self' 'unsafe-inline'",
  'base-uri': "'none'",
  'form-action': "'none'",
});

export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': print({ ...POLICY, 'frame-ancestors': "'none'" }),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

/** The embedded figure may be framed by any page, the app by none. */
const EMBED_HEADERS: Readonly<Record<string, string>> = {
  ...SECURITY_HEADERS,
  'Content-Security-Policy': EMBED_POLICY,
};

/** @param path of a request, from the app's folder: `embed.html` */
export const headersFor = (path: string): Readonly<Record<string, string>> =>
  path === 'embed.html' ? EMBED_HEADERS : SECURITY_HEADERS;

/** Vite's dev server adds inline scripts and talks to its page through a socket. */
export const DEV_HEADERS: Readonly<Record<string, string>> = {
  ...SECURITY_HEADERS,
  'Content-Security-Policy': print({
    ...POLICY,
    'script-src': `${POLICY['script-src']} 'unsafe-inline'`,
    'connect-src': "'self' ws:",
    'frame-ancestors': "'none'",
  }),
};
