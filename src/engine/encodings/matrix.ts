/**
 * Messages in every encoding and after every compressor: rows are encodings, columns are compressors. The unit of
 * compression is one message, the messages of a request, or all messages joined with their framing.
 */

import type { Delimiter } from '../bytes/delimiter.ts';
import { GrowingBytes } from '../bytes/growing-bytes.ts';
import type { CompressorId } from '../compression/compressor-row.ts';
import type { Compressor } from '../compression/compressors.ts';
import type { Category } from '../model/annotation.ts';
import { countText } from '../model/count-text.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import type { Captured, EncodingRow, EncodingSubject } from './encoding-row.ts';
import { encodingSubject } from './encodings.ts';
import { joinedParts } from './joined-parts.ts';
import { LedgerRows, TooManyBytes } from './ledger-rows.ts';
import { addLosses, countLoss, type LossCounts, lossSentences } from './losses.ts';
import type { Refused, Written } from './token-writer.ts';
import { unheldRows } from './unheld-rows.ts';

/** The sizes of the messages in one encoding. */
export interface EncodingSizes {
  readonly id: string;
  readonly label: string;
  /** null: a message cannot be written; `refused` is the reason. */
  readonly bytes: number | null;
  /** By compressor id. */
  readonly compressed: Readonly<Record<string, number>>;
  readonly refused: string | null;
  /** Values that the encoding loses, as text with their count. */
  readonly losses: readonly string[];
  /**
   * For a sample of several streams: half the width of the 95 % interval of each size, as a share of the size. `none`:
   * of the plain bytes.
   */
  readonly errors: Readonly<Record<string, number>>;
}

export interface MatrixRow extends EncodingSizes {
  readonly mapping: string;
  readonly isCommon: boolean;
  readonly fields: readonly MatrixField[];
}

export interface MatrixField {
  /** `(root)`: the message itself. */
  readonly path: string;
  readonly bytes: Readonly<Partial<Record<Category, number>>>;
}

/** The compressor of the sizes. */
export interface CompressorFacts extends Pick<Compressor, 'label' | 'library' | 'version' | 'parameters'> {
  readonly id: string;
}

export interface Matrix {
  readonly type: string;
  readonly messages: number;
  /** Id of the captured row. */
  readonly captured: string;
  readonly compressors: readonly Omit<Compressor, 'compress'>[];
  readonly rows: readonly MatrixRow[];
}

/** Sums over streams: bytes, their squares, and their products with the protobuf bytes. */
interface Cell {
  bytes: number;
  squares: number;
  products: number;
}

const emptyCell = (): Cell => ({ bytes: 0, squares: 0, products: 0 });

interface Draft {
  readonly row: EncodingRow;
  readonly rows: LedgerRows;
  readonly losses: LossCounts;
  readonly plain: Cell;
  readonly cells: ReadonlyMap<CompressorId, Cell>;
  /** The stream that is being joined. */
  stream: GrowingBytes;
  refused: string | null;
  /** Whether every message so far has its captured bytes. */
  isAsCaptured: boolean;
}

interface Options {
  /** Whether the messages of files that delimit them are delimited: in protobuf by their length, else by a separator. */
  readonly isJoined: boolean;
  /** The row of the captured encoding; undefined: protobuf was captured. */
  readonly captured: EncodingRow | undefined;
  /** Called before each compression. It may throw to end the measurement. */
  readonly onCompress: (() => void | Promise<void>) | undefined;
}

/** The streams that are held at a time: some bytes, and a number for each byte of the messages. */
const HELD_FIXED = 16 << 20;
/** The streams of all encodings. */
const HELD_PER_BYTE = 40;
/** One encoding of a single message, which takes several times that while it is written and compressed. */
const ALONE_PER_BYTE = 16;

/** Field paths of an encoding, as many as of a profile. */
const MOST_PATHS = 16_384;

/** A message in protobuf, and as it was captured in another encoding. */
export interface MatrixMessage {
  readonly protobuf: Uint8Array;
  readonly captured: Captured | undefined;
  /** As in `Joining`. */
  readonly delimiter: Delimiter | null;
}

type SubjectRead = ReturnType<typeof encodingSubject>;

