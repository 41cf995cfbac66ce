/**
 * TLS as a transport, for reading one capture at a time. It uses the keys of a key log and those in the capture. Keys
 * and plain text are only kept in memory.
 */

import type { BlockSource } from '../../bytes/block-source.ts';
import { uint16be } from '../../bytes/integers.ts';
import type { TlsReading } from '../tls-reading.ts';
import type { ProtocolMatch, Transport } from '../transport/transport.ts';
import { DecryptedRecords } from './decrypted-records.ts';
import { Handshake } from './handshake.ts';
import { KeyLog } from './key-log.ts';
import { HEAD_LENGTH, isRecordHead, RecordType, recordLength } from './record-head.ts';
import { ResumableSessions } from './resumable-sessions.ts';
import { openTlsConnection } from './tls-connection.ts';

/** Record header, type and length of the handshake message, version of the hello. */
const HELLO_HEAD = 11;

export class TlsDecoder implements TlsReading {
  readonly #given = new KeyLog();
  #keyLog = new KeyLog();
  readonly #sessions = new ResumableSessions();
  readonly #records = new DecryptedRecords();
  readonly transport: Transport = {
    id: 'tls',
    label: 'TLS',
    sniff,
    open: (context) => openTlsConnection(context, this.#keyLog, this.#sessions, this.#records),
  };

  /** @param keyLog lines of a key log; '': no key log */
  constructor(keyLog: string) {
    this.giveKeys(keyLog);
  }

  giveKeys(lines: string): void {
    this.#given.add(lines);
  }

  get hasKeys(): boolean {
    return this.#given.size > 0;
  }

  begin(): void {
    this.#records.clear();
    this.#sessions.clear();
    this.#keyLog = new KeyLog();
    this.#keyLog.addAll(this.#given);
  }

  addKeys(lines: string): void {
    this.#keyLog.add(lines);
  }

  plain(source: BlockSource): BlockSource {
    return this.#records.over(source);
  }
}

/**
 * Recognises a hello at the start of a record. In the middle of a connection, it recognises a record that is followed
 * by another record header.
 */
function sniff(bytes: Uint8Array, final: boolean): ProtocolMatch {
  if (!isRecordHead(bytes, 0)) return 'no';
  if (bytes.length < HELLO_HEAD) return final ? 'no' : 'more';
  if (bytes[0] === RecordType.HANDSHAKE && isHello(bytes)) return 'yes';
  const end = recordLength(bytes, 0);
  if (end + HEAD_LENGTH > bytes.length) return final ? 'no' : 'more';
  return isRecordHead(bytes, end) ? 'yes' : 'no';
}

function isHello(bytes: Uint8Array): boolean {
  const type = bytes[HEAD_LENGTH];
  if (type !== Handshake.CLIENT_HELLO && type !== Handshake.SERVER_HELLO) return false;
  // The first of the three length bytes of a hello is always 0.
  return bytes[HEAD_LENGTH + 1] === 0 && uint16be(bytes, HEAD_LENGTH + 2) >= 38 && bytes[HEAD_LENGTH + 4] === 3;
}
