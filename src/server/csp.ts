/**
 * The content security policy, in one place: response headers of the servers, and the <meta> of the built page for
 * hosts that send no headers. A worker loaded from an address obeys its own response's policy; one made from a blob
 * inherits the page's, hence `worker-src blob:` and inline workers. Together they prevent that an opened capture leaves
 * the machine.
 *
 * Links that name an address may fetch from the app's own origin. The host adds others by name:
 *
 *   WIRECOST_SOURCES="https://captures.example.org" npm run build
 */
import process from 'node:process';

const POLICY: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self' 'wasm-unsafe-eval'",
  'worker-src': "'self' blob:",
  // Monaco writes style elements.
  'style-src': "'self' 'unsafe-inline'",
  'font-src': "'self' data:",
  'img-src': "'self' data: blob:",
  'connect-src': "'self'",
  'manifest-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'object-src': "'none'",
};

const print = (policy: Readonly<Record<string, string>>): string =>
  Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');

/** The policy of the embedded figure, which draws the data of its link and needs no request. */
export const EMBED_POLICY = print({
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self' 'unsafe-inline'",
  'base-uri': "'none'",
  'form-action': "'none'",
});

/** An origin, or all hosts below one; http is allowed only for this machine. */
const SOURCE = /^(?:https:\/\/(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*|http:\/\/(?:localhost|127\.0\.0\.1))(?::\d{1,5})?$/;

/**
 * `https://a.example https://*.b.example:8443` → origins, in that order, each once. @throws on an invalid origin: a
 * policy with a hole is worse than no build
 */
export function readSources(text: string): readonly string[] {
  const sources = [...new Set(text.split(/[\s,]+/).filter((word) => word !== ''))];
  for (const source of sources) {
    if (!SOURCE.test(source)) {
      throw new Error(
        `WIRECOST_SOURCES takes origins such as https://captures.example.org or https://*.example.org, not ${source}`,
      );
    }
  }
  return sources;
}

export type PolicyHeaders = Readonly<Record<string, string>>;

export interface Policies {
  /** For <meta http-equiv>, which may not name frame-ancestors. */
  readonly meta: string;
  /** Headers of every response except the embed's. No page may frame the app. */
  readonly app: PolicyHeaders;
  /** Headers of `embed.html`, which any page may frame. */
  readonly embed: PolicyHeaders;
  /** Vite's dev server adds inline scripts and talks to its page through a socket. */
  readonly dev: PolicyHeaders;
}

/** @param sources origins beside its own that the app may fetch from */
export function policiesFor(sources: readonly string[]): Policies {
  const policy = { ...POLICY, 'connect-src': [POLICY['connect-src'], ...sources].join(' ') };
  const headers = (contentSecurityPolicy: string): PolicyHeaders => ({
    'Content-Security-Policy': contentSecurityPolicy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  });
  return {
    meta: print(policy),
    app: headers(print({ ...policy, 'frame-ancestors': "'none'" })),
    embed: headers(EMBED_POLICY),
    dev: headers(
      print({
        ...policy,
        'script-src': `${POLICY['script-src']} 'unsafe-inline'`,
        'connect-src': `${policy['connect-src']} ws:`,
        'frame-ancestors': "'none'",
      }),
    ),
  };
}

/** From the environment of the build. */
export const POLICIES = policiesFor(readSources(process.env['WIRECOST_SOURCES'] ?? ''));
