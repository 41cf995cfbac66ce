/** Notes beside the inputs that this browser keeps. */
import { plural } from '#engine/model/count-text.ts';

export const KEPT_NOTES = {
  kept: 'The input is stored in this browser only. A reload opens it again.',
  tooLarge: 'It is larger than the 256 MiB that this browser keeps: after a reload, open it again.',
  noStorage: 'This browser keeps no files for this page: after a reload, open it again.',
  secrets: 'It holds secrets of TLS in a compressed or encoded file, so it is not kept: after a reload, open it again.',
  unread: 'It was not read to its end and may hold secrets of TLS, so it is not kept: after a reload, open it again.',
  forgetAll: 'Forget all',
  forgetsForGood: 'This cannot be undone.',
  keepAll: 'Keep them',
  forgetThem: 'Forget them',
  forgotten: 'It is forgotten: after a reload, open it again.',
  folders: 'A folder that you opened here. The browser may ask before the app reads it again.',
} as const;

export const keptFiles = (count: number): string => plural(count, 'file');
