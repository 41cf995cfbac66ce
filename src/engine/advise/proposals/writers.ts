/** Changes of the writer alone, each kind of waste by itself and all together: no schema changes. */
import { LOSSLESS_WASTE } from '../changes/written.ts';
import type { WriterWaste } from '../rewrite.ts';
import type { Proposal } from './proposal.ts';

const TITLES: Readonly<Record<WriterWaste, string>> = {
  'overlong varints': 'Write varints in as few bytes as they need',
  'padded lengths': 'Write lengths in as few bytes as they need',
  'defaults written': 'Leave out defaults of fields without presence',
  'unpacked runs': 'Write runs packed, as they are declared',
  'repeated scalars': 'Write singular fields once: the last value counts',
  'unknown fields': 'Leave out fields that the schema does not know',
};

export const writers: readonly Proposal[] = [
  { title: 'Write the same values without any waste', changes: LOSSLESS_WASTE.map(leaveOut) },
  ...LOSSLESS_WASTE.map((without) => ({ title: TITLES[without], changes: [leaveOut(without)] })),
];

function leaveOut(without: WriterWaste) {
  return { change: 'written', without } as const;
}
