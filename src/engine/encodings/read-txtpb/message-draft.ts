/** A message that is being read. Its fields may be in any order, and may be repeated. */
import type { FieldDescriptor, MessageDescriptor } from '../../schema/descriptor.ts';
import {
  compareKeys,
  isDefault,
  isMessageField,
  type MapEntry,
  type MessageValue,
  type Scalar,
  type SetField,
} from '../message-value.ts';

export interface DraftItem {
  readonly row: number;
  readonly value: Scalar | MessageDraft;
}

interface DraftEntry {
  readonly row: number;
  readonly key: DraftItem;
  readonly value: DraftItem;
}

export interface DraftField {
  readonly row: number;
  readonly items: DraftItem[];
  readonly entries: Map<string, DraftEntry>;
}

export class MessageDraft {
  readonly type: MessageDescriptor;
  readonly fields = new Map<FieldDescriptor, DraftField>();
  /** Number of fields whose value is of another kind. */
  misfits = 0;

  constructor(type: MessageDescriptor) {
    this.type = type;
  }

  /** The field's draft. A new draft gets the row. */
  field(field: FieldDescriptor, row: number): DraftField {
    let draft = this.fields.get(field);
    if (draft === undefined) {
      draft = { row, items: [], entries: new Map() };
      this.fields.set(field, draft);
    }
    return draft;
  }

  /** Fields sorted by number, without absent ones. */
  finish(): MessageValue {
    const fields: SetField[] = [];
    for (const [field, { row, items, entries }] of this.fields) {
      if (items.length === 0 && entries.size === 0) continue;
      const [first] = items;
      const isPlain = field.cardinality === 'singular' && field.presence === 'implicit' && !isMessageField(field);
      if (isPlain && isDefault(field, first!.value as Scalar)) continue;
      fields.push({
        field,
        row: field.cardinality === 'singular' ? first!.row : row,
        items: items.map(finished),
        entries: sorted(entries),
      });
    }
    return { type: this.type, fields: fields.sort((a, b) => a.field.number - b.field.number) };
  }
}

const finished = ({ row, value }: DraftItem) => ({
  row,
  value: value instanceof MessageDraft ? value.finish() : value,
});

const sorted = (entries: ReadonlyMap<string, DraftEntry>): readonly MapEntry[] =>
  [...entries.values()]
    .map(({ row, key, value }) => ({ row, key: finished(key), value: finished(value) }))
    .sort((a, b) => compareKeys(a.key.value as Scalar, b.key.value as Scalar));
