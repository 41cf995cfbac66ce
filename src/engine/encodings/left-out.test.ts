import { expect, test } from 'vitest';
import { leftOut } from './left-out.ts';
import { LOSSES, type Loss, lossSentences } from './losses.ts';

test('values that are left out, of all losses', () => {
  const of = (loss: Loss): boolean => leftOut(lossSentences({ [loss]: 2 })).length > 0;
  expect((Object.keys(LOSSES) as Loss[]).filter(of)).toEqual([
    'unknown',
    'unheld',
    'unlisted',
    'extension',
    'vlong',
    'field-number',
    'layout',
  ]);
});
