/** One figure with its verdict, its source and a link to the analysis; or the reason why it cannot be shown. */

import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { FitWidth } from '#charts/fit-width.tsx';
import { readEmbedFragment } from '#figures/embed-address.ts';
import { FIGURES, titleOf } from '#figures/figures.tsx';
import { sourceLine } from '#figures/source-line.ts';
import type { FigureSubject } from '#figures/subject.ts';
import { decodeFragment } from '#permalink/fragment.ts';
import { EMBED_NOTES } from '#wording/embed-notes.ts';
import { BytesTable } from './bytes-table.tsx';
import { EmbedFieldTable } from './field-table.tsx';
import { embedSubject } from './subject-of.ts';

export function Embed(): ReactNode {
  const fragment = useSyncExternalStore(watchFragment, () => location.hash);
  const { figure, theme, link, unknown } = useMemo(() => readEmbedFragment(fragment), [fragment]);
  const [opened, setOpened] = useState<Awaited<ReturnType<typeof decodeFragment>> | null>(null);
  useEffect(() => {
    let isShown = true;
    decodeFragment(link).then((next) => isShown && setOpened(next));
    return () => {
      isShown = false;
    };
  }, [link]);
  const ref = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (theme === 'auto') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  useLayoutEffect(() => (ref.current ? tellHeight(ref.current) : undefined), []);

  const content = (): ReactNode => {
    if (opened === null) return null;
    if (!opened.ok) return <Refusal>{opened.fault.message}</Refusal>;
    if (unknown !== null)
      return (
        <Refusal>
          {EMBED_NOTES.unknownFigure} {unknown}.
        </Refusal>
      );
    const subject = embedSubject(opened.value);
    if (subject === null) {
      return <Refusal>{EMBED_NOTES.noFigures}</Refusal>;
    }
    return <Shown figure={figure} subject={subject} />;
  };
  return (
    <main ref={ref}>
      {content()}
      {opened?.ok && (
        <p className="embed-open">
          <a href={`./#${link}`} target="_blank" rel="noopener">
            Open in Wirecost
          </a>
        </p>
      )}
    </main>
  );
}

function Shown({
  figure,
  subject,
}: {
  readonly figure: keyof typeof FIGURES;
  readonly subject: FigureSubject;
}): ReactNode {
  const isOfAll = figure === 'waterfall' || figure === 'icicle' || figure === 'fields';
  return (
    <>
      <h1>{titleOf(FIGURES[figure], subject)}</h1>
      <FitWidth max={1040}>
        {(width, id) =>
          FIGURES[figure].draw(subject, { id, width }) ?? (
            <Refusal>
              {EMBED_NOTES.notInLink} {FIGURES[figure].title.toLowerCase()}.
            </Refusal>
          )
        }
      </FitWidth>
      {figure === 'bytes' && subject.excerpt && (
        <details>
          <summary>{EMBED_NOTES.bytesTable}</summary>
          <BytesTable excerpt={subject.excerpt} />
        </details>
      )}
      {isOfAll && (
        <details>
          <summary>{EMBED_NOTES.fieldsTable}</summary>
          <EmbedFieldTable profile={subject.profile} />
        </details>
      )}
      <p className="embed-source">{sourceLine(subject, FIGURES[figure])}</p>
    </>
  );
}

const Refusal = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <p role="alert" className="embed-refusal">
    {children}
  </p>
);

function watchFragment(changed: () => void): () => void {
  addEventListener('hashchange', changed);
  return () => removeEventListener('hashchange', changed);
}

/** Posts the height of the figure to the page around it. Any page may receive it, because a height reveals no data. */
function tellHeight(element: HTMLElement): () => void {
  const post = () => {
    const height = Math.ceil(element.getBoundingClientRect().height);
    parent.postMessage({ type: 'wirecost:height', height }, '*');
  };
  const observer = new ResizeObserver(post);
  observer.observe(element);
  return () => observer.disconnect();
}
