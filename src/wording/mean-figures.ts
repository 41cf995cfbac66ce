/** Means in columns: all have as many decimals, so that their points are below one another. */
import { fixed } from '#engine/model/percent-text.ts';
import { signed } from './number-text.ts';

/** Rounded as means in sentences are. */
export const meanFigure = (mean: number, decimals = 2): string =>
  fixed(Math.round(mean * 10 ** decimals) / 10 ** decimals, decimals);

export const signedMeanFigure = (mean: number): string => signed(mean, meanFigure(mean));
