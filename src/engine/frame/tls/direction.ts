/** One direction of a TLS connection: the successive keys of its records, and the number of missed records. */
import type { CipherSuite } from './cipher-suites.ts';
import { HandshakeStream } from './handshake.ts';
import { nextSecret, type TrafficKeys, trafficKeys13 } from './key-schedule.ts';
import { type OpenedRecord, openRecord, type TlsVersion } from './record-cipher.ts';
import { LONGEST_RECORD } from './record-head.ts';

/** Size of the shortest protected record. */
const SHORTEST_RECORD = 5 + 16 + 1;
/** Number of records that are tried before a key is assumed to belong to another connection. */
const MAX_FAILURES = 64;
/**
 * After missing bytes, the sequence number is found by trials. Limits of the trials: numbers, and bytes that are
 * authenticated.
 */
const MAX_TRIES = 2048;
const MAX_TRIED_BYTES = 4 << 20;

interface Epoch {
  readonly keys: TrafficKeys;
  /** The traffic secret of TLS 1.3; null: there is no next secret. */
  readonly secret: Uint8Array | null;
  readonly isEarly: boolean;
  /** Sequence number of the next record. */
  sequence: number;
}

export interface DecryptedRecord extends OpenedRecord {
  readonly keys: TrafficKeys;
  /** Missed records between the last opened record and this one, as far as they used these keys. */
  readonly missed: number;
  /** Whether it is the first record that was opened with these keys. */
  readonly isFirst: boolean;
}

export class Direction {
  readonly handshake = new HandshakeStream();
  /** Whether the following records are protected. */
  isProtected = false;
  /** No further hello can follow. */
  isOver = false;
  /** Bytes of the stream since the last opened record. They may contain records. */
  missedBytes = 0;
  #mayMiss = 0;
  #current: Epoch | null = null;
  #next: Epoch[] = [];
  #failures = 0;
  #opened = 0;

  get hasKeys(): boolean {
    return this.#current !== null || this.#next.length > 0;
  }

  /** The keys fit no record, so they belong to another connection. */
  get isUnreadable(): boolean {
    return !this.hasKeys || (this.#failures >= MAX_FAILURES && (this.#opened === 0 || this.awaitsKey));
  }

  /** A later key has fitted no record so far. */
  get awaitsKey(): boolean {
    return this.#next.length > 0;
  }

  get opened(): number {
    return this.#opened;
  }

  /** Records in a row that no key opened. */
  get failures(): number {
    return this.#failures;
  }

  get keys(): TrafficKeys | null {
    return this.#current?.keys ?? this.#next[0]?.keys ?? null;
  }

  /** TLS 1.2: sets the keys of the following records; null: unknown. */
  change(keys: TrafficKeys | null): void {
    this.isProtected = true;
    this.#next = [];
    this.#current = keys === null ? null : { keys, secret: null, isEarly: false, sequence: 0 };
  }

  /** TLS 1.3: sets the successive secrets of the following records. */
  expect(suite: CipherSuite, secrets: readonly { readonly secret: Uint8Array; readonly isEarly: boolean }[]): void {
    this.#next = secrets.flatMap(({ secret, isEarly }) => epochOf(suite, secret, isEarly) ?? []);
  }

  get awaitsEarlyData(): boolean {
    return this.#next[0]?.isEarly ?? false;
  }

  refuseEarlyData(): void {
    this.#next = this.#next.filter(({ isEarly }) => !isEarly);
  }

  /** TLS 1.3: the following records use the next generation of keys (RFC 8446 §4.6.3). */
  update(): void {
    const next = this.#current && generationBehind(this.#current);
    if (next !== null) this.#current = next;
  }

  /** Counts bytes that belong to no readable record. @param records that they may contain; default: as many as fit */
  miss(bytes: number, records = Math.floor(bytes / SHORTEST_RECORD) + 1): void {
    this.missedBytes += bytes;
    this.#mayMiss += records;
  }

  /** null: the record is authentic under none of the possible keys. */
  open(version: TlsVersion, record: Uint8Array): DecryptedRecord | null {
    const epochs = [
      ...(this.#current === null ? [] : [this.#current]),
      ...this.#next,
      // The record that announces the next generation may be among the missed ones.
      ...(this.#mayMiss > 0 && this.#current !== null ? [generationBehind(this.#current) ?? []].flat() : []),
    ];
    const most = Math.min(this.#mayMiss, MAX_TRIES, Math.ceil(MAX_TRIED_BYTES / record.length));
    for (const missed of triesUpTo(most, this.#mayMiss, this.missedBytes)) {
      for (const epoch of epochs) {
        const opened = openRecord(version, epoch.keys, epoch.sequence + missed, record);
        if (opened === null) continue;
        const isFirst = epoch !== this.#current;
        epoch.sequence += missed + 1;
        this.#next = this.#next.slice(this.#next.indexOf(epoch) + 1);
        this.#current = epoch;
        this.#mayMiss = 0;
        this.#failures = 0;
        this.#opened++;
        return { ...opened, keys: epoch.keys, missed, isFirst };
      }
    }
    this.#failures++;
    return null;
  }
}

/**
 * Numbers of missed records to try. Zero is most likely; then follow the number of longest records that the bytes hold,
 * and larger numbers.
 */
function* triesUpTo(count: number, most: number, bytes: number): Generator<number> {
  yield 0;
  const least = Math.max(1, Math.min(most, Math.floor(bytes / LONGEST_RECORD)));
  for (let i = 0; i < count && least + i <= most; i++) yield least + i;
}

function epochOf(suite: CipherSuite, secret: Uint8Array, isEarly: boolean): Epoch | null {
  const keys = trafficKeys13(suite, secret);
  return keys && { keys, secret, isEarly, sequence: 0 };
}

const generationBehind = ({ keys: { suite }, secret }: Epoch): Epoch | null =>
  secret && epochOf(suite, nextSecret(suite, secret), false);
