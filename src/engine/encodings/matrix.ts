/**
 * Messages in every encoding, each after every compressor: rows encodings, columns compressors. What is compressed at
 * once is a message alone, or all of them joined as their framing joins them.
 */
import type { Compressor, CompressorId } from '../compression/compressors.ts';
import type { Category } from '../model/annotation.ts';
import { Output } from '../native/output.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import type { EncodingRow, Subject } from './encoding-row.ts';
import { subjectOf } from './encodings.ts';
import { addToLedger, enter, type Ledger } from './ledger.ts';
import { LOSSES, type Loss, type LossCounts } from './losses.ts';
import type { Encoded, Refused } from './token-writer.ts';

/** What one compressed stream holds. */
export type Per = 'message' | 'joined';

export interface MatrixRow {
  readonly id: string;
  readonly label: string;
  readonly mapping: string;
  /** Null where a message cannot be written; `refused` says why. */
  readonly bytes: number | null;
  readonly compressed: Readonly<Partial<Record<CompressorId, number>>>;
  readonly fields: readonly MatrixField[];
  /** What is not carried, in words with its count. */
  readonly losses: readonly string[];
  readonly refused: string | null;
  /** Of a sample: half the width of the 95 % interval of each compressed size, as a share of it. */
  readonly errors: Readonly<Partial<Record<CompressorId, number>>>;
}

export interface MatrixField {
  /** `(root)` is the message itself. */
  readonly path: string;
  readonly bytes: Readonly<Partial<Record<Category, number>>>;
}

export interface Matrix {
  readonly type: string;
  readonly messages: number;
  /** Id of the row that was captured. */
  readonly captured: string;
  readonly per: Per;
  readonly compressors: readonly Omit<Compressor, 'compress'>[];
  readonly rows: readonly MatrixRow[];
}

/** The delimiter of a message that is joined to others. */
export type Delimit = (message: Uint8Array) => Uint8Array;

/** Sums over messages: compressed bytes, their squares, and their products with protobuf's bytes. */
interface Cell {
  bytes: number;
  squares: number;
  products: number;
}

/** Its length as a varint. */
export const withLength: Delimit = ({ length }) => {
  const out = new Output();
  out.varint64(length, 0);
  return out.finish();
};

interface Draft {
  readonly row: EncodingRow;
  readonly ledger: Ledger;
  readonly losses: LossCounts;
  readonly cells: ReadonlyMap<CompressorId, Cell>;
  readonly parts: Uint8Array[];
  bytes: number;
  refused: string | null;
}

export class MatrixBuilder {
  readonly #type: MessageDescriptor;
  readonly #drafts: readonly Draft[];
  readonly #compressors: readonly Compressor[];
  readonly #per: Per;
  readonly #findType: Subject['findType'];
  readonly #delimit: Delimit | undefined;
  #messages = 0;
  /** Of the protobuf messages. */
  #bytes = 0;
  #squares = 0;

  /** @param delimit of joined protobuf messages; those of other encodings are joined by their separators */
  constructor(
    type: MessageDescriptor,
    encodings: readonly EncodingRow[],
    compressors: readonly Compressor[],
    options: { readonly per: Per; readonly findType: Subject['findType']; readonly delimit?: Delimit | undefined },
  ) {
    this.#type = type;
    this.#compressors = compressors;
    this.#per = options.per;
    this.#findType = options.findType;
    this.#delimit = options.per === 'joined' ? options.delimit : undefined;
    this.#drafts = encodings
      .filter(({ isFor }) => isFor?.(type) ?? true)
      .map((row) => ({
        row,
        ledger: new Map(),
        losses: {},
        cells: new Map(compressors.map(({ id }) => [id, { bytes: 0, squares: 0, products: 0 }])),
        parts: [],
        bytes: 0,
        refused: null,
      }));
  }

