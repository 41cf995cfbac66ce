/** Fixed sentences of the share dialog. */
import { formatBytes } from './number-text.ts';
import { shorten } from './path-tail.ts';
import { visible } from './visible.ts';

export const SHARE_NOTES = {
  noClipboard: 'The browser does not let this page copy.',
  profiler: 'Save for Firefox Profiler',
  noPng: 'The browser could not make a PNG of the picture.',
  staysInLink: 'No data is sent anywhere: your choice is written into the link itself, after the #.',
  address: 'Address of the input',
  alsoIn:
    'The link also has the type, the native profile and changed writers, the selection, the coverage of a capture, the notes on the figures, today’s date.',
  withBytes: 'With the bytes in the hex view',
  tooLarge: 'Too large for any link. Save the file instead.',
  onlyHere:
    'The app runs on this machine, so the link opens on this machine only. For others, save the file, or host the app.',
  /** For the picture of A and B, beside what other figures have. */
  pairPicture: 'An embed shows one input. A document takes this figure as a picture: save it as SVG or PNG.',
  readersTheme: 'theme of the reader',
} as const;

/** Why the analysis cannot be shared in this form. */
export const NOT_SHARED = {
  nothingOpen: 'Nothing is open yet.',
  noSample: 'This input is not a sample.',
  noAddress: 'An address begins with https://, or is a path beside this page.',
  noMessages: 'The messages were not shared.',
  tooLarge: 'It is too large to travel in a link or a file of this app.',
  secrets:
    'This file contains TLS secrets, in its capture or beside it. Open the capture alone; then the secrets are removed.',
} as const;

/** @param detail the fault, as `view.scope.ordinals: …` */
export const notOpenable = (detail: string): string => `A link or a file of it could not be opened again: ${detail}.`;

export const blockedSite = (origin: string): string =>
  `This site may not read from ${origin}: the link opens only where the app is hosted for it.`;
export const fetchesInput = (how: string, origin: string): string => `This ${how} fetches its input from ${origin}.`;

/** Characters of a name in a sentence; a link's name has up to 4,096. */
const MOST_OF_NAME = 120;

/** @param messages `1 message`, `8 messages`; null: not known yet @param made the day and the version of the app */
export const sharedFromWords = (
  how: string,
  { name, messages, size }: { readonly name: string; readonly messages: string | null; readonly size: number },
  made: { readonly date: string; readonly by: string },
): string =>
  `From a ${how}: ${[shorten(visible(name), MOST_OF_NAME), ...(messages === null ? [] : [messages]), formatBytes(size)].join(', ')}, measured on ${made.date} with version ${shorten(made.by, MOST_OF_NAME)}.`;

/** For a shared input of which another number of messages is read. @param messages `8 messages` */
export const otherMessagesRead = (messages: string): string =>
  `Read here: ${messages}. So the messages that the sender chose are not known: the input changed, or its TLS keys are missing.`;
