/** Sentences of the explorer. */

import { plural } from '#engine/model/count-text.ts';
import { isBuiltInFile } from '#engine/schema/names.ts';
import { formatCount, formatPercent } from './number-text.ts';

export const EXPLORER_NOTES = {
  layout: 'Bytes of one record of each field',
  mayFollow: 'may follow',
  addB: 'Choose B to see:',
  addA: 'There is no A yet. Load a schema on the schema’s page, then choose B here.',
  toSchema: 'Load a schema',
  loadIt:
    'It may be in a file that is not loaded. Drop the file or its folder anywhere in this window, or search for a part of the name.',
  versions:
    'A is the schema that is loaded. B is a second version of it: what changed from A to B, whether messages of the one can be read by the other, and what the messages that are added up would cost.',
  noDifference: 'Nothing: both versions say the same.',
  secondFiles: 'Files of the second version',
  chooseFiles: 'Other files as B…',
  secondFolder: 'Folder of the second version',
  chooseFolder: 'A folder as B…',
  schemaAlone: 'Costs by the schema alone',
  guessed: 'Guessed from the name.',
  measuredMap: 'Bytes of each type’s own fields, in the messages that are added up.',
  declaredMap: 'One record of each field, with the shortest value: what the declarations alone cost.',
  map: 'Where the cost sits',
  noMap: 'No map is drawn for more than 4,000 types.',
  mapOfTypes: 'Types by their cost',
  mapTable: 'The table below has the largest types; the catalog has all of them.',
  wideTags: 'Tags of two bytes and more',
  largeVarints: 'Varints of large numbers',
  textIds: 'Text that looks like ids',
  costly: 'Facts of the schema alone, before any message is seen. The messages decide whether they matter.',
  noneCostly: 'No field is of this kind.',
  ships: 'Ships with the app',
  searchingUses: 'Its uses are still being searched for…',
  tagOfThree: 'A number above 2,047 takes a tag of three bytes or more',
  tagOfTwo: 'A number above 15 takes a tag of two bytes',
  addFiles: 'Schema files to add',
  addFolder: 'Folder of schema files to add',
  addImport: 'File for a missing import',
  makeRoot: 'Make it the root',
  readAs: 'Read the input as',
  noFields: 'It has none: on the wire it is empty.',
  oneRecord: 'One record, byte by byte',
  anyName: 'Types, fields, methods, packages and files by any part of their name',
  memberName: 'Fields, methods and enum values by any part of their name',
  usedType: 'Fields and methods by the type they use, such as Timestamp or sint64',
  search: 'Search by any part of a name',
  noSymbol: 'No symbol has this name.',
  notInSchema: 'Not in the schema',
  notLoaded: 'No loaded symbol is called',
  filesWithName: 'These files have such a name:',
  closedEnum: 'Closed: a number that is not listed is kept as an unknown field.',
  openEnum: 'Open: a number that is not listed is kept as it is.',
  tooLarge: 'The schema is too large for a link, so this one is without it.',
  empty:
    'You have not loaded a schema. Drop .proto files, a folder of them, a zip archive, a descriptor set or a buf image anywhere in this window.',
  missingImports: 'Imports that are missing',
  shipped: 'Ship with the app',
  compared: 'Messages that no loaded type fits are compared with these, too.',
  remembered: 'This browser remembers them on this machine until you forget them. They are never sent anywhere.',
  negative: 'int32, int64 that may be negative',
  costlyFields: 'fields that cost more than they need',
  endless: 'without end: a message inside it contains it',
} as const;

/** Parts of a comparison with a second version. */
export const COMPARED = [
  [
    'What changed',
    'types, fields, values of enums and methods that were added, removed, renamed or declared otherwise',
  ],
  ['Who still understands whom', 'each change is compatible, compatible with care, or incompatible, with the reason'],
  ['What it costs', 'the messages that are added up, by field, as A and B write them'],
] as const;

/** The legend of a record whose end is not drawn. */
export const moreBytesThanDrawn = (drawn: number): string => `may be longer than ${formatCount(drawn)} bytes`;
/** `3 files, 12 message types`: without the files that every compiler brings along, whose types are not counted either. */
export const schemaWords = ({ files, types }: { readonly files: readonly string[]; readonly types: number }): string =>
  `${plural(files.filter((path) => !isBuiltInFile(path)).length, 'file')}, ${plural(types, 'message type')}`;
export const shippedWords = (files: number, types: number): string =>
  `${formatCount(files)} files; messages are compared with ${formatCount(types)} types`;

/** Measured messages among all of them. */
export const measuredOf = (messages: number, outOf: number): string =>
  `measured on ${formatCount(messages)} of ${formatCount(outOf)} messages`;
/** Fields whose values were not written in B. */
export const lostIn = (fields: readonly string[]): string => `B has no place for values of ${fields.join(', ')}`;
export const moreChanges = (count: number): string => `and ${formatCount(count)} more; none of them is worse`;
export const moreFieldsThanShown = (count: number): string => `and ${formatCount(count)} more, not listed here`;
export const guessedFinding = (finding: string): string => `${finding} ${EXPLORER_NOTES.guessed}`;

/** Found names, while the members of only a part of the types are listed. */
export const foundSoFar = (found: string, listed: number): string =>
  `${found}; members of ${formatPercent(listed)} of the types are listed`;

/** The writer of a field, and its bytes where the field is absent and where it is present. */
export const nativeCost = (writer: string, absent: string, present: string): string =>
  `native: ${writer}; absent ${absent}, present ${present}`;

/** `tag 1, a record 2–11; 200 records, 100 % present` */
export const recordsWords = (tag: number, record: string, records: number, present: string): string =>
  `tag ${tag}, a record ${record}; ${plural(records, 'record')}${present === '·' ? '' : `, ${present} present`}`;
