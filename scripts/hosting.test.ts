/** The policy with sources, and that docs/hosting.md gives what hosts.ts prints. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { policiesFor, readSources } from '../src/server/csp.ts';
import { HOSTS, type HostName } from './hosts.ts';

const doc = readFileSync(new URL('../docs/hosting.md', import.meta.url), 'utf8');
const PLAIN = policiesFor([]);

test.each(Object.keys(HOSTS) as HostName[])('docs/hosting.md has the headers for %s', (name) => {
  const { title, language, print } = HOSTS[name];
  expect(doc).toContain(`## ${title}\n`);
  expect(doc).toContain(`\`\`\`${language}\n${print(PLAIN, '/')}\`\`\``);
});

test.each(Object.keys(HOSTS) as HostName[])('%s: every header, in any folder', (name) => {
  const text = HOSTS[name].print(PLAIN, '/tools/wirecost/');
  for (const value of [...Object.values(PLAIN.app), ...Object.values(PLAIN.embed)]) expect(text).toContain(value);
  // Apache's file lies in the folder that it is for.
  if (name !== 'apache') expect(text).toContain('/tools/wirecost/embed.html');
});

describe('sources', () => {
  test('without sources, the app fetches only from its own origin', () => {
    expect(PLAIN.meta).toContain("connect-src 'self';");
  });

  test('sources are in every policy of the app, and in no policy of the embed', () => {
    const { meta, app, embed, dev } = policiesFor(readSources('https://a.example  https://*.b.example:8443'));
    for (const policy of [meta, app['Content-Security-Policy'], dev['Content-Security-Policy']]) {
      expect(policy).toContain("connect-src 'self' https://a.example https://*.b.example:8443");
    }
    expect(embed).toEqual(PLAIN.embed);
  });

  test.each([
    'https:',
    '*',
    'http://captures.example.org',
    'https://a.example/path',
    "'unsafe-inline'",
    'https://a.example;script-src',
    'https://*',
    'data:',
  ])('%s is refused', (source) => {
    expect(() => readSources(source)).toThrow(/takes origins such as/);
  });

  test('the loopback host needs no TLS', () => {
    expect(readSources('http://localhost:9000, http://127.0.0.1:9001')).toHaveLength(2);
  });
});
