/** The reason why a link or a file cannot be opened, in words for the user. */

export interface ShareFault {
  readonly code: 'no-link' | 'cut' | 'altered' | 'newer' | 'too-large' | 'malformed';
  /** The fault, in a sentence, and how much is missing, if something is. */
  readonly message: string;
}

export type Opening<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: ShareFault };

export const faulty = (
  code: ShareFault['code'],
  message: string,
): { readonly ok: false; readonly fault: ShareFault } => ({
  ok: false,
  fault: { code, message },
});
