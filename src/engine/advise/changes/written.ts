import { type ChangeKind, ImpossibleChange, type WrittenChange } from '../change.ts';
import { ANY_WASTE, LOSSLESS_WASTE, WITHOUT_ANY, WRITER_RULES, type WriterWaste } from '../writer-rules.ts';

/** The same values with less waste. Only the writer changes. It is compared with the captured bytes. */
export const writtenChange: ChangeKind<WrittenChange> = {
  alter(change, forms) {
    if (!isWithoutAny(change)) losslessWasteOf(change);
    return forms;
  },
  touches: () => [],
  compatibility: (change) => (isWithoutAny(change) ? WITHOUT_ANY : WRITER_RULES[losslessWasteOf(change)]).compatibility,
  effort: () => 'writer only',
};

export const isWithoutAny = ({ without }: WrittenChange): boolean => without === ANY_WASTE;

/** @throws ImpossibleChange */
export function losslessWasteOf({ without }: WrittenChange): WriterWaste {
  const kind = LOSSLESS_WASTE.find((one) => one === without);
  if (kind === undefined) throw new ImpossibleChange(`There is no waste "${without}" that can be left out`);
  return kind;
}
