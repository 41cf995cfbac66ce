/**
 * Messages and candidate types → how well each explains them, best first.
 *
 * A byte counts as explained where a field of the type holds it. Almost any bytes pass for a string or bytes field,
 * so a string with control characters and a bytes field count less: the type that sees structure there wins.
 */
import { type AnnotationTable, Flag, payloadEndAt, payloadStartAt } from '../model/annotation.ts';
import type { FieldDescriptor, MessageDescriptor, Registry } from '../schema/descriptor.ts';
import { annotate } from '../wire/annotate.ts';
import { hasChildren, headBytes, ownPayload } from '../wire/rows.ts';

export interface RankedType {
  readonly type: MessageDescriptor;
  /** Share of the bytes that the type explains, 0 to 1, doubtful ones counted less. */
  readonly score: number;
  /** Share of the bytes that have a field in the type, 0 to 1. */
  readonly share: number;
  /** Rows of known fields: of two types that explain the same bytes, the one that sees more in them. */
  readonly rows: number;
  readonly doubts: Doubts;
}

/** What speaks against a type, as numbers of rows. */
export interface Doubts {
  /** Of numbers that the type has no field for. */
  readonly unknown: number;
  /** Of wire types that their fields cannot have. */
  readonly mismatched: number;
  /** Cut short, or no protobuf. */
  readonly malformed: number;
  /** Strings with control characters in them. */
  readonly control: number;
}

const CONTROL_TEXT = 0.3;
const OPAQUE = 0.8;
/** Messages that every type is tried on; further ones are for the types that lead by then. */
const TRIAL = 8;
const LEADERS = 12;

/** @param isOffered the types to compare; all, unless told */
export function rankTypes(
  registry: Registry,
  messages: readonly Uint8Array[],
  isOffered?: (type: MessageDescriptor) => boolean,
): readonly RankedType[] {
  const ranking = new TypeRanking(registry, isOffered);
  for (const message of messages) ranking.add(message);
  return ranking.ranked();
}

/** Takes any number of messages, one by one. */
export class TypeRanking {
  #trials: Trial[];
  /** Those that fell behind, as they stood. */
  #behind: readonly Trial[] = [];
  messages = 0;

  constructor(registry: Registry, isOffered: (type: MessageDescriptor) => boolean = () => true) {
    this.#trials = [...registry.messages.values()]
      .filter((type) => !type.isMapEntry && !type.file.startsWith('google/protobuf/') && isOffered(type))
      .map((type) => new Trial(type));
  }

  /** @param message borrowed */
  add(message: Uint8Array): void {
    if (this.messages++ === TRIAL && this.#trials.length > LEADERS) {
      const sorted = this.#trials.toSorted(better);
      this.#trials = sorted.slice(0, LEADERS);
      this.#behind = sorted.slice(LEADERS);
    }
    for (const trial of this.#trials) trial.add(message);
  }

  /** Best first. */
  ranked(): readonly RankedType[] {
    return [...this.#trials.toSorted(better), ...this.#behind].map((trial) => trial.standing());
  }
}

const better = (a: Trial, b: Trial): number => b.score - a.score || b.rows - a.rows;

/** The one type to take without asking; undefined where two explain the messages alike, or none does. */
export function clearWinner([first, second]: readonly RankedType[]): RankedType | undefined {
  if (first === undefined || first.score < 0.5) return undefined;
  if (second === undefined || second.score < 0.98 * first.score) return first;
  return second.score === first.score && second.rows === first.rows
    ? undefined
    : first.rows > 1.2 * second.rows
      ? first
      : undefined;
}

class Trial {
  readonly #type: MessageDescriptor;
  #bytes = 0;
  #explained = 0;
  #named = 0;
  rows = 0;
  readonly #doubts = { unknown: 0, mismatched: 0, malformed: 0, control: 0 };

  constructor(type: MessageDescriptor) {
    this.#type = type;
  }

  get score(): number {
    return this.#bytes === 0 ? 0 : this.#explained / this.#bytes;
  }

  add(message: Uint8Array): void {
    const { table } = annotate(message, this.#type);
    this.#bytes += message.length;
    for (let row = 1; row < table.length; row++) {
      const flags = table.flags[row]!;
      if (flags & Flag.MALFORMED) this.#doubts.malformed++;
      else if (flags & Flag.MISMATCH) this.#doubts.mismatched++;
      else if (table.field[row]! < 0) this.#doubts.unknown++;
      else {
        this.rows++;
        const weighted = weightedBytes(table, row, message);
        const own = headBytes(table, row) + ownPayload(table, row);
        this.#explained += weighted;
        this.#named += own;
        if (weighted < own && table.fields[table.field[row]!]!.type === 'string') this.#doubts.control++;
      }
    }
  }

  standing(): RankedType {
    const share = this.#bytes === 0 ? 0 : this.#named / this.#bytes;
    return { type: this.#type, score: this.score, share, rows: this.rows, doubts: this.#doubts };
  }
}

const COUNTED: readonly (readonly [keyof Doubts, string, string])[] = [
  ['unknown', 'unknown field', 'unknown fields'],
  ['mismatched', 'wire type that does not fit', 'wire types that do not fit'],
  ['malformed', 'record that is no protobuf', 'records that are no protobuf'],
  ['control', 'string with control characters', 'strings with control characters'],
];

/** Why a type stands where it does: `2 unknown fields, 1 wire type that does not fit`. */
export function explainRank({ share, doubts }: RankedType): string {
  const against = COUNTED.filter(([doubt]) => doubts[doubt] > 0).map(
    ([doubt, one, many]) => `${doubts[doubt].toLocaleString('en')} ${doubts[doubt] === 1 ? one : many}`,
  );
  if (against.length > 0) return against.join(', ');
  return share === 1 ? 'a field for every byte' : 'a field for some bytes';
}

/** The own bytes of a row, its payload weighted by how much its type says. */
function weightedBytes(table: AnnotationTable<FieldDescriptor>, row: number, message: Uint8Array): number {
  const start = payloadStartAt(table, row);
  const end = payloadEndAt(table, row);
  const head = table.end[row]! - table.start[row]! - (end - start);
  if (hasChildren(table, row)) return head;
  const { type } = table.fields[table.field[row]!]!;
  if (type === 'bytes') return head + OPAQUE * (end - start);
  if (type !== 'string') return head + end - start;
  for (let at = start; at < end; at++) {
    const byte = message[at]!;
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) return head + CONTROL_TEXT * (end - start);
  }
  return head + end - start;
}
