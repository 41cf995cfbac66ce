/** The list of messages. */
import { beforeEach, expect, test } from 'vitest';
import { actions, openPage } from './page.testing.ts';
import { sample } from './sample.testing.ts';

beforeEach(openPage);

test('the message list is read in windows', async () => {
  await actions.openSample(sample);
  const signal = new AbortController().signal;
  expect(
    await actions.messages({ from: 0, to: 1, order: { column: 'ordinal', descending: false } }, signal),
  ).toMatchObject({
    total: 2,
    rows: [{ ordinal: 0, preview: 'foo' }],
  });
});
