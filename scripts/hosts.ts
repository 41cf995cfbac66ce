/**
 * The headers of csp.ts → the configuration of the usual hosts. docs/hosting.md and dist/_headers hold what this
 * prints; `npm run hosting` prints it for a folder and for sources of one's own.
 */
import type { Policies, PolicyHeaders } from '../src/server/csp.ts';

export interface Host {
  readonly title: string;
  /** Language of the code in the document. */
  readonly language: string;
  /** `folder`: the path of the app on the host, `/` or `/tools/wirecost/`. */
  readonly print: (policies: Policies, folder: string) => string;
}

const lines = (headers: PolicyHeaders, line: (name: string, value: string) => string): string =>
  Object.entries(headers)
    .map(([name, value]) => `${line(name, value)}\n`)
    .join('');

const nginx: Host = {
  title: 'nginx',
  language: 'nginx',
  print({ app, embed }, folder) {
    const headers = (of: PolicyHeaders) => lines(of, (name, value) => `  add_header ${name} "${value}" always;`);
    return `location ${folder} {\n${headers(app)}}\nlocation = ${folder}embed.html {\n${headers(embed)}}\n`;
  },
};

const apache: Host = {
  title: 'Apache: `.htaccess` beside `index.html`, with mod_headers',
  language: 'apache',
  print({ app, embed }) {
    const headers = (of: PolicyHeaders, indent: string) =>
      lines(of, (name, value) => `${indent}Header always set ${name} "${value}"`);
    return `${headers(app, '')}<Files "embed.html">\n${headers(embed, '  ')}</Files>\n`;
  },
};

const caddy: Host = {
  title: 'Caddy',
  language: 'caddy',
  print({ app, embed }, folder) {
    const headers = (of: PolicyHeaders) => lines(of, (name, value) => `  ${name} "${value}"`);
    return `@app {\n  path ${folder}*\n  not path ${folder}embed.html\n}\nheader @app {\n${headers(app)}}\nheader ${folder}embed.html {\n${headers(embed)}}\n`;
  },
};

/** By file, because rules for `/*` would reach the embed too, and of two policies both hold. */
const netlify: Host = {
  title: 'Netlify, Cloudflare Pages: `_headers`, which the build writes',
  language: '',
  print({ app, embed }, folder) {
    const rule = (path: string, headers: PolicyHeaders) =>
      `${folder}${path}\n${lines(headers, (name, value) => `  ${name}: ${value}`)}`;
    return `${rule('', app)}${rule('index.html', app)}${rule('service-worker.js', app)}${rule('embed.html', embed)}`;
  },
};

export const HOSTS = { nginx, apache, caddy, netlify } as const satisfies Readonly<Record<string, Host>>;
export type HostName = keyof typeof HOSTS;
