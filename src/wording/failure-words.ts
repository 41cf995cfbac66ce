/** Failures and refusals in the page: what happened, why, and what to do. */

export interface FailureWords {
  readonly title: string;
  readonly detail: string;
  readonly remedy: string;
}

/** A fault of the app: the user cannot fix it. */
export const APP_FAULT =
  'This is an error in the app, not in your data. The previous input stays open. Try again, or start over.';

export const MISSING_PART = {
  title: 'A part of the app did not load',
  detail: 'The network is unavailable, or a newer version of the app was installed',
  remedy: 'Try again, or reload the page: inputs stored in this browser are opened again.',
  isReload: true,
} as const;

export const NO_INPUT_OPEN = 'No input is open.';

/** @param isSecondTime the worker ended twice over the same input */
export const workerEnded = (isSecondTime: boolean): FailureWords => ({
  title: 'The worker ended and was started again',
  detail: isSecondTime ? 'It stopped twice while reading this input, probably because memory ran out.' : '',
  remedy: 'The input stays open.',
});

export const unopenedAddress = (detail: string): FailureWords => ({
  title: 'This address cannot be opened',
  detail,
  remedy: 'Open the input again.',
});
export const noSuchSample = (sample: string): string =>
  `This version of the app has no sample that is called ${sample}`;
export const NOT_KEPT = 'This browser keeps no input under this address';

export const nothingToCompare = (a: string, b: string): FailureWords => ({
  title: 'A has no message whose cost is known',
  detail: `${a} cannot be compared, so ${b} is not opened`,
  remedy: 'Load its schema, or drop B alone.',
});

/** Why a link or a file does not open, and what to do. */
export const sharedSampleMissing = (id: string) => ({
  message: `It shows the sample ${id}, which this version of the app does not have.`,
  remedy: 'Ask for a link that contains the data.',
});
export const sourceNotAllowed = (origin: string, address: string) => ({
  message: `It fetches its input from ${origin}, but the policy of this site allows no connection to it.`,
  remedy: `The operator of this site can allow it: WIRECOST_SOURCES="${origin}" npm run build. Or get ${address} yourself and drop it here.`,
});
export const sourceNotFetched = (address: string, error: unknown) => ({
  message: `${address} could not be fetched: ${error instanceof Error ? error.message : error}`,
  remedy: 'The server must be reachable and allow cross-origin requests (Access-Control-Allow-Origin).',
});
