/** Messages of one type, each written in several encodings → the ledger of each encoding. */
import type { EncodingRow } from '../encodings/encoding-row.ts';
import { encodingSubject } from '../encodings/encodings.ts';
import { LedgerRows } from '../encodings/ledger-rows.ts';
import { addLosses, type LossCounts, lossSentences } from '../encodings/losses.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import type { EncodingLedger, LedgerCollector } from './encoding-ledger.ts';

interface Draft {
  readonly row: EncodingRow;
  readonly rows: LedgerRows;
  readonly losses: LossCounts;
  bytes: number;
  refused: string | null;
}

export class EncodingLedgers implements LedgerCollector {
  readonly #type: MessageDescriptor;
  readonly #drafts: readonly Draft[];

  /** Encodings that do not support the type are left out. */
  constructor(type: MessageDescriptor, encodings: readonly EncodingRow[]) {
    this.#type = type;
    this.#drafts = encodings
      .filter(({ isFor }) => isFor?.(type) ?? true)
      .map((row) => ({ row, rows: new LedgerRows(), losses: {}, bytes: 0, refused: null }));
  }

  add(message: Uint8Array): void {
    const read = encodingSubject(message, this.#type);
    for (const draft of this.#drafts) {
      if (draft.refused !== null) continue;
      const encoded = read.ok ? draft.row.write(read.subject, draft.rows) : read;
      if (!encoded.ok) {
        draft.refused = encoded.reason;
        continue;
      }
      draft.bytes += encoded.bytes.length;
      draft.rows.endMessage();
      addLosses(draft.losses, encoded.losses);
    }
  }

  ledgers(): Readonly<Record<string, EncodingLedger>> {
    return Object.fromEntries(
      this.#drafts.map(({ row: { id, label }, rows, losses, bytes, refused }) => [
        id,
        {
          ...{ label, refused },
          bytes: refused === null ? bytes : null,
          losses: lossSentences(losses),
          fields: refused === null ? Object.fromEntries(rows.ledger()) : {},
        },
      ]),
    );
  }
}
