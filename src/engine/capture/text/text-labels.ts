/** Text encodings: the ids that users choose, and their names. The code that reads them is only loaded for text. */
export const TEXT_LABELS = {
  binary: 'Binary',
  hexdump: 'Dump with offsets',
  hex: 'Hex',
  decimal: 'List of numbers',
  escaped: 'Escaped text',
  base64: 'Base64',
  percent: 'Percent-encoded',
  shell: 'Shell command',
  'curl-trace': 'curl --trace',
  burp: 'Items of Burp Suite',
  charles: 'Session of Charles',
} as const;
export type TextEncodingId = keyof typeof TEXT_LABELS;
