/**
 * A profile: the ledgers of many messages of one type, added up by field path. It is plain data; the command line
 * prints it as JSON (`docs/profile-json.md`). All figures are integers.
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
 * Bytes by category. In protobuf: `tag` (for a group, start and end tag), `length`, and `value`, which is 0 for
 * messages because their contents belong to their fields. Native layouts: `flag`, `count`, `length`, `type`, `value`.
 * Encodings that consist of tokens also have `key`, `punctuation`, `quotes`, `space`, `offset`, `padding` and `group-end`.
 */
export type LedgerCells = Readonly<Partial<Record<Category, number>>>;

/** The second ledger of the pair, if it belongs to an encoding instead of a native profile. */
export interface ComparedEncoding {
  /** `JSON`. */
  readonly label: string;
  /** The messages were captured in it, and protobuf was computed. */
  readonly isCaptured: boolean;
  /** No type fits the messages, so there is no protobuf to compare with. */
  readonly isAlone: boolean;
}

/** Index w − 1: how many varints took w bytes, w from 1 to 10. */
export type WidthCounts = readonly number[];

export interface FieldProfile {
  /**
   * `timeseries.labels.name`; entries of a map are `m.key`, `m.value`; unknown numbers `?7`; extensions `[full.name]`.
   */
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
  /** How the native side writes the field, for people; null: the native side does not write it. */
  readonly writer: string | null;
  /** Number of records, which is the number of tags on the wire. A packed run is one record. */
  readonly occurrences: number;
  /** Number of values. Each element of a packed run is one value. */
  readonly elements: number;
  readonly packedRuns: number;
  /** Number of instances of the parent, and number of those in which the field is present. */
  readonly parents: number;
  readonly presence: number;
  /** The field's own bytes, by id of the encoding. */
  readonly ledgers: Readonly<Record<string, LedgerCells>>;
  /** Native bytes, without flags, for values that are absent in protobuf. */
  readonly absent: number;
  /**
   * Bytes of names that only one encoding writes, by its id. `protobuf`: a map's key that the value repeats and that
   * the native encoding writes once. A native profile: the name, with its length, that identifies a member of a choice;
   * such a member has no other type bytes.
   */
  readonly names: Readonly<Record<string, number>>;
  /** Bytes that native length prefixes save because they count UTF-16 units where protobuf counts bytes. */
  readonly utf16: number;
  /** Number of varints of each width, for the tag, the length and the value. null: not written as varints. */
  readonly widths: {
    readonly tag: WidthCounts;
    readonly length: WidthCounts | null;
    readonly value: WidthCounts | null;
  };
  /** Smallest and largest value in bytes: a payload, or an element of a packed run; 0 and 0 without values. */
  readonly size: { readonly min: number; readonly max: number };
  /** Avoidable bytes by rule: the same values fit without them. */
  readonly waste: WasteBytes;
  /**
   * Native bytes with each writer that can hold the values, the one in use first. Empty: there is only one writer, or
   * only writing the messages would show the bytes.
   */
  readonly writers: readonly WriterCost[];
  /** Protobuf bytes with each type that can hold the values, the declared one first. Empty: unknown. */
  readonly types: readonly AlternativeCost[];
}

/** The bytes of all messages in an encoding. `FieldProfile.ledgers` has those of each field. */
export interface LedgerTotals {
  readonly label: string;
  /** Bytes of all messages; null: the encoding cannot represent one of them. */
  readonly bytes: number | null;
  /** Why the encoding cannot represent a message. */
  readonly refused: string | null;
  /** Values that the encoding loses, for people, with their count. */
  readonly losses: readonly string[];
  /** Bytes that belong to no field of the profile, by path. `''`: the messages themselves, and unexplained bytes. */
  readonly own: Readonly<Record<string, LedgerCells>>;
}

/** Compressed contents of a field that are messages. Their unpacked bytes are in no ledger. */
export interface ContentTotals {
  /** Full names of the field and of the messages' type. */
  readonly field: string;
  readonly type: string;
  readonly count: number;
  /** Bytes as captured; unpacked; and unpacked if they were written in protobuf. */
  readonly packed: number;
  readonly native: number;
  readonly protobuf: number;
}

