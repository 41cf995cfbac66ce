/**
 * A figure → a self-contained picture: its title above, its source below, a background.
 *
 *   ┌──────────────────────────────┐
 *   │ title                        │
 *   │ ┌──────────────────────────┐ │
 *   │ │ the figure, an svg of    │ │
 *   │ │ its own                  │ │
 *   │ └──────────────────────────┘ │
 *   │ source                       │
 *   └──────────────────────────────┘
 */
import type { ReactElement, ReactNode } from 'react';

/** A chart's outermost element: drawn for a size in pixels. */
export type Drawing = ReactElement<{ readonly width: number; readonly height: number; readonly children?: ReactNode }>;

const FONTS = 'Inter, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif';
const MARGIN = 16;
const TITLE = { size: 13, line: 18 };
const SOURCE = { size: 10.5, line: 15 };
/** Mean width of a character as a share of the type size, rounded up, so that a line is never too long. */
const CHARACTER = 0.56;

export interface PictureProps {
  /** The verdict, or what is shown. */
  readonly title: string;
  readonly drawing: Drawing;
  /** The source of the measurement. */
  readonly source: string;
}

/** Pixels that a picture is wider than its drawing. */
export const PICTURE_MARGINS = 2 * MARGIN;

export function Picture({ title, drawing, source }: PictureProps): ReactElement {
  const { width: inner, height: body } = drawing.props;
  const width = inner + PICTURE_MARGINS;
  const titleLines = wrap(title, inner / (TITLE.size * CHARACTER));
  const sourceLines = wrap(source, inner / (SOURCE.size * CHARACTER));
  const top = MARGIN + titleLines.length * TITLE.line + 8;
  const below = top + body + 10;
  const height = below + sourceLines.length * SOURCE.line + MARGIN - 4;
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      fontFamily={FONTS}
      role="img"
      aria-label={title}
    >
      <title>{title}</title>
      <desc>{source}</desc>
      <rect width={width} height={height} fill="var(--paper)" />
      {titleLines.map((line, index) => (
        <text
          key={line}
          x={MARGIN}
          y={MARGIN + 11 + index * TITLE.line}
          fontSize={TITLE.size}
          fontWeight={600}
          fill="var(--ink)"
        >
          {line}
        </text>
      ))}
      <g transform={`translate(${MARGIN} ${top})`}>{drawing}</g>
      {sourceLines.map((line, index) => (
        <text key={line} x={MARGIN} y={below + 9 + index * SOURCE.line} fontSize={SOURCE.size} fill="var(--ink-muted)">
          {line}
        </text>
      ))}
    </svg>
  );
}

/** Breaks text into lines of at most `characters` at spaces; a longer word has a line of its own. */
export function wrap(text: string, characters: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > characters) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
