/** An embedded figure → the lines that put it into a document. */
import { type EmbedAddress, printEmbedFragment } from './embed-address.ts';

export interface Embedding extends EmbedAddress {
  /** Of the app, its folder: `https://wirecost.example/`. */
  readonly app: string;
  readonly title: string;
}

export const SNIPPETS = {
  html: 'HTML frame',
  mdx: 'Docusaurus (MDX)',
  markdown: 'Markdown with pictures',
  link: 'Plain link',
} as const;
export type Snippet = keyof typeof SNIPPETS;

const FRAME_HEIGHT = 420;
/** What a figure needs: to draw, and to open the app when its link is followed. */
const SANDBOX = 'allow-scripts allow-popups allow-popups-to-escape-sandbox';

/** `markdown` names the pictures that the figure is saved as: NAME.svg and NAME-dark.svg. */
export function printSnippet(snippet: Snippet, embedding: Embedding): string {
  const { app, title, link, figure } = embedding;
  const address = inAttribute(`${app}embed.html${printEmbedFragment(embedding)}`);
  const whole = `${app}#${link}`;
  switch (snippet) {
    case 'html':
      // MkDocs, Hugo and whatever else takes HTML in Markdown take this too.
      return `<iframe src="${address}" title="${inAttribute(title)}" width="100%" height="${FRAME_HEIGHT}" style="border:0" loading="lazy" sandbox="${SANDBOX}"></iframe>
<script>
  addEventListener('message', ({ data, source }) => {
    if (data?.type !== 'wirecost:height') return;
    for (const frame of document.querySelectorAll('iframe')) if (frame.contentWindow === source) frame.height = data.height;
  });
</script>
`;
    case 'mdx':
      return `<iframe src="${address}" title="${inAttribute(title)}" width="100%" height="${FRAME_HEIGHT}" style={{ border: 0 }} loading="lazy" sandbox="${SANDBOX}"></iframe>\n`;
    case 'markdown':
      return `<a href="${inAttribute(whole)}">\n  <picture>\n    <source media="(prefers-color-scheme: dark)" srcset="${figure}-dark.svg">\n    <img src="${figure}.svg" alt="${inAttribute(title)}">\n  </picture>\n</a>\n`;
    case 'link':
      return `[${title.replace(/[[\]\\]/g, '\\$&')}](${whole})\n`;
  }
}

const inAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
