/** All kinds of changes: one file and one row here for each. */
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
  type: typeChange,
  number: numberChange,
  packed: packedChange,
  presence: presenceChange,
  'left out': leftOutChange,
  'new field': newFieldChange,
  compressor: compressorChange,
  columns: columnsChange,
  constant: constantChange,
  dictionary: dictionaryChange,
  map: mapChange,
  'message encoding': messageEncodingChange,
  oneof: oneofChange,
  enum: enumChange,
  'symbol table': symbolTableChange,
  'other schema': otherSchemaChange,
  written: writtenChange,
};

/** @throws ImpossibleChange for an unknown kind */
export function kindOf(change: Change): ChangeKind<Change> {
  const kind = Object.hasOwn(KINDS, change.change) ? KINDS[change.change] : undefined;
  if (kind === undefined) throw new ImpossibleChange(`There is no change "${change.change}"`);
  return kind as unknown as ChangeKind<Change>;
}
