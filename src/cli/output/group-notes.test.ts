/** Groups without a named type → their notes. */
import { expect, test } from 'vitest';
import type { ReadingPlan } from '#engine/analysis/plan/plan-reading.ts';
import type { MessageGroup } from '#engine/analysis/store/message-groups.ts';
import { groupNotes } from './group-notes.ts';

const plan: ReadingPlan = {
  type: null,
  why: 'short',
  twins: [],
  candidates: [{ type: 'shop.Code', score: 1, reason: 'a field for every byte' }],
  leftOut: ['shop.Bad'],
  compared: { types: 3, messages: 1 },
};

const group = (method: string): MessageGroup => ({
  transport: 'grpc',
  direction: 'request',
  typeHint: null,
  method,
  key: method,
  status: null,
  messages: 1,
  bytes: 7,
  capturedBytes: 7,
  headerBytes: 0,
});

test('each group has its candidates, also those of another group; types that were not compared are named once', () => {
  const groups = [group('/shop.Shop/Get'), group('/shop.Shop/Do')];
  const notes = groupNotes(groups, new Map(groups.map(({ key }) => [key, plan])));
  const candidate = '  shop.Code explains 100 %: a field for every byte';
  const open = (method: string): unknown =>
    expect.stringContaining(`too few bytes in 1 message of ${method}, requests to detect a type`);
  const leftOut = expect.stringContaining('1 type was not compared');
  expect(notes).toEqual([open('/shop.Shop/Get'), candidate, open('/shop.Shop/Do'), candidate, leftOut]);
});
