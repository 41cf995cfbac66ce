/**
 * An opened input, read once: the place of each message and what the capture records about it. No message bytes are
 * kept.
 */

import { type BlockSource, blockSource } from '../../bytes/block-source.ts';
import type { Source } from '../../bytes/source.ts';
import { PLAIN_LIMIT } from '../../compression/codec.ts';
import type { CaptureOptions } from '../../frame/capture-facts.ts';
import { type InputChoice, inputFacts, readFramed } from '../../frame/payload.ts';
import { captureReader, type InputRead, type OpenedInput } from '../read-input.ts';
import type { CaptureReaders } from '../workers/capture-readers.ts';
import { MessageTable, type TableRow } from './message-table.ts';

export interface MessageStore {
  readonly kind: OpenedInput['kind'];
  /** Places of messages are offsets in this source. */
  readonly source: BlockSource;
  /** The compressed bytes that `source` was decompressed from, and their codec; null: the input is not compressed. */
  readonly packed: { readonly source: Source; readonly codec: string } | null;
  /** It grows while the input is read. */
  readonly messages: MessageTable;
  /** Maximum size of a decompressed body. */
  readonly limit: number;
}

export interface StoreOptions extends CaptureOptions {
  /** Resolves in a later turn of the event loop. */
  readonly nextTurn: () => Promise<void>;
  /** Called with the store before its messages are read. */
  readonly onStore?: (store: MessageStore) => void;
  readonly onMessage?: (message: TableRow, ordinal: number) => void;
  /** Workers that share large captures; absent: this one reads all. */
  readonly pool?: CaptureReaders | undefined;
}

/** Rejects only as `source.read` does, or when cancelled. */
export async function storeMessages(
  opened: OpenedInput,
  choice: InputChoice,
  { nextTurn, onStore, onMessage, pool, ...options }: StoreOptions,
): Promise<{ readonly store: MessageStore; readonly input: InputRead }> {
  const { kind, source: given } = opened;
  const messages = new MessageTable();
  const { limit = PLAIN_LIMIT } = options;
  const begin = (source: BlockSource, packed: MessageStore['packed']): MessageStore => {
    const store = { kind, source, packed, messages, limit };
    onStore?.(store);
    return store;
  };
  const enter = (message: TableRow): void => {
    messages.add(message);
    onMessage?.(message, messages.length - 1);
  };
  if (opened.kind === 'capture') {
    const blocks = blockSource(given, nextTurn);
    const store = begin(options.tls?.plain(blocks) ?? blocks, null);
    const { captureRead, readShared } = await captureReader();
    return { store, input: await captureRead(opened, options, (settled) => readShared(given, enter, settled, pool)) };
  }
  const { decoded } = opened;
  const { packed, compression: codec } = decoded;
  const store = begin(
    blockSource(decoded.source, nextTurn),
    packed === null || codec === null ? null : { source: packed, codec },
  );
  const framed = await readFramed(decoded.source, choice, enter, options, decoded);
  return { store, input: { kind: 'payloads', ...inputFacts(given, decoded, framed) } };
}

export const allMessages = ({ messages }: MessageStore): Uint32Array =>
  Uint32Array.from({ length: messages.length }, (_, ordinal) => ordinal);
