/** Figures → files. The text of a picture is the one that the page saves. */
import { readFileSync } from 'node:fs';
import { readColors, type Theme } from '#figures/colors.ts';
import { FIGURES, type FigureName, titleOf } from '#figures/figures.tsx';
import { sourceLine } from '#figures/source-line.ts';
import type { FigureSubject } from '#figures/subject.ts';
import { printSvg } from '#figures/svg-file.ts';
import type { Svg } from '#wording/escape.ts';

const css = readFileSync(new URL('../charts/colors.css', import.meta.url), 'utf8');

/** Undefined: the subject has no data for the figure. */
export function printFigure(name: FigureName, subject: FigureSubject, theme: Theme): Svg | undefined {
  const { width } = FIGURES[name];
  const drawing = FIGURES[name].draw(subject, { id: name, width });
  return (
    drawing &&
    printSvg({ title: titleOf(name, subject), drawing, source: sourceLine(subject, name) }, readColors(css, theme))
  );
}