export class MatrixBuilder {
  readonly #type: MessageDescriptor;
  readonly #drafts: readonly Draft[];
  readonly #compressors: readonly Compressor[];
  readonly #options: Options;
  #messages = 0;
  /** Number of protobuf streams. */
  #streams = 0;
  #bytes = 0;
  #squares = 0;
  /** Bytes of the protobuf messages in the current stream. */
  #joined = 0;

  constructor(
    type: MessageDescriptor,
    encodings: readonly EncodingRow[],
    compressors: readonly Compressor[],
    options: Options,
  ) {
    this.#type = type;
    this.#compressors = compressors;
    this.#options = options;
    const rows = encodings.filter(({ isFor }) => isFor?.(type) ?? true);
    this.#drafts = (options.captured === undefined ? rows : [options.captured, ...rows]).map((row) => ({
      row,
      rows: new LedgerRows(MOST_PATHS),
      losses: {},
      plain: emptyCell(),
      cells: new Map(compressors.map(({ id }) => [id, emptyCell()])),
      stream: new GrowingBytes(),
      refused: null,
      isAsCaptured: options.captured !== undefined,
    }));
  }

  /** Number of measured rows. */
  get rows(): number {
    return this.#drafts.length;
  }

  /** Measures the messages of one stream, all in protobuf. */
  async add(messages: readonly MatrixMessage[]): Promise<void> {
    this.#messages += messages.length;
    this.#joined = messages.reduce((sum, { protobuf }) => sum + protobuf.length, 0);
    this.#streams++;
    this.#bytes += this.#joined;
    this.#squares += this.#joined ** 2;
    if (messages.length === 1) {
      // A single message can be as large as the input: its encodings are held one by one.
      const [message] = messages as readonly [MatrixMessage];
      const { protobuf } = message;
      const read = encodingSubject(protobuf, this.#type);
      const unheld = unheldOf(message);
      for (const draft of this.#drafts) {
        draft.rows.mostBytes = HELD_FIXED + ALONE_PER_BYTE * largerForm(message);
        this.#write(draft, read, message, unheld);
        await this.#compress(draft);
      }
      return;
    }
    let joined = 0;
    let most = HELD_FIXED;
    for (const message of messages) {
      const { protobuf } = message;
      const read = encodingSubject(protobuf, this.#type);
      const unheld = unheldOf(message);
      joined += protobuf.length;
      most += HELD_PER_BYTE * largerForm(message);
      for (const draft of this.#drafts) {
        draft.rows.mostBytes = most;
        this.#write(draft, read, message, unheld);
      }
      this.#keepWithin(most, joined);
    }
    for (const draft of this.#drafts) await this.#compress(draft);
  }

  /** @param unheld names and values of the captured text that only its own row has */
  #write(
    draft: Draft,
    read: SubjectRead,
    { protobuf, captured, delimiter: ofInput }: MatrixMessage,
    unheld: number,
  ): void {
    if (draft.refused !== null) return;
    if (draft.row !== this.#options.captured) countLoss(draft.losses, 'unheld', unheld);
    const delimiter = this.#options.isJoined ? ofInput : null;
    const isDelimited = delimiter !== null;
    const written = read.ok ? writeWithin(draft, { ...read.subject, captured, isDelimited }, protobuf.length) : read;
    if (written.ok) this.#enter(draft, written, delimiter);
    else refuse(draft, written);
    draft.isAsCaptured &&= written.ok && captured !== undefined && isSame(written.bytes, captured.bytes);
  }

  /** Native forms of a type with hundreds of absent fields take many times the messages: the largest are left out. */
  #keepWithin(most: number, joined: number): void {
    let held = 0;
    let [largest] = this.#drafts;
    for (const draft of this.#drafts) {
      held += draft.stream.length;
      if (draft.stream.length > largest!.stream.length) largest = draft;
    }
    if (held <= most) return;
    refuse(largest!, tooLarge(largest!.stream.length, joined));
  }

  #enter(draft: Draft, { bytes, losses }: Written, delimiter: Delimiter | null): void {
    const { row, rows } = draft;
    rows.endMessage();
    addLosses(draft.losses, losses);
    const { before, behind } = joinedParts(row, bytes.length, delimiter);
    rows.enter('length', before.length);
    for (const part of [before, bytes, behind]) draft.stream.own(part);
    rows.enter('punctuation', behind.length);
  }

  /** Compresses the stream of an encoding. */
  async #compress(draft: Draft): Promise<void> {
    const stream = draft.stream.whole();
    draft.stream = new GrowingBytes();
    if (draft.refused !== null) return;
    this.#count(draft.plain, stream);
    for (const { id, compress } of this.#compressors) {
      await this.#options.onCompress?.();
      this.#count(draft.cells.get(id)!, await compress(stream));
    }
  }

  #count(cell: Cell, { length }: Uint8Array): void {
    cell.bytes += length;
    cell.squares += length ** 2;
    cell.products += length * this.#joined;
  }

  /** Errors of the sizes, estimated from their ratio to the protobuf bytes, as for a random sample of streams. */
  #errorsOf({ plain, cells }: Draft): MatrixRow['errors'] {
    const n = this.#streams;
    if (n < 2) return {};
    const errors: Record<string, number> = {};
    for (const [id, { bytes, squares, products }] of [['none', plain] as const, ...cells]) {
      const ratio = bytes / this.#bytes;
      const spread = Math.max(0, squares - 2 * ratio * products + ratio ** 2 * this.#squares);
      errors[id] = bytes === 0 ? 0 : (1.96 * Math.sqrt((spread * n) / (n - 1))) / bytes;
    }
    return errors;
  }

  /**
   * If an encoding writes exactly the captured bytes, its row replaces the captured row.
   * @param scale bytes of all messages ÷ bytes of the measured ones
   */
  finish(scale: number): Matrix {
    const { captured } = this.#options;
    const twin = this.#drafts.find(({ row, isAsCaptured }) => isAsCaptured && row !== captured);
    const drafts = twin === undefined ? this.#drafts : this.#drafts.filter(({ row }) => row !== captured);
    return {
      type: this.#type.fullName,
      messages: this.#messages,
      captured: twin?.row.id ?? captured?.id ?? 'protobuf',
      compressors: this.#compressors.map(({ compress: _, ...facts }) => facts),
      rows: drafts.map((draft) => this.#rowOf(draft, (amounts) => scaled(amounts, scale))),
    };
  }

  #rowOf(draft: Draft, up: <T extends object>(amounts: T) => T): MatrixRow {
    const { row, rows, losses, plain, cells, refused } = draft;
    const { bytes } = plain;
    const { id, label, mapping, isCommon } = row;
    const head = {
      ...{ id, label, mapping, isCommon, refused },
      losses: lossSentences(up(losses)),
    };
    if (refused !== null) return { ...head, bytes: null, compressed: {}, fields: [], errors: {} };
    return {
      ...head,
      ...up({ bytes }),
      compressed: up(Object.fromEntries([...cells].map(([compressor, cell]) => [compressor, cell.bytes]))),
      fields: [...rows.ledger()].map(([path, parts]) => ({ path: path || '(root)', bytes: up(parts) })),
      errors: this.#errorsOf(draft),
    };
  }
}

