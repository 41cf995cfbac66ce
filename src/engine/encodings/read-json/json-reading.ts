/** The interface of the JSON reader that the forms of well-known types use. */
import type { FieldDescriptor, MessageDescriptor } from '../../schema/descriptor.ts';
import type { FindType } from '../format-read.ts';
import type { MessageValue, Scalar, SetField } from '../message-value.ts';
import type { TextSpan } from '../text-cursor.ts';
import type { JsonCursor } from './json-cursor.ts';
import type { JsonToken } from './read-scalar.ts';

export interface JsonReading {
  readonly cursor: JsonCursor;
  readonly findType: FindType;
  message(type: MessageDescriptor): MessageValue | undefined;
  misfit(what: string): undefined;
  object(take: (name: string, key: TextSpan) => void): void;
  member(
    type: MessageDescriptor,
    name: string,
    key: TextSpan,
    drafts: Map<FieldDescriptor, SetField>,
    shownAs?: (field: FieldDescriptor) => FieldDescriptor,
  ): boolean;
  unknownMember(name: string, key: TextSpan, type?: MessageDescriptor): void;
  token(): JsonToken | null;
  scalar(field: FieldDescriptor, isKey?: boolean): Scalar | undefined;
}
