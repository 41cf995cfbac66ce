/**
 * public/oembed.json follows https://oembed.com section 2.3.4 and names an existing figure; docs/embed.md shows the
 * same.
 */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { decodeFragment } from '#permalink/fragment.ts';
import { EMBED_THEMES, readEmbedFragment } from './embed-address.ts';
import { FIGURES, titleOf } from './figures.tsx';
import { printSnippet } from './snippets.ts';

const ROOT = new URL('../../', import.meta.url);
const APP = 'https://wirecost.example/';
const answer = JSON.parse(readFileSync(new URL('public/oembed.json', ROOT), 'utf8')) as Readonly<
  Record<string, unknown>
>;
const address = /src="([^"]+)"/.exec(String(answer['html']))![1]!.replaceAll('&amp;', '&');

describe('oembed.json', () => {
  test('has the required properties of its type, with their types', () => {
    expect(answer).toEqual({
      type: 'rich',
      version: '1.0',
      title: expect.any(String),
      provider_name: 'Wirecost',
      provider_url: APP,
      html: expect.any(String),
      width: expect.any(Number),
      height: expect.any(Number),
    });
  });

  test('shows a figure of a link that opens, in the frame that the share dialog copies', async () => {
    const { pathname, hash, href } = new URL(address);
    expect(href.startsWith(APP)).toBe(true);
    expect(existsSync(new URL(`src/embed${pathname}`, ROOT))).toBe(true);
    const { figure, theme, link, unknown } = readEmbedFragment(hash);
    expect(unknown).toBeNull();
    const opened = await decodeFragment(link);
    if (!opened.ok || opened.value.data.kind !== 'profile') throw new Error('There are no figures in the link.');
    const { profile } = opened.value.data;
    const from = { name: '', date: '', version: '', coverage: null };
    const title = titleOf(FIGURES[figure], {
      profile,
      from,
      path: null,
      layers: null,
      compressed: null,
      excerpt: null,
      matrix: null,
      bits: null,
      pair: null,
    });
    expect(answer['title']).toBe(title);
    const [frame] = printSnippet('html', { app: APP, title, figure, picture: figure, theme, link }).split('\n');
    expect(answer['html']).toBe(frame);
    expect(frame).toContain(`height="${answer['height']}"`);
  });
});

describe('docs/embed.md', () => {
  const doc = readFileSync(new URL('docs/embed.md', ROOT), 'utf8');
  test.each([...Object.keys(FIGURES), ...EMBED_THEMES])('names %s', (name) => expect(doc).toContain(`\`${name}\``));

  test('gives the frame, its sandbox and the listener as the share dialog copies them', () => {
    const lines = printSnippet('html', {
      app: APP,
      title: 'What protobuf adds',
      figure: 'waterfall',
      picture: 'waterfall',
      theme: 'dark',
      link: 'LINK',
    });
    expect(doc).toContain(lines);
  });
});
