/** All kinds of changes: one file and one row here for each, in the order in which they are applied. */
import { type Change, type ChangeKind, ImpossibleChange } from '../change.ts';
import { columnsChange } from './columns.ts';
import { compressorChange } from './compressor.ts';
import { constantChange } from './constant.ts';
import { dictionaryChange } from './dictionary.ts';
import { enumChange } from './enum.ts';
import { leftOutChange } from './left-out.ts';
import { mapChange } from './map.ts';
import { messageEncodingChange } from './message-encoding.ts';
import { newFieldChange } from './new-field.ts';
import { numberChange } from './number.ts';
import { oneofChange } from './oneof.ts';
import { otherSchemaChange } from './other-schema.ts';
import { packedChange } from './packed.ts';
import { presenceChange } from './presence.ts';
import { symbolTableChange } from './symbol-table.ts';
import { typeChange } from './type.ts';
import { writtenChange } from './written.ts';

const KINDS: { readonly [K in Change['change']]: ChangeKind<Extract<Change, { change: K }>> } = {
  'other schema': otherSchemaChange,
  // Changes name the left-out values of the unchanged fields.
  'left out': leftOutChange,
  'new field': newFieldChange,
  type: typeChange,
  enum: enumChange,
  'symbol table': symbolTableChange,
  // A field in a oneof has presence.
  oneof: oneofChange,
  presence: presenceChange,
  map: mapChange,
  // The new fields have the types that the values have by now.
  constant: constantChange,
  columns: columnsChange,
  packed: packedChange,
  'message encoding': messageEncodingChange,
  number: numberChange,
  written: writtenChange,
  compressor: compressorChange,
  dictionary: dictionaryChange,
};

/** @throws ImpossibleChange for an unknown kind */
export function kindOf(change: Change): ChangeKind<Change> {
  const kind = Object.hasOwn(KINDS, change.change) ? KINDS[change.change] : undefined;
  if (kind === undefined) throw new ImpossibleChange(`There is no change "${change.change}"`);
  return kind as unknown as ChangeKind<Change>;
}

const ORDER = Object.keys(KINDS);

export const rankOf = ({ change }: Change): number => ORDER.indexOf(change);