const unheldOf = ({ captured }: MatrixMessage): number =>
  captured === undefined ? 0 : unheldRows(captured.table).length;

const scaled = <T extends object>(amounts: T, scale: number): T =>
  Object.fromEntries(Object.entries(amounts).map(([key, amount]) => [key, Math.round(amount * scale)])) as T;

/** @param size bytes of the message in protobuf */
function writeWithin({ row, rows }: Draft, subject: EncodingSubject, size: number): Written | Refused {
  try {
    return row.write(subject, rows);
  } catch (error) {
    if (error instanceof TooManyBytes) return tooLarge(rows.mostBytes, size);
    throw error;
  }
}

const tooLarge = (bytes: number, protobuf: number): Refused => ({
  ok: false,
  reason: `takes more than ${countText(Math.floor(bytes / Math.max(1, protobuf)))} times the bytes of protobuf: too much to compress`,
});

/** Bytes of a message in protobuf or as it was captured: text may have any number of spaces. */
const largerForm = ({ protobuf, captured }: MatrixMessage): number =>
  Math.max(protobuf.length, captured?.bytes.length ?? 0);

function refuse(draft: Draft, { reason }: Refused): void {
  draft.refused = reason;
  draft.stream = new GrowingBytes();
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, at) => byte === b[at]);
