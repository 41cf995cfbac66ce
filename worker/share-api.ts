/** Calls that prepare a link or file: the messages without their contents. */
import type { GroupTypes } from '#engine/analysis/plan/group-readings.ts';
import type { AnalyzeParams } from './analysis-api.ts';
import type { MessageScope } from './input-api.ts';
import type { SchemaFile } from './schema-api.ts';

export type ShapeAnswer =
  | {
      readonly ok: true;
      readonly payload: Uint8Array<ArrayBuffer>;
      /** Ids of how the payload is read. */
      readonly framing: string;
      readonly messages: number;
    }
  /** The reason why there is no link, as a sentence. */
  | { readonly ok: false; readonly reason: string };

/** The files of the schema that reading the messages takes. */
export interface NeededFiles {
  /** Paths of loaded files that it does not take. */
  readonly unneeded: readonly string[];
  /** The descriptor sets with the files alone that it takes; those without any are left out. */
  readonly sets: readonly SchemaFile[];
  /** Paths of files that ship with the app, where no loaded one has the type. */
  readonly shipped: readonly string[];
}

export interface NeededFilesParams {
  /** Full name; null: the types of all messages of the open capture. */
  readonly type: string | null;
  /** Types that the user chose for groups of the capture. */
  readonly types: GroupTypes;
  /** Full names of the types that the messages hold in a google.protobuf.Any; null: not known of all messages. */
  readonly held: readonly string[] | null;
  /** The loaded descriptor sets. */
  readonly sets: readonly SchemaFile[];
}

export interface ShareApi {
  neededFiles(params: NeededFilesParams): NeededFiles;
  /** `of`: full name of the type whose messages are meant. */
  shape(params: AnalyzeParams & { readonly scope: MessageScope; readonly of: string }): ShapeAnswer;
}
