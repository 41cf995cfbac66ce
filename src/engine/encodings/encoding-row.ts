/** A row of the registry of encodings, and the input of an encoding. */
import type { AnnotationTable } from '../model/annotation.ts';
import type { FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';
import { type EncodedRows, KeptRows, type RowsWithOrigin } from './encoded-rows.ts';
import type { LossCounts } from './losses.ts';
import type { MessageValue } from './message-value.ts';
import type { Refused, Written } from './token-writer.ts';

/** A message as captured, and its rows. */
export interface Captured {
  readonly bytes: Uint8Array;
  readonly table: AnnotationTable<FieldDescriptor>;
  /** Values that the message does not carry as its type holds them. */
  readonly losses: LossCounts;
}

/** A message that is written in an encoding. */
export interface EncodingSubject {
  readonly type: MessageDescriptor;
  readonly value: MessageValue;
  /** Records and values of the message that are not in `value`. */
  readonly dropped: LossCounts;
  /** The message in protobuf, and its rows. */
  readonly bytes: Uint8Array;
  readonly table: AnnotationTable<FieldDescriptor>;
  /** The captured message, if it was captured in another encoding. */
  readonly captured?: Captured | undefined;
  /**
   * Whether other messages follow in the same stream. An encoding that does not say where a message ends begins with
   * its size then.
   */
  readonly isDelimited?: boolean;
}

export interface EncodingRow {
  readonly id: string;
  readonly label: string;
  /** The mapping of values, in one or two sentences. */
  readonly mapping: string;
  /** Whether it is measured by default. */
  readonly isCommon: boolean;
  /** Byte that is written after each of several consecutive messages. */
  readonly separator?: number;
  /** Whether the encoding supports a type; default: all types. */
  readonly isFor?: (type: MessageDescriptor) => boolean;
  readonly write: (subject: EncodingSubject, rows: EncodedRows) => Written | Refused;
}

export interface Encoded extends Written, RowsWithOrigin {}

/** A message in an encoding, with all of its rows. */
export function encode(row: EncodingRow, subject: EncodingSubject): Encoded | Refused {
  const rows = new KeptRows();
  const written = row.write(subject, rows);
  return written.ok ? { ...written, ...rows.kept() } : written;
}
