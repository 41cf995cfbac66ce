import { formatCount } from './number-text.ts';
import { visible } from './visible.ts';

/** Notes of the page around its views. */
export const APP_NOTES = {
  drop: 'Drop to open: a capture, .proto files, a descriptor set, a shared analysis',
  noMessage: 'This input holds no message.',
  noneChosen: 'No message passes the filter.',
  stopped: 'Nothing was added up: reading was cancelled.',
  brokenView: 'It is an error in the app, not in your data. Try the view again; if it breaks again, reload the page.',
  share: 'A link or a file with this analysis (l)',
  noWorker: 'The worker that reads messages could not be started.',
  newer: 'A newer version of Wirecost is ready. It is used once every tab of the app is closed.',
  notKept: 'This browser does not store the open input. Open it again after a reload.',
  broken: 'This view has failed.',
  workerEnded: 'The worker ended.',
  tooLarge: 'it is larger than 256 MiB',
  openMessages: 'Open messages to read with it',
} as const;

/** The part of a dropped input while A and B are asked about. @param a the name of the input that is A, or becomes it */
export const dropAsB = (a: string): string => `Drop to open as B. A is ${visible(a)}`;

/** `3`, `3 + 1 in message 5`, `1 in message 5` */
export const findingsCount = (ofAll: number, ofMessage = 0, ordinal = 0): string =>
  [
    ...(ofAll > 0 || ofMessage === 0 ? [formatCount(ofAll)] : []),
    ...(ofMessage > 0 ? [`${formatCount(ofMessage)} in message ${formatCount(ordinal)}`] : []),
  ].join(' + ');
