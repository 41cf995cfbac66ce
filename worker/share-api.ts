/** Calls that prepare a link or file: the messages without their contents. */
import type { AnalyzeParams } from './analysis-api.ts';
import type { MessageScope } from './input-api.ts';

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

/** The files of the schema that reading one type's messages takes. */
export interface NeededFiles {
  /** Paths of loaded files that it does not take. */
  readonly unneeded: readonly string[];
  /** Paths of files that ship with the app, where no loaded one has the type. */
  readonly shipped: readonly string[];
}

export interface ShareApi {
  /** `type`: full name. `named`: full names of types that its messages hold in a google.protobuf.Any. */
  neededFiles(params: { readonly type: string; readonly named: readonly string[] }): NeededFiles;
  /** `of`: full name of the type whose messages are meant; null: messages read by number. */
  shape(params: AnalyzeParams & { readonly scope: MessageScope; readonly of: string | null }): ShapeAnswer;
}
