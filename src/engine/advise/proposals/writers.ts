/** Proposals that only change the writer: each kind of waste separately, and all together. The schema is unchanged. */
import { LOSSLESS_WASTE, WRITER_RULES, type WriterWaste } from '../writer-rules.ts';
import type { Proposal } from './proposal.ts';

export const writers: readonly Proposal[] = [
  { title: 'Write the same values without any waste', changes: LOSSLESS_WASTE.map(leaveOut) },
  ...LOSSLESS_WASTE.map((without) => ({ title: WRITER_RULES[without].title, changes: [leaveOut(without)] })),
];

function leaveOut(without: WriterWaste) {
  return { change: 'written', without } as const;
}
