/** The reason why a link or a file cannot be opened, in words for the user. */

export interface ShareFault {
  readonly code: 'no-link' | 'cut' | 'altered' | 'newer' | 'too-large' | 'malformed';
  /** The fault, in a sentence, and how much is missing, if something is. */
  readonly message: string;
  /** The remedy. */
  readonly remedy: string;
}

export type Opening<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: ShareFault };

const REMEDIES: Readonly<Record<ShareFault['code'], string>> = {
  'no-link': 'A link of this app has a # after the address, then w and a number.',
  cut: 'Copy the whole link again; where a chat or mail cuts it, ask for the file instead.',
  altered: 'Copy the link again from where it was made.',
  newer: 'Open it with the newest version of the app.',
  'too-large': 'Ask for the file instead of the link.',
  malformed: 'Ask its sender for a new link.',
};

export const faulty = (
  code: ShareFault['code'],
  message: string,
): { readonly ok: false; readonly fault: ShareFault } => ({
  ok: false,
  fault: { code, message, remedy: REMEDIES[code] },
});
