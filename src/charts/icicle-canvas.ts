/**
 * Draws the cells of an icicle on a canvas: thousands of paths in one frame. The colours are those of the element
 * around it.
 */
import type { Category } from '#engine/model/annotation.ts';
import type { IcicleCell, IcicleGeometry } from './icicle-geometry.ts';
import { groundMix, ICICLE, labelOf } from './icicle-look.ts';

export interface IcicleState {
  readonly selected: string | null;
  readonly hovered: string | null;
}

/** Pixels with text of the usual size; `ratio` device pixels each. */
export function drawIcicle(
  canvas: HTMLCanvasElement,
  icicle: IcicleGeometry,
  { width, height, ratio }: { readonly width: number; readonly height: number; readonly ratio: number },
  { selected, hovered }: IcicleState,
): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  context.scale(ratio, ratio);
  const style = getComputedStyle(canvas);
  const color = (name: string): string => style.getPropertyValue(name);
  const [ink, muted, paper, accent, ground] = ['--ink', '--ink-muted', '--paper', '--accent', '--cat-value'].map(color);
  const fills = new Map<Category, string>();
  context.font = `11px ${style.fontFamily}`;
  for (const cell of icicle.cells) {
    const { node, level, x, width: length, strip } = cell;
    const y = level * ICICLE.row;
    context.globalAlpha = groundMix(level) + (node !== null && node.path !== '' && node.path === hovered ? 0.14 : 0);
    context.fillStyle = ground!;
    context.fillRect(x, y, length, ICICLE.row - 1);
    context.globalAlpha = 1;
    if (length > 4) {
      context.fillStyle = paper!;
      context.fillRect(x + length - 1, y, 1, ICICLE.row - 1);
    }
    for (const part of strip) {
      let fill = fills.get(part.category);
      if (fill === undefined) {
        fill = color(`--cat-${part.category}`);
        fills.set(part.category, fill);
      }
      context.fillStyle = fill;
      context.fillRect(part.x, y + ICICLE.row - 1 - ICICLE.strip, part.width, ICICLE.strip);
    }
    const { name, figure } = labelOf(cell);
    if (name === '') continue;
    const right = context.measureText(figure).width + 5;
    context.fillStyle = muted!;
    context.fillText(figure, x + length - right, y + ICICLE.baseline);
    if (node !== null) context.fillStyle = ink!;
    // Capitals and other scripts are wider than the characters that the name was cut by: they are condensed.
    context.fillText(name, x + 5, y + ICICLE.baseline, length - right - 5);
  }
  const chosen = icicle.cells.find(({ node }) => node !== null && node.path !== '' && node.path === selected);
  if (chosen) outline(context, chosen, accent!);
}

function outline(context: CanvasRenderingContext2D, { x, level, width }: IcicleCell, color: string): void {
  context.strokeStyle = color;
  context.lineWidth = 2;
  context.strokeRect(x + 1, level * ICICLE.row + 1, Math.max(1, width - 2), ICICLE.row - 3);
}
