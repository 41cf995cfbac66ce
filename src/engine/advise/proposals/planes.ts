/** Proposals for lists of numbers of fixed width, as vectors are: their bytes ordered for a compressor. */
import { BYTE_PLANES, hasPlanes } from '../conversions/byte-planes.ts';
import { grouped, namesOf, type Propose, typeChange } from './proposal.ts';

/** Numbers in a list on average. Shorter lists have no planes to speak of. */
const MIN_MEAN = 8;

export const planes: Propose = ({ fields }) =>
  grouped(
    [...fields].filter(({ field, present, lists }) => {
      const numbers = lists.reduce((sum, { length }) => sum + length, 0);
      return hasPlanes(field) && numbers >= MIN_MEAN * present;
    }),
    (some) => ({
      title: `Write ${namesOf(some)} as bytes, the lowest byte of each number first, then the next byte of each`,
      changes: some.map((use) => ({ ...typeChange(use, 'bytes'), value: BYTE_PLANES })),
    }),
  );
