import { expect, test } from 'vitest';
import { Refusal } from '../output/outcome.ts';
import { parseJson } from './json-text.ts';

test.each([
  ['cut', '{', 'b.json is not JSON, line 1: The text ends where a name in quotes should follow.'],
  ['empty', '', 'b.json is not JSON, line 1: There is no text.'],
  ['without a colon', '{\n  "ä": 1,\n  "x" 3\n}', 'b.json is not JSON, line 3: A colon is expected here.'],
  ['another text', 'hello', 'b.json is not JSON, line 1: hello is not a JSON value.'],
  ['with a comma too many', '{"a": 1,\n}\n', 'b.json is not JSON, line 2: A name in quotes is expected here.'],
  ['more after the value', '{}\nx', 'b.json is not JSON, line 2: There is more text after the value.'],
])('a text that is %s is refused with the place of the fault', (_, text, words) => {
  expect(() => parseJson(text, 'b.json')).toThrow(new Refusal(words));
});

test('JSON is read', () => {
  expect(parseJson(' {"a": [1]}\n', 'b.json')).toEqual({ a: [1] });
  expect(parseJson('\ufeff{"a": 1}', 'b.json')).toEqual({ a: 1 });
});
