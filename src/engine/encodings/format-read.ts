/** The result of reading a payload that was captured in a format other than protobuf. */
import type { AnnotationTable } from '../model/annotation.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';
import type { LossCounts, PlacedLosses } from './losses.ts';
import type { MessageValue } from './message-value.ts';

/** A captured payload: its rows, and the message as protobuf. */
export interface FormatRead {
  readonly table: AnnotationTable<FieldDescriptor>;
  /** The part that the type explains; empty: there is no type. */
  readonly protobuf: Uint8Array;
  /** The rows of its items are rows of `table`; null: there is no type. */
  readonly value: MessageValue | null;
  readonly diagnostics: readonly Diagnostic[];
  /** Values that the payload does not carry as the type holds them. */
  readonly losses: LossCounts;
  /** The first value of each kind that is lost. */
  readonly firstLosses: PlacedLosses['firsts'];
}

/** Never throws. @param type undefined: reads by the payload's own names */
export type FormatReader = (bytes: Uint8Array, type: MessageDescriptor | undefined) => FormatRead;

export type FindType = (fullName: string) => MessageDescriptor | undefined;
