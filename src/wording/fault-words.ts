/** A link or a file that does not open: its fault, and the next step. */

const REMEDIES = {
  'no-link': 'A link of this app has a # after the address, then w and a number.',
  cut: 'Copy the whole link again; where a chat or mail cuts it, ask for the file instead.',
  altered: 'Copy the link again from where it was made.',
  newer: 'Open it with the newest version of the app.',
  'too-large': 'Ask for the file instead of the link.',
  malformed:
    'If a newer version of the app made it, open it with that version. Otherwise ask its sender for a new one.',
};

interface Fault {
  readonly code: keyof typeof REMEDIES;
  readonly message: string;
}

export const faultWords = ({ code, message }: Fault) => ({ message, remedy: REMEDIES[code] });
