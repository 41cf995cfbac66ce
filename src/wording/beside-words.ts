/** The bytes of a file beside its messages. */
import { formatBytes } from './number-text.ts';

const WORDS = { bulk: 'Action lines', msearch: 'Search headers' } as const;

/** The bytes of a file around its messages, by the id of its framing. */
export const framingWord = (framing: string): (typeof WORDS)[keyof typeof WORDS] | 'Framing' =>
  framing === 'bulk' || framing === 'msearch' ? WORDS[framing] : 'Framing';

/** Bytes of a file that are in none of its messages. */
export interface Beside {
  readonly framing: string;
  readonly framingBytes: number;
  readonly unattributedBytes: number;
}

/** `The input also has 649 bytes of action lines and 213 bytes in no message.` Empty: nothing that its figures leave out. */
export function besideWords({ framing, framingBytes, unattributedBytes }: Beside): string {
  const word = framingWord(framing);
  const parts = [
    ...(word === 'Framing' || framingBytes === 0 ? [] : [`${formatBytes(framingBytes)} of ${word.toLowerCase()}`]),
    ...(unattributedBytes === 0 ? [] : [`${formatBytes(unattributedBytes)} in no message`]),
  ];
  return parts.length === 0 ? '' : `The input also has ${parts.join(' and ')}.`;
}