export interface Profile {
  /** Full name; empty where there is no schema. */
  readonly type: string;
  /**
   * Ids of the two ledgers that are compared: protobuf, and a native profile or another encoding; null: only protobuf
   * was measured. A difference is the first minus the second.
   */
  readonly pair: LedgerPair;
  readonly other?: ComparedEncoding;
  /**
   * Only if all messages were captured in a native encoding. Id of the ledger that has their bytes; null: the chosen
   * native profile is another one, and no ledger has the captured bytes.
   */
  readonly nativeLedger?: string | null;
  readonly messages: number;
  /**
   * By id of the encoding: the ledgers of the pair, and the ones that were requested in addition
   * (`encoding-ledger.ts`).
   */
  readonly ledgers: Readonly<Record<string, LedgerTotals>>;
  /**
   * Bytes of the transport's headers that are written as messages, by id of the encoding; null: there are no such
   * headers. No ledger includes them.
   */
  readonly header: Readonly<Record<string, number>> | null;
  /** Bytes that no rule explains. They are in `own` of the protobuf ledger. */
  readonly unattributed: number;
  /** Compressed contents that were read to the last byte. The ledgers count them as captured. */
  readonly contents?: readonly ContentTotals[];
  /** In schema order, parents before their children. A field that never occurs is listed if its parent occurs. */
  readonly fields: readonly FieldProfile[];
}

export type LedgerPair = readonly [string, string | null];

export const PROTOBUF = 'protobuf';

/** The native writer of what is in an Any, whose value is bytes in any encoding. */
export const KEPT_AS_PROTOBUF = 'kept as protobuf';

/** Path of the row of bytes that belong to the messages themselves. */
export const ROOT = '(root)';

/** The number of fields around a field, by its path: names in brackets have dots of their own. */
export function depthsOf({ fields }: Pick<Profile, 'fields'>): (path: string) => number {
  const parents = new Map(fields.map(({ path, parent }) => [path, parent]));
  return (path) => {
    let depth = 0;
    for (let at = parents.get(path); at; at = parents.get(at)) depth++;
    return depth;
  };
}

/** Bytes of a field, or of a part of a tree, in one encoding; 0: it has no bytes in it. */
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

/** Ids of all ledgers of a profile. */
export const ledgerIds = ({ ledgers }: Pick<Profile, 'ledgers'>): readonly string[] => Object.keys(ledgers);

/** Bytes of all messages in one encoding; 0: no such ledger, or the encoding cannot represent the messages. */
export const totalIn = ({ ledgers }: Pick<Profile, 'ledgers'>, id: string | null): number =>
  (id === null ? undefined : ledgers[id])?.bytes ?? 0;

const NO_CELLS: LedgerCells = {};

/** The header's bytes in both encodings of the pair; null: no header. */
export function headerSides({ header, pair: [first, second] }: Profile) {
  if (header === null) return null;
  return { protobuf: header[first] ?? 0, native: (second === null ? undefined : header[second]) ?? 0 };
}

/** Id of the ledger of the captured encoding, or of protobuf if no ledger has the captured bytes. */
export const capturedLedger = ({
  pair,
  other,
  nativeLedger,
}: Pick<Profile, 'pair' | 'other' | 'nativeLedger'>): string =>
  nativeLedger ?? (other?.isCaptured ? pair[1] : null) ?? pair[0];

type Captured = Pick<Profile, 'unattributed' | 'fields' | 'pair' | 'other' | 'nativeLedger'>;

/** Captured bytes that could not be read. */
export const unreadBytes = (profile: Captured): number => unreadOf(profile, profile.fields);

/** Those, and the captured bytes of numbers and names that the type does not have. */
export function unexplainedBytes(profile: Captured): number {
  const captured = capturedLedger(profile);
  const isText = captured !== PROTOBUF && profile.nativeLedger === undefined;
  const isUnknown = ({ name, declared, path }: FieldProfile): boolean =>
    name.startsWith('?') || (isText && declared === null && path !== ROOT);
  const unknown = profile.fields.filter(isUnknown);
  const known = profile.fields.filter((field) => !isUnknown(field));
  return unknown.reduce((sum, field) => sum + bytesIn(field, captured), unreadOf(profile, known));
}

function unreadOf(profile: Captured, fields: Profile['fields']): number {
  const captured = capturedLedger(profile);
  if (captured === PROTOBUF) return profile.unattributed;
  return fields.reduce((sum, field) => sum + (cellsIn(field, captured).unattributed ?? 0), 0);
}

/**
 * Whether most bytes are not part of any record. If so, `analysis/evidence/implausibility.ts` lists the evidence against
 * protobuf.
 */
export const isImplausible = (profile: Pick<Profile, 'ledgers' | 'unattributed'>): boolean =>
  profile.unattributed * 2 > totalIn(profile, PROTOBUF);
