/** All searches for proposals, one row each, fast ones first. */
import { columns } from './columns.ts';
import { enums } from './enums.ts';
import { decimals, floats, wholeNumbers } from './floats.ts';
import { fixed, narrowIntegers, signed, unsigned, varint } from './integers.ts';
import { packing } from './packing.ts';
import { planes } from './planes.ts';
import { alwaysSet, emptyMessages, loneOneofs, sentinels, setDefaults } from './presence.ts';
import type { Propose } from './proposal.ts';
import { differences, sequences } from './sequences.ts';
import { shifts } from './shifts.ts';
import { delimited, renumbering } from './structure.ts';
import { otherSchemas, symbolTables } from './tables.ts';
import { idsAsHex, spelledTexts } from './texts.ts';
import { times } from './times.ts';
import { constants, maps, onlyFields } from './wrapped.ts';

export const PROPOSALS: readonly Propose[] = [
  emptyMessages,
  signed,
  sentinels,
  packing,
  delimited,
  renumbering,
  symbolTables,
  otherSchemas,
  enums,
  spelledTexts,
  times,
  onlyFields,
  maps,
  constants,
  columns,
  varint,
  fixed,
  unsigned,
  narrowIntegers,
  floats,
  decimals,
  wholeNumbers,
  sequences,
  differences,
  planes,
  shifts,
  setDefaults,
  loneOneofs,
  alwaysSet,
  idsAsHex,
];
