import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FIGURES, type FigureName } from '#figures/figures.tsx';
import { checkShared, type Shared } from '#permalink/shared.ts';
import { arbitraryShared } from '#testing/arbitrary-shared.ts';
import { sharedFigure } from './shared-figure.ts';

const excerptOf = ({ data }: Shared) => (data.kind === 'profile' ? data.excerpt : null);

test('a figure in a document carries nothing of A, and bytes with the hex view alone', () => {
  fc.assert(
    fc.property(arbitraryShared, fc.constantFrom(...(Object.keys(FIGURES) as FigureName[])), (shared, figure) => {
      const own = sharedFigure(shared, figure);
      expect(checkShared(own).ok).toBe(true);
      expect([own.baseline, own.view.pair]).toEqual([undefined, undefined]);
      expect(own.view.question).not.toBe('another');
      expect(excerptOf(own)).toEqual(figure === 'bytes' ? excerptOf(shared) : null);
      expect(own).toMatchObject({ source: shared.source, made: shared.made });
    }),
    { numRuns: 100 },
  );
});
