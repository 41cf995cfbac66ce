import { type ChangeKind, type Compatibility, ImpossibleChange, type WrittenChange } from '../change.ts';
import { WRITER_WASTE, type WriterWaste } from '../rewrite.ts';
import { PACKED, PRESENCE, UNKNOWN_FIELDS, UPDATING, WIRE_FORMAT } from '../rule-links.ts';

/** The same values with less waste: what the writer alone changes. Measured against the bytes as captured. */
export const writtenChange: ChangeKind<WrittenChange> = {
  alter(change, forms) {
    wasteIn(change);
    return forms;
  },
  touches: () => [],
  compatibility: (change) => WASTE_COMPATIBILITY[wasteIn(change)],
  effort: () => 'writer only',
};

/** Unknown fields are values that some reader may know: without them not every value would come back. */
export const LOSSLESS_WASTE = WRITER_WASTE.filter((kind) => kind !== 'unknown fields');

/** @throws ImpossibleChange */
export function wasteIn({ without }: WrittenChange): WriterWaste {
  const kind = LOSSLESS_WASTE.find((one) => one === without);
  if (kind === undefined) throw new ImpossibleChange(`There is no waste "${without}" that can be left out`);
  return kind;
}

const safe = (text: string, link: string): Compatibility => ({
  binary: 'safe',
  json: 'safe',
  source: 'safe',
  reasons: [{ about: 'binary', text, link }],
});

export const WASTE_COMPATIBILITY: Readonly<Record<WriterWaste, Compatibility>> = {
  'overlong varints': safe('Every parser reads the shortest varint as the same number.', WIRE_FORMAT),
  'padded lengths': safe('Every parser reads the shortest length as the same number.', WIRE_FORMAT),
  'defaults written': safe('A field without presence has its default where it is not written.', PRESENCE),
  'unpacked runs': safe('Parsers must take both forms, packed and expanded.', PACKED),
  'repeated scalars': safe('Of a singular scalar field that comes several times, the last one counts.', UPDATING),
  'unknown fields': {
    binary: 'conditional',
    json: 'safe',
    source: 'safe',
    reasons: [{ about: 'binary', text: 'A reader of a newer schema may need them.', link: UNKNOWN_FIELDS }],
  },
};
