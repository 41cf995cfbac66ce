/** An embedded figure → the lines that put it into a document. */
import {
  type Html,
  html,
  type Markdown,
  type Mdx,
  markdown,
  mdx,
  toHtml,
  toMarkdown,
  toMarkdownAddress,
  toMdx,
} from '#wording/escape.ts';
import { type EmbedAddress, printEmbedFragment } from './embed-address.ts';

export interface Embedding extends EmbedAddress {
  /** Address of the app's folder: `https://wirecost.example/`. */
  readonly app: string;
  readonly title: string;
  /** The name of the saved pictures, without `-dark` and the type of the file. */
  readonly picture: string;
}

export const SNIPPETS = {
  html: 'HTML frame',
  mdx: 'Docusaurus (MDX)',
  markdown: 'Markdown with pictures',
  link: 'Plain link',
} as const;
export type Snippet = keyof typeof SNIPPETS;

const FRAME_HEIGHT = 420;
/** Permissions that a figure needs: to draw, and to open the app when its link is followed. */
const SANDBOX = 'allow-scripts allow-popups allow-popups-to-escape-sandbox';

/** `markdown` names the pictures as they are saved: NAME.svg and NAME-dark.svg. */
export function printSnippet(snippet: Snippet, embedding: Embedding): Html | Mdx | Markdown {
  const { app, title, link, picture } = embedding;
  const address = `${app}embed.html${printEmbedFragment(embedding)}`;
  const whole = `${app}#${link}`;
  const name = toHtml(encodeURIComponent(picture));
  const sandbox = toHtml(SANDBOX);
  switch (snippet) {
    case 'html':
      // MkDocs, Hugo and other tools that accept HTML in Markdown accept this, too.
      return html`<iframe src="${toHtml(address)}" title="${toHtml(title)}" width="100%" height="${FRAME_HEIGHT}" style="border:0" loading="lazy" sandbox="${sandbox}"></iframe>
<script>
  addEventListener('message', ({ data, source }) => {
    if (data?.type !== 'wirecost:height') return;
    for (const frame of document.querySelectorAll('iframe')) if (frame.contentWindow === source) frame.height = data.height;
  });
</script>
`;
    case 'mdx':
      return mdx`<iframe src="${toMdx(address)}" title="${toMdx(title)}" width="100%" height="${FRAME_HEIGHT}" style={{ border: 0 }} loading="lazy" sandbox="${toMdx(SANDBOX)}"></iframe>\n`;
    case 'markdown':
      return html`<a href="${toHtml(whole)}">\n  <picture>\n    <source media="(prefers-color-scheme: dark)" srcset="./${name}-dark.svg">\n    <img src="./${name}.svg" alt="${toHtml(title)}">\n  </picture>\n</a>\n`;
    case 'link':
      return markdown`[${toMarkdown(title)}](${toMarkdownAddress(whole)})\n`;
  }
}
