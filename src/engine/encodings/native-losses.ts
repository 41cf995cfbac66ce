/** Counts the values of a message that a native profile loses. */
import type { NativeProfile } from '../native/profiles.ts';
import type { FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';
import { annotate } from '../wire/annotate.ts';
import { floatText, isUtf8 } from './json-scalar.ts';
import { countLoss, type LossCounts } from './losses.ts';
import { type Item, type MessageValue, readMessageValue, turnsNegative } from './message-value.ts';

export function nativeLosses({ lacks }: NativeProfile, value: MessageValue): LossCounts {
  const losses: LossCounts = {};
  if (lacks !== undefined) countLacked(losses, lacks, value);
  countLoss(losses, 'invalid-utf8', countIn(value, isInvalidText));
  countLoss(losses, 'extension', countExtensions(value));
  return losses;
}

type Lacked = NonNullable<NativeProfile['lacks']>;

const countLacked = (losses: LossCounts, lacks: Lacked, value: MessageValue): void =>
  countLoss(losses, lacks, countIn(value, LACKED[lacks]));

/** The values of a message in protobuf that a format lacks. */
export const lackedIn =
  (lacks: Lacked) =>
  (message: Uint8Array, type: MessageDescriptor): LossCounts => {
    const losses: LossCounts = {};
    countLacked(losses, lacks, readMessageValue(message, annotate(message, type).table, type).value);
    return losses;
  };

type IsLost = (field: FieldDescriptor, value: Item['value']) => boolean;

const isMessage = (value: Item['value']): value is MessageValue =>
  typeof value === 'object' && !(value instanceof Uint8Array);

function countExtensions({ fields }: MessageValue): number {
  let count = 0;
  for (const { field, items, entries } of fields) {
    if (field.isExtension) count++;
    else
      for (const { value } of [...items, ...entries.map((entry) => entry.value)])
        if (isMessage(value)) count += countExtensions(value);
  }
  return count;
}

function countIn({ fields }: MessageValue, isLost: IsLost): number {
  let count = 0;
  const look = (field: FieldDescriptor, { value }: Item): void => {
    if (isMessage(value)) count += countIn(value, isLost);
    else if (isLost(field, value)) count++;
  };
  for (const { field, items, entries } of fields) {
    // Extensions are not written, nor is what they contain.
    if (field.isExtension) continue;
    if (field.cardinality !== 'map') for (const item of items) look(field, item);
    for (const { key, value } of entries) {
      look(field.message!.byNumber.get(1)!, key);
      look(field.message!.byNumber.get(2)!, value);
    }
  }
  return count;
}

const isNaNOf: IsLost = ({ type }, value) =>
  value instanceof Uint8Array && (type === 'float' || type === 'double') && floatText(value) === 'NaN';

const LACKED: Readonly<Record<Lacked, IsLost>> = {
  nan: isNaNOf,
  unsigned: (_, value) => turnsNegative(value, 64),
  vlong: ({ type }, value) => type === 'uint64' && turnsNegative(value, 64),
};

const isInvalidText: IsLost = ({ type }, value) => type === 'string' && value instanceof Uint8Array && !isUtf8(value);
