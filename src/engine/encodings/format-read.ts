/** The reading of a payload that was captured in a format of its own. */
import type { AnnotationTable } from '../model/annotation.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';
import type { MessageValue } from './message-value.ts';

/** A captured payload: its rows, and the same message in protobuf. */
export interface FormatRead {
  readonly table: AnnotationTable<FieldDescriptor>;
  /** The part that the type explains; empty without a type. */
  readonly protobuf: Uint8Array;
  /** Its items' rows are rows of `table`; null without a type. */
  readonly value: MessageValue | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** Never throws. @param type undefined: by the payload's own names */
export type FormatReader = (bytes: Uint8Array, type: MessageDescriptor | undefined) => FormatRead;

export type FindType = (fullName: string) => MessageDescriptor | undefined;
