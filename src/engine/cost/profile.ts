/**
 * A profile: the ledgers of many messages of one type, added up by field path. It is plain data and the JSON
 * that the command line prints (`docs/profile-json.md`). All figures are integers.
 *
 *   Σ fields (protobuf.tag + length + value) + unattributed = bytes.protobuf
 *   Σ fields (Σ native) = bytes.native
 */
import type { Category } from '../model/annotation.ts';
import type { Presence } from '../schema/descriptor.ts';
import type { TypeCost, WriterCost } from './alternatives.ts';

export interface ProtobufLedger {
  /** Tags; of a group, start and end tag. */
  readonly tag: number;
  readonly length: number;
  /** 0 for messages: their contents are their fields'. */
  readonly value: number;
}

export interface NativeLedger {
  readonly flag: number;
  readonly count: number;
  readonly length: number;
  readonly type: number;
  readonly value: number;
  /** Cells of encodings that are made of tokens: JSON, MessagePack, CBOR, Thrift. */
  readonly key?: number;
  readonly punctuation?: number;
  readonly quotes?: number;
  readonly 'group-end'?: number;
  readonly unattributed?: number;
}

export const nativeBytesOf = ({ native }: Pick<FieldProfile, 'native'>): number =>
  Object.values(native).reduce((sum, bytes) => sum + bytes, 0);

/** The second side of a profile where that is an encoding and no native profile. */
export interface OtherSide {
  /** `JSON`. */
  readonly label: string;
  /** The messages came in it, and protobuf is computed. */
  readonly isCaptured: boolean;
  /** No type fits them: there is no protobuf to compare with. */
  readonly isAlone: boolean;
}

/** Index w − 1: how many varints took w bytes, w from 1 to 10. */
export type WidthHistogram = readonly number[];

export interface FieldProfile {
  /** `timeseries.labels.name`; a map's entries are `m.key`, `m.value`; unknown numbers `?7`; extensions `[full.name]`. */
  readonly path: string;
  /** Path of the parent; empty at the top. */
  readonly parent: string;
  /** Last segment of the path. */
  readonly name: string;
  readonly number: number;
  /** As declared; null for an unknown number. `type` is a scalar's name or the full name of the message or enum. */
  readonly declared: {
    /** Full name of the field: `example.Hit.version`. */
    readonly fullName: string;
    readonly type: string;
    readonly kind: string;
    readonly cardinality: 'singular' | 'repeated' | 'map';
    readonly presence: Presence;
    readonly packed: boolean;
  } | null;
  /** How the native side writes it, in words; null where it has no place there. */
  readonly writer: string | null;
  /** Records: tags on the wire. A packed run is one. */
  readonly occurrences: number;
  /** Values: the elements of packed runs counted singly. */
  readonly elements: number;
  readonly packedRuns: number;
  /** Instances of the parent, and those of them in which the field is present. */
  readonly parents: number;
  readonly presence: number;
  readonly protobuf: ProtobufLedger;
  readonly native: NativeLedger;
  /** Native bytes that stand for values that protobuf leaves out, without their flags. */
  readonly absent: number;
  /**
   * Bytes of names that only one side writes. `protobuf`: a map's key that the value has too, where it is written once
   * natively. `native`: the name that identifies a member of a choice, with its length; such a member has no type bytes
   * but its name's.
   */
  readonly names: { readonly protobuf: number; readonly native: number };
  /** Bytes by which native length prefixes are narrower because they count UTF-16 units where protobuf counts bytes. */
  readonly utf16: number;
  /** How many varints of each width, for the tag, the length and the value (null: not written as varints). */
  readonly widths: {
    readonly tag: WidthHistogram;
    readonly length: WidthHistogram | null;
    readonly value: WidthHistogram | null;
  };
  /** Smallest and largest value in bytes: a payload, or an element of a packed run; 0 and 0 without values. */
  readonly size: { readonly min: number; readonly max: number };
  /** Bytes that the same values did not need: overlong varints; negative int32, int64 or enum values beyond their zigzag width; defaults written although absence says the same. */
  readonly waste: { readonly overlong: number; readonly negative: number; readonly defaults: number };
  /** The native bytes by each writer that holds the values, the one in use first; empty where there is no choice or it is not known without writing. */
  readonly writers: readonly WriterCost[];
  /** The protobuf bytes with each type that holds the values, the declared one first; empty where it is not known. */
  readonly types: readonly TypeCost[];
}

/** Bytes by category. */
export type LedgerCells = Readonly<Partial<Record<Category, number>>>;

/** Bytes of messages in an encoding, by field path. */
export interface EncodingLedger {
  readonly label: string;
  /** Bytes of all messages; null: the encoding has no form for one of them. */
  readonly bytes: number | null;
  /** Why not. */
  readonly refused: string | null;
  /** Values that the encoding does not carry, in words with their count. */
  readonly losses: readonly string[];
  /** `''`: the messages themselves. */
  readonly fields: Readonly<Record<string, LedgerCells>>;
}

export interface Profile {
  /** Full name; empty where there is no schema. */
  readonly type: string;
  /** Id of the native profile, or of the encoding that takes its place; null where nothing was measured beside protobuf. */
  readonly nativeProfile: string | null;
  readonly other?: OtherSide;
  readonly messages: number;
  readonly bytes: { readonly protobuf: number; readonly native: number };
  /**
   * Bytes of the transport's headers that are written as messages are, in both encodings; null: there are none. They
   * are beside the messages: no part of `bytes` or of any field.
   */
  readonly header: { readonly protobuf: number; readonly native: number } | null;
  /** By id of the encoding: those that were asked for beside protobuf and the native one (`encoding-ledger.ts`). */
  readonly ledgers: Readonly<Record<string, EncodingLedger>>;
  /** Bytes that no rule explains. */
  readonly unattributed: number;
  /** In schema order, parents before their children; fields that never occur are listed while their parent does. */
  readonly fields: readonly FieldProfile[];
}

/** The side whose bytes were captured, where one of the two is looked at alone: an encoding that messages came in, or protobuf. */
export const capturedSide = ({ other }: Pick<Profile, 'other'>): 'protobuf' | 'native' =>
  other?.isCaptured ? 'native' : 'protobuf';

/** Whether most bytes have no place in a record. If so, `analysis/implausibility.ts` lists the evidence against protobuf. */
export const isImplausible = ({ bytes, unattributed }: Pick<Profile, 'bytes' | 'unattributed'>): boolean =>
  unattributed * 2 > bytes.protobuf;
