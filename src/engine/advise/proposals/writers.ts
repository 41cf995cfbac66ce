/** Proposals that only change the writer: each kind of waste separately, and all together. The schema is unchanged. */
import { ANY_WASTE, LOSSLESS_WASTE, WITHOUT_ANY, WRITER_RULES, type WriterWaste } from '../writer-rules.ts';
import type { Proposal } from './proposal.ts';

export const writers: readonly Proposal[] = [
  { title: WITHOUT_ANY.title, changes: [leaveOut(ANY_WASTE)] },
  ...LOSSLESS_WASTE.map((without) => ({ title: WRITER_RULES[without].title, changes: [leaveOut(without)] })),
];

function leaveOut(without: WriterWaste | typeof ANY_WASTE) {
  return { change: 'written', without } as const;
}
