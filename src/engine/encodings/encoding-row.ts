/** A row of the registry of encodings, and the input of an encoding. */
import type { AnnotationTable } from '../model/annotation.ts';
import type { FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';
import type { MessageValue } from './message-value.ts';
import type { Encoded, Refused } from './token-writer.ts';

/** A message as it came, and its rows. */
export interface Captured {
  readonly bytes: Uint8Array;
  readonly table: AnnotationTable<FieldDescriptor>;
}

/** A message to be written again. */
export interface EncodingSubject {
  readonly type: MessageDescriptor;
  readonly value: MessageValue;
  /** Records that no field explains. */
  readonly unknown: number;
  /** The message in protobuf, and its rows. */
  readonly bytes: Uint8Array;
  readonly table: AnnotationTable<FieldDescriptor>;
  /** Where it came in another encoding. */
  readonly captured?: Captured | undefined;
  /** The type that the URL of a google.protobuf.Any names. */
  readonly findType: (fullName: string) => MessageDescriptor | undefined;
}

export interface EncodingRow {
  readonly id: string;
  readonly label: string;
  /** How values are mapped, in a sentence or two. */
  readonly mapping: string;
  /** Measured where nothing else is asked for. */
  readonly isCommon: boolean;
  /** Written after each of several messages in a row. */
  readonly separator?: number;
  /** Types that it is for; all by default. */
  readonly isFor?: (type: MessageDescriptor) => boolean;
  readonly encode: (subject: EncodingSubject) => Encoded | Refused;
}
