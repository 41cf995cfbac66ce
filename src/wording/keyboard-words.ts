/** The keyboard shortcuts by place: the keys, and the effect. */
export const KEYS: readonly (readonly [string, readonly (readonly [readonly string[], string])[]])[] = [
  [
    'Anywhere',
    [
      [['Esc'], 'go back one step: selection, cause, zoom, one message, panel'],
      [['Ctrl', 'V'], 'open the copied text: hex, base64, a schema'],
    ],
  ],
  [
    'Outside text boxes and tables',
    [
      [['?'], 'this list'],
      [['i'], 'input'],
      [['s'], 'schema'],
      [['m'], 'messages'],
      [['l'], 'share: a link or a file'],
      [['t'], 'types: the schema explorer'],
      [['/'], 'filter the fields, search the types'],
    ],
  ],
  [
    'Table and trees',
    [
      [['↑', '↓'], 'go to the next or previous row'],
      [['→', '←'], 'open and close'],
      [['Home', 'End'], 'first and last row'],
      [['Enter'], 'select the row; again: zoom into it'],
      [['a', '…', 'z'], 'filter the fields'],
    ],
  ],
  [
    'Messages',
    [
      [['↑', '↓'], 'open the next or previous message'],
      [['Shift', '↓'], 'choose a range of messages'],
      [['Space'], 'add a message to the choice, or remove it'],
      [['Enter'], 'choose only this message or group'],
    ],
  ],
  [
    'Text of a schema',
    [
      [['Tab'], 'indent'],
      [['Esc'], 'leave the text'],
    ],
  ],
  [
    'Bytes',
    [
      [['↑', '↓'], 'go to the next or previous record'],
      [['Tab'], 'go to the other encoding'],
    ],
  ],
];
