/** Means in columns: all have as many decimals, so that their points are below one another. */
import { fixed } from '#engine/model/percent-text.ts';
import { signed } from './number-text.ts';

export const meanFigure = (mean: number, decimals = 2): string => fixed(mean, decimals);

export const signedMeanFigure = (mean: number): string => signed(mean, meanFigure(mean));
