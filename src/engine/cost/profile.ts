/**
 * A profile: the ledgers of many messages of one type, added up by field path. It is plain data and the JSON
 * that the command line prints (`docs/profile-json.md`). All figures are integers.
 *
 * Its ledgers are named by the id of their encoding: `protobuf`, `opensearch`, `json` … For each of them
 *
 *   Σ fields (Σ cells) + Σ own = bytes
 */
import type { Category } from '../model/annotation.ts';
import type { Presence } from '../schema/descriptor.ts';
import type { AlternativeCost, WriterCost } from './alternatives.ts';
import type { WasteBytes } from './waste-rules.ts';

/**
 * Bytes by category. In protobuf: `tag` (of a group, start and end tag), `length`, and `value`, which is 0 for messages:
 * their contents are their fields'. Native layouts: `flag`, `count`, `length`, `type`, `value`. Encodings that are made
 * of tokens have `key`, `punctuation`, `quotes`, `group-end`, too.
 */
export type LedgerCells = Readonly<Partial<Record<Category, number>>>;

/** The second ledger of the pair where that is an encoding and no native profile. */
export interface OtherSide {
  /** `JSON`. */
  readonly label: string;
  /** The messages came in it, and protobuf is computed. */
  readonly isCaptured: boolean;
  /** No type fits them: there is no protobuf to compare with. */
  readonly isAlone: boolean;
}

/** Index w − 1: how many varints took w bytes, w from 1 to 10. */
export type WidthCounts = readonly number[];

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
  /** The field's own bytes, by id of the encoding. */
  readonly ledgers: Readonly<Record<string, LedgerCells>>;
  /** Native bytes that stand for values that protobuf leaves out, without their flags. */
  readonly absent: number;
  /**
   * Bytes of names that only one encoding writes, by its id. `protobuf`: a map's key that the value has too, where it is
   * written once natively. A native profile: the name that identifies a member of a choice, with its length; such a
   * member has no type bytes but its name's.
   */
  readonly names: Readonly<Record<string, number>>;
  /** Bytes by which native length prefixes are narrower because they count UTF-16 units where protobuf counts bytes. */
  readonly utf16: number;
  /** How many varints of each width, for the tag, the length and the value (null: not written as varints). */
  readonly widths: {
    readonly tag: WidthCounts;
    readonly length: WidthCounts | null;
    readonly value: WidthCounts | null;
  };
  /** Smallest and largest value in bytes: a payload, or an element of a packed run; 0 and 0 without values. */
  readonly size: { readonly min: number; readonly max: number };
  /** Bytes that the same values did not need, by rule. */
  readonly waste: WasteBytes;
  /** The native bytes by each writer that holds the values, the one in use first; empty where there is no choice or it is not known without writing. */
  readonly writers: readonly WriterCost[];
  /** The protobuf bytes with each type that holds the values, the declared one first; empty where it is not known. */
  readonly types: readonly AlternativeCost[];
}

/** The bytes of all messages in an encoding. `FieldProfile.ledgers` has those of each field. */
export interface LedgerTotals {
  readonly label: string;
  /** Bytes of all messages; null: the encoding has no form for one of them. */
  readonly bytes: number | null;
  /** Why not. */
  readonly refused: string | null;
  /** Values that the encoding does not carry, in words with their count. */
  readonly losses: readonly string[];
  /** Bytes of no field of the profile, by path. `''`: the messages themselves, and bytes that no rule explains. */
  readonly own: Readonly<Record<string, LedgerCells>>;
}

export interface Profile {
  /** Full name; empty where there is no schema. */
  readonly type: string;
  /**
   * Ids of the two ledgers that are compared: protobuf, and a native profile or another encoding; null where nothing was
   * measured beside protobuf. A difference is the first minus the second.
   */
  readonly pair: LedgerPair;
  readonly other?: OtherSide;
  readonly messages: number;
  /** By id of the encoding: those of the pair, and those that were asked for beside them (`encoding-ledger.ts`). */
  readonly ledgers: Readonly<Record<string, LedgerTotals>>;
  /**
   * Bytes of the transport's headers that are written as messages are, by id of the encoding; null: there are none.
   * They are beside the messages: no part of any ledger.
   */
  readonly header: Readonly<Record<string, number>> | null;
  /** Bytes that no rule explains; the protobuf ledger has them as its own. */
  readonly unattributed: number;
  /** In schema order, parents before their children; fields that never occur are listed while their parent does. */
  readonly fields: readonly FieldProfile[];
}

export type LedgerPair = readonly [string, string | null];

export const PROTOBUF = 'protobuf';

/** Bytes of a field, or of a part of a tree, in one encoding; 0 where it has none. */
export const bytesIn = ({ ledgers }: Pick<FieldProfile, 'ledgers'>, id: string | null): number =>
  sumCells(cellsIn({ ledgers }, id));

export const cellsIn = ({ ledgers }: Pick<FieldProfile, 'ledgers'>, id: string | null): LedgerCells =>
  (id === null ? undefined : ledgers[id]) ?? NO_CELLS;

export const sumCells = (cells: LedgerCells): number => Object.values(cells).reduce((sum, bytes) => sum + bytes, 0);

export function addCells(a: LedgerCells, b: LedgerCells): LedgerCells {
  const sum: Partial<Record<Category, number>> = { ...a };
  for (const [category, bytes] of Object.entries(b) as [Category, number][])
    sum[category] = (sum[category] ?? 0) + bytes;
  return sum;
}

/** Bytes of all messages in one encoding; 0 where there is no such ledger, or it was refused. */
export const totalIn = ({ ledgers }: Pick<Profile, 'ledgers'>, id: string | null): number =>
  (id === null ? undefined : ledgers[id])?.bytes ?? 0;

const NO_CELLS: LedgerCells = {};

/** The bytes of the header in both encodings of the pair; null without a header. */
export function headerSides({ header, pair: [first, second] }: Profile) {
  if (header === null) return null;
  return { protobuf: header[first] ?? 0, native: (second === null ? undefined : header[second]) ?? 0 };
}

/** Id of the ledger of what was captured: an encoding that messages came in, or protobuf. */
export const capturedLedger = ({ pair, other }: Pick<Profile, 'pair' | 'other'>): string =>
  (other?.isCaptured ? pair[1] : null) ?? pair[0];

/** Whether most bytes have no place in a record. If so, `analysis/implausibility.ts` lists the evidence against protobuf. */
export const isImplausible = (profile: Pick<Profile, 'ledgers' | 'unattributed'>): boolean =>
  profile.unattributed * 2 > totalIn(profile, PROTOBUF);
