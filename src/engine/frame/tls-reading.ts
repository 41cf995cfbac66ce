/**
 * The interface between the reader of captures and TLS. The implementation is loaded on demand: `tls/tls-decoder.ts`.
 */
import type { BlockSource } from '../bytes/block-source.ts';
import type { Transport } from './transport/transport.ts';

export interface TlsReading {
  /** This transport is tried before all others. */
  readonly transport: Transport;
  /** Whether keys were given. */
  readonly hasKeys: boolean;
  /** Gives a key log from beside the capture. */
  giveKeys(lines: string): void;
  /** Called before a capture is read from its beginning. */
  begin(): void;
  /** Adds lines of a key log that are in the capture. */
  addKeys(lines: string): void;
  /** A view of the capture with decrypted contents in place of their ciphertexts. Places of messages refer to it. */
  plain(source: BlockSource): BlockSource;
}
