/** The worker's state between calls: the registries, the open input and its messages. */

import type { TypeGuesses } from '#engine/analysis/message-reading.ts';
import type { GroupTypes, TypeLibrary } from '#engine/analysis/plan/group-readings.ts';
import type { NativeLayouts } from '#engine/analysis/plan/native-reading.ts';
import type { MessageStore } from '#engine/analysis/store/message-store.ts';
import type { OpenedSchema } from '#engine/schema/compile.ts';
import type { Registry } from '#engine/schema/descriptor.ts';
import type { SchemaFaults } from '#engine/schema/faults.ts';
import type { SchemaSymbols } from '#engine/schema/symbols.ts';
import type { TypeGraph } from '#engine/schema/type-graph.ts';

import type { SchemaFile } from './schema-api.ts';

export interface Session {
  schema: SessionSchema;
  /** The bundled schemas; types that are in no loaded schema are looked up here. */
  bundled: SessionSchema;
  /** Reads native messages by the loaded layouts, then by those that ship with the app. */
  layouts: NativeLayouts;
  input: StoredInput | null;
  /** A of a comparison: the input that was open when A was kept. */
  kept?: Session | null;
}

export interface SessionSchema {
  readonly registry: Registry;
  readonly symbols: SchemaSymbols;
  /** As they were sent. */
  readonly files: readonly SchemaFile[];
  /** Files that exist only to be imported. */
  readonly shelved: ReadonlySet<string>;
  readonly graph: TypeGraph;
  /** undefined: it has no findings. */
  readonly faults?: SchemaFaults | undefined;
  /** Goes through the types that are linked on demand; `symbols` has the places of their names afterwards. */
  readonly check: OpenedSchema['check'];
}

export interface StoredInput extends MessageStore {
  readonly guesses: TypeGuesses;
  /**
   * Types that the messages of groups show, among those of these registries, and named types that they contradict;
   * null: not known yet.
   */
  plans: {
    readonly of: TypeLibrary['registries'];
    readonly evidence: GroupTypes;
    readonly contradicted: Readonly<Record<string, string>>;
  } | null;
  /** The list as last asked for: ordinals in its order, and their payload bytes. */
  list: { readonly of: readonly unknown[]; readonly ordinals: Uint32Array; readonly bytes: number } | null;
  /** Messages that hold the text that was last looked for. */
  holding: { readonly key: string; readonly ordinals: ReadonlySet<number> } | null;
}

export function opened({ input }: Session): StoredInput {
  if (!input) throw new Error('No input is open.');
  return input;
}

export const sessionLibrary = ({ schema, bundled, layouts }: Session): TypeLibrary => ({
  registries: [schema.registry, bundled.registry],
  layouts,
  faults: schema.faults === undefined ? [] : [schema.faults],
});

/** The detected types of groups, as far as they were requested. */
export const evidenceOf = (session: Session): GroupTypes => opened(session).plans?.evidence ?? {};
