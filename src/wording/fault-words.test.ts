import { expect, test } from 'vitest';
import { faultWords } from './fault-words.ts';

test('a field that a newer version added: the next step names that version', () => {
  const message = 'It is not a valid analysis: view.zoom: Invalid key: Expected never but received "zoom".';
  expect(faultWords({ code: 'malformed', message })).toEqual({
    message,
    remedy: 'If a newer version of the app made it, open it with that version. Otherwise ask its sender for a new one.',
  });
});
