/** What the thread holds between calls: the registry, the open input and its messages. */
import type { UndressedInput } from '#engine/frame/payload.ts';
import type { MessageDescriptor, Registry } from '#engine/schema/descriptor.ts';
import type { SchemaSymbols } from '#engine/schema/symbols.ts';
import type { MessageTable } from './message-table.ts';

export interface Session {
  schema: LoadedSchema;
  input: OpenInput | null;
}

export interface LoadedSchema {
  readonly registry: Registry;
  readonly symbols: SchemaSymbols;
  /** Files whose types are there to be imported only. */
  readonly shelved: ReadonlySet<string>;
}

export interface OpenInput {
  readonly undressed: UndressedInput;
  /** As it was settled when the input was opened, so that reading it again finds the same messages. */
  readonly framing: string;
  readonly messages: MessageTable;
  /** The type that the messages speak for; undefined until it is asked for, null once a message refuted it. */
  guess: MessageDescriptor | null | undefined;
  /** The list as last asked for: ordinals in its order. */
  list: { readonly key: string; readonly ordinals: Uint32Array } | null;
}

export function opened({ input }: Session): OpenInput {
  if (!input) throw new Error('No input is open.');
  return input;
}