  /** Enters one protobuf message. */
  async add(message: Uint8Array): Promise<void> {
    this.#messages++;
    this.#bytes += message.length;
    this.#squares += message.length ** 2;
    const read = subjectOf(message, this.#type, this.#findType);
    for (const draft of this.#drafts) {
      if (draft.refused !== null) continue;
      const encoded = read.ok ? draft.row.encode(read.subject) : read;
      if (encoded.ok) await this.#enter(draft, encoded, message.length);
      else refuse(draft, encoded);
    }
  }

  async #enter(draft: Draft, { bytes, table, losses }: Encoded, plain: number): Promise<void> {
    addToLedger(draft.ledger, table);
    for (const [loss, count] of Object.entries(losses) as [Loss, number][]) {
      draft.losses[loss] = (draft.losses[loss] ?? 0) + count;
    }
    if (this.#per === 'joined') {
      this.#join(draft, bytes);
      return;
    }
    draft.bytes += bytes.length;
    for (const { id, compress } of this.#compressors) {
      const cell = draft.cells.get(id)!;
      const { length } = await compress(bytes);
      cell.bytes += length;
      cell.squares += length ** 2;
      cell.products += length * plain;
    }
  }

  /** Of the ratio to protobuf's bytes, as of a random sample. */
  #errorsOf({ cells, refused }: Draft): MatrixRow['errors'] {
    const n = this.#messages;
    if (this.#per === 'joined' || refused !== null || n < 2) return {};
    const errors: Partial<Record<CompressorId, number>> = {};
    for (const [id, { bytes, squares, products }] of cells) {
      const ratio = bytes / this.#bytes;
      const spread = Math.max(0, squares - 2 * ratio * products + ratio ** 2 * this.#squares);
      errors[id] = bytes === 0 ? 0 : (1.96 * Math.sqrt((spread * n) / (n - 1))) / bytes;
    }
    return errors;
  }

  #join(draft: Draft, bytes: Uint8Array): void {
    const { row, ledger, parts } = draft;
    if (this.#delimit !== undefined && row.id === 'protobuf') {
      const delimiter = this.#delimit(bytes);
      enter(ledger, '', 'length', delimiter.length);
      parts.push(delimiter);
      draft.bytes += delimiter.length;
    }
    parts.push(bytes.slice());
    draft.bytes += bytes.length;
    if (this.#delimit !== undefined && row.separator !== undefined) {
      enter(ledger, '', 'punctuation', 1);
      parts.push(Uint8Array.of(row.separator));
      draft.bytes++;
    }
  }

  /** Compresses what was joined. @param onRow is called before each row */
  async finish(captured: string, onRow: (done: number, rows: number) => void = () => {}): Promise<Matrix> {
    const rows: MatrixRow[] = [];
    for (const [done, draft] of this.#drafts.entries()) {
      onRow(done, this.#drafts.length);
      const { row, ledger, losses, cells, refused } = draft;
      if (this.#per === 'joined' && refused === null) {
        const joined = concatenated(draft.parts, draft.bytes);
        for (const { id, compress } of this.#compressors) cells.get(id)!.bytes = (await compress(joined)).length;
      }
      rows.push({
        id: row.id,
        label: row.label,
        mapping: row.mapping,
        bytes: refused === null ? draft.bytes : null,
        compressed: refused === null ? Object.fromEntries([...cells].map(([id, { bytes }]) => [id, bytes])) : {},
        fields: refused === null ? [...ledger].map(([path, bytes]) => ({ path: path || '(root)', bytes })) : [],
        losses: (Object.entries(losses) as [Loss, number][]).map(([loss, count]) => `${LOSSES[loss]}: ${count}`),
        refused,
        errors: this.#errorsOf(draft),
      });
    }
    const compressors = this.#compressors.map(({ compress: _, ...facts }) => facts);
    return { type: this.#type.fullName, messages: this.#messages, captured, per: this.#per, compressors, rows };
  }
}

function refuse(draft: Draft, { reason }: Refused): void {
  draft.refused = reason;
  draft.parts.length = 0;
}

function concatenated(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
