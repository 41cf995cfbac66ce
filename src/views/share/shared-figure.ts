/** Shared figures → those that one figure in a document shows. */
import type { FigureName } from '#figures/figures.tsx';
import type { Shared } from '#permalink/shared.ts';

/**
 * It shows one input, so nothing of A travels, neither its figures nor the paths that were aligned with it. Bytes travel
 * with the hex view alone.
 */
export function sharedFigure({ baseline: _, data, view, ...shared }: Shared, figure: FigureName): Shared {
  const { pair: __, ...own } = view;
  return {
    ...shared,
    view: { ...own, question: view.question === 'another' ? null : view.question },
    data: data.kind === 'profile' && figure !== 'bytes' ? { ...data, excerpt: null } : data,
  };
}
