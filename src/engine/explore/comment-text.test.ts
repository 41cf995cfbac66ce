import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unwrapped } from './comment-text.ts';

const PROSE = [
  'Identity of the operation. This must be unique within the scope of the',
  'service that generated the operation. If the service calls',
  'Check() and Report() on the same operation, the two calls should carry',
  'the same id.',
];

describe('lines that were wrapped are joined', () => {
  test.each<[what: string, written: readonly string[], shown: readonly string[]]>([
    ['a paragraph', PROSE, [PROSE.join(' ')]],
    ['two of them', [...PROSE, '', '', ...PROSE], [PROSE.join(' '), '', PROSE.join(' ')]],
    [
      'an element of a list over two lines',
      ['- the first of two elements, whose text is too long for one line', 'in another line', '- the second'],
      ['- the first of two elements, whose text is too long for one line in another line', '- the second'],
    ],
  ])('%s', (_, written, shown) => expect(unwrapped(written.join('\n')).split('\n')).toEqual(shown));
});

describe('a deliberate line break stays', () => {
  test.each<[what: string, lines: readonly string[]]>([
    ['few words each', ['Seconds.', 'Since 1970.']],
    [
      'a list',
      [
        'This can be in one of the following formats, of which the first is preferred:',
        '- project:ID',
        '- 1. a folder',
      ],
    ],
    ['a remark', [PROSE[0]!, 'TODO: make it so, once everybody who reads this message knows of it']],
    ['short lines among long ones', [PROSE.join(' '), 'bool', 'int32', 'sint64']],
    ['code', ['```', 'message Any { string type_url = 1; bytes value = 2; repeated string', 'names = 3; }', '```']],
    [
      'sentences of a line each',
      [
        'For numeric types, contains the original text representation of it.',
        'For booleans, "true" or "false".',
        'For strings, contains the default text contents (not escaped in any way).',
      ],
    ],
  ])('%s', (_, lines) => expect(unwrapped(lines.join('\n')).split('\n')).toEqual(lines));
});

test('no word is lost', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^(?:[a-zA-Z.`#-]{1,9} ?){0,14}$/)), (lines) => {
      const comment = lines.map((line) => line.trim()).join('\n');
      const shown = unwrapped(comment);
      expect(shown.split(/\s+/)).toEqual(comment.split(/\s+/));
      expect(shown).not.toMatch(/\n{3}/);
    }),
    { numRuns: 1000 },
  );
});
