/** The sizes after compression. */
import { beforeEach, expect, test } from 'vitest';
import { actions, openPage, SCHEMA, session } from './page.testing.ts';

beforeEach(openPage);

test('after compression the sides are those that are compared: captured JSON and protobuf', async () => {
  const json = '{"name":"corner shop","size":"12"}';
  await actions.openFiles([new File([json], 'a.json'), new File([SCHEMA], 't.proto')]);
  actions.chooseType('t.Item');
  await expect.poll(() => session().analysis?.profiles[0]?.pair).toEqual(['protobuf', 'captured-json']);
  const sizes = await actions.compress(new AbortController().signal);
  expect([sizes?.protobuf, sizes?.native, sizes?.codecs.length]).toEqual([15, json.length, 3]);
});
