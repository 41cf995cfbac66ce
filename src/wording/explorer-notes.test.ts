import { expect, test } from 'vitest';
import { schemaWords } from './explorer-notes.ts';

test.each<[string, { readonly files: readonly string[]; readonly types: number }, string]>([
  ['one file', { files: ['shop/order.proto'], types: 1 }, '1 file, 1 message type'],
  [
    'an import that every compiler brings along',
    { files: ['shop/order.proto', 'google/protobuf/timestamp.proto'], types: 1200 },
    '1 file, 1,200 message types',
  ],
])('files and types are counted alike: %s', (_, schema, words) => expect(schemaWords(schema)).toBe(words));
