/** The figures and tables of the shown analysis, as files and as lines for a document. */

import { type ReactNode, useId, useMemo, useState } from 'react';
import colors from '#charts/colors.css?raw';
import { profileJson } from '#engine/cost/profile-json.ts';
import { ALL_FIGURES, type AnyFigureName } from '#figures/all-figures.ts';
import { readColors, type Theme } from '#figures/colors.ts';
import { EMBED_THEMES, type EmbedTheme } from '#figures/embed-address.ts';
import { type FigureName, isFigureName, titleOf } from '#figures/figures.tsx';
import { printFirefoxProfile, printSpeedscope } from '#figures/flame-files.ts';
import { printCsv, printMarkdown } from '#figures/profile-table.ts';
import { printSnippet, SNIPPETS, type Snippet } from '#figures/snippets.ts';
import { sourceLine } from '#figures/source-line.ts';
import type { FigureSubject } from '#figures/subject.ts';
import { printSvg } from '#figures/svg-file.ts';
import { encodeFragment } from '#permalink/fragment.ts';
import type { Shared } from '#permalink/shared.ts';
import { SHARE_NOTES } from '#wording/share-notes.ts';
import { saveFile } from '../message/save-file.ts';
import { COPY_REFUSED, copyText } from './copy-text.ts';
import { drawPng } from './png-file.ts';
import { sharedFigure } from './shared-figure.ts';

export function FigureExport({
  subject,
  shared,
  name,
  carrying,
  isCarried,
  names,
  compressing,
}: {
  readonly subject: FigureSubject;
  /** The figures as a link carries them; null until they are made. */
  readonly shared: Shared | null;
  /** Name of the files, without extensions. */
  readonly name: string;
  /** A checkbox: whether the link of `bytes` carries the bytes that it shows. */
  readonly carrying: ReactNode;
  readonly isCarried: boolean;
  /** The names in the link that come from the messages. */
  readonly names: ReactNode;
  /** A checkbox: whether a picture shows the compressed sizes, if they were measured. */
  readonly compressing: ReactNode;
}): ReactNode {
  const id = useId();
  const offered = useMemo(
    () =>
      (Object.keys(ALL_FIGURES) as AnyFigureName[]).filter((key) =>
        ALL_FIGURES[key].draw(subject, { id: key, width: 720 }),
      ),
    [subject],
  );
  const [wished, setFigure] = useState<AnyFigureName>('waterfall');
  const figure = offered.includes(wished) ? wished : offered[0]!;
  const [wishedTheme, setTheme] = useState<EmbedTheme>('auto');
  /** A picture has one theme. */
  const theme: Theme = wishedTheme === 'dark' ? 'dark' : 'light';
  const [said, setSaid] = useState('');
  const svg = useMemo(() => {
    const { width, draw } = ALL_FIGURES[figure];
    const picture = {
      title: titleOf(ALL_FIGURES[figure], subject),
      drawing: draw(subject, { id: figure, width })!,
      source: sourceLine(subject, ALL_FIGURES[figure]),
    };
    return (of: Theme) => printSvg(picture, readColors(colors, of));
  }, [figure, subject]);
  const link = useMemo(
    () => (shared && isFigureName(figure) ? encodeFragment(sharedFigure(shared, figure)) : null),
    [shared, figure],
  );
  const address = useMemo(() => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg(theme))}`, [svg, theme]);

  const save = (end: string, content: string | Uint8Array): void => {
    saveFile(`${name}.${end}`, typeof content === 'string' ? new TextEncoder().encode(content) : content);
    setSaid(`Saved ${name}.${end}.`);
  };
  const copy = async (what: string, text: string): Promise<void> => {
    setSaid((await copyText(text)) ? `${what} copied.` : COPY_REFUSED);
  };
  const snippet = (key: Snippet, shown: FigureName): string =>
    printSnippet(key, {
      app: `${location.origin}${location.pathname.replace(/[^/]*$/, '')}`,
      title: titleOf(ALL_FIGURES[shown], subject),
      link: link ?? '',
      figure: shown,
      picture: `${name}.${shown}`,
      theme: wishedTheme,
    });
  const button = (label: string, onClick: () => void, isDisabled = false): ReactNode => (
    <button type="button" className="control control-framed" disabled={isDisabled} onClick={onClick}>
      {label}
    </button>
  );
  return (
    <div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <label htmlFor={`${id}-figure`} className="panel-title">
          Figure
        </label>
        <select
          id={`${id}-figure`}
          className="field w-auto"
          value={figure}
          onChange={(event) => setFigure(event.target.value as AnyFigureName)}
        >
          {offered.map((key) => (
            <option key={key} value={key}>
              {ALL_FIGURES[key].title}
            </option>
          ))}
        </select>
        <fieldset className="flex gap-3">
          <legend className="sr-only">Theme</legend>
          {EMBED_THEMES.map((key) => (
            <label key={key} className="flex cursor-pointer items-center gap-1">
              <input
                type="radio"
                name={`${id}-theme`}
                className="accent-accent"
                checked={key === wishedTheme}
                onChange={() => setTheme(key)}
              />
              {key === 'auto' ? SHARE_NOTES.readersTheme : key}
            </label>
          ))}
        </fieldset>
        {compressing}
      </div>
      <img
        src={address}
        alt={titleOf(ALL_FIGURES[figure], subject)}
        className="mt-2 max-h-[50vh] w-full border border-rule object-contain object-left-top"
      />
      <div className="mt-2 flex flex-wrap gap-2">
        {button('Save SVG', () => save(`${figure}${theme === 'dark' ? '-dark' : ''}.svg`, svg(theme)))}
        {button('Save PNG', () => {
          void drawPng(svg(theme)).then((png) => save(`${figure}${theme === 'dark' ? '-dark' : ''}.png`, png));
        })}
      </div>
      <h3 className="panel-title mt-3">For a document</h3>
      {figure === 'bytes' && carrying}
      {isFigureName(figure) && names}
      {isFigureName(figure) ? (
        <div className="mt-1 flex flex-wrap gap-2">
          {(Object.keys(SNIPPETS) as Snippet[]).map((key) => (
            <span key={key}>
              {button(
                SNIPPETS[key],
                () => void copy(SNIPPETS[key], snippet(key, figure)),
                link === null || (figure === 'bytes' && !isCarried),
              )}
            </span>
          ))}
        </div>
      ) : (
        <p className="mt-1 text-ink-muted">{SHARE_NOTES.pairPicture}</p>
      )}
      <h3 className="panel-title mt-3">{subject.pair ? 'The fields of B' : 'The fields'}</h3>
      <div className="mt-1 flex flex-wrap gap-2">
        {button('Copy Markdown', () => void copy('Table', printMarkdown(subject.profile)))}
        {button('Save CSV', () => save('csv', printCsv(subject.profile)))}
        {button('Save JSON', () => save('json', `${JSON.stringify(profileJson(subject.profile), null, 2)}\n`))}
        {button('Save for speedscope', () =>
          save('speedscope.json', printSpeedscope(subject.profile, subject.from, subject.bits)),
        )}
        {button(SHARE_NOTES.profiler, () =>
          save('firefox-profile.json', printFirefoxProfile(subject.profile, subject.from, subject.bits)),
        )}
      </div>
      <p className="mt-2 min-h-5" role="status">
        {said}
      </p>
    </div>
  );
}
