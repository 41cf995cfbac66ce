/**
 * The interface between the reader of captures and TLS. Its implementation is loaded on demand: `tls/tls-decoder.ts`.
 */
import type { BlockSource } from '../bytes/block-source.ts';
import type { Transport } from './transport/transport.ts';

export interface TlsReading {
  /** Recognised before all others. */
  readonly transport: Transport;
  /** A capture is read from its beginning. */
  begin(): void;
  /** Lines of a key log that the capture holds. */
  addKeys(lines: string): void;
  /** The capture with decrypted contents where their ciphertexts lie: what places of messages lead to. */
  plain(source: BlockSource): BlockSource;
}
