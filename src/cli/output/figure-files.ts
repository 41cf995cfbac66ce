/** Figures → files. The text of a picture is the one that the page saves. */
import { readFileSync } from 'node:fs';
import { ALL_FIGURES, type AnyFigureName } from '#figures/all-figures.ts';
import { readColors, type Theme } from '#figures/colors.ts';
import { titleOf } from '#figures/figures.tsx';
import { sourceLine } from '#figures/source-line.ts';
import type { FigureSubject } from '#figures/subject.ts';
import { printSvg } from '#figures/svg-file.ts';
import type { Svg } from '#wording/escape.ts';
import { COLORS } from '../shipped-files.ts';

const css = readFileSync(COLORS, 'utf8');

/** Undefined: the subject has no data for the figure. */
export function printFigure(name: AnyFigureName, subject: FigureSubject, theme: Theme): Svg | undefined {
  const { width } = ALL_FIGURES[name];
  const drawing = ALL_FIGURES[name].draw(subject, { id: name, width });
  return (
    drawing &&
    printSvg(
      { title: titleOf(ALL_FIGURES[name], subject), drawing, source: sourceLine(subject, ALL_FIGURES[name]) },
      readColors(css, theme),
    )
  );
}
