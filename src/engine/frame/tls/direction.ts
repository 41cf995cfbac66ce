/** One direction of a TLS connection: the keys that its records are under, in turn, and how many records were missed. */
import type { CipherSuite } from './cipher-suites.ts';
import { HandshakeStream } from './handshake.ts';
import { nextSecret, type TrafficKeys, trafficKeys13 } from './key-schedule.ts';
import { type OpenedRecord, openRecord, type TlsVersion } from './record-cipher.ts';
import { LONGEST_RECORD } from './record-head.ts';

/** Shortest protected one. */
const SHORTEST_RECORD = 5 + 16 + 1;
/** Records that are tried before a key is believed to be of another connection. */
const MOST_FAILURES = 64;
/** Behind missing bytes the sequence number is found by trying: numbers, and bytes that are authenticated for it. */
const MOST_TRIES = 2048;
const MOST_TRIED_BYTES = 4 << 20;

interface Epoch {
  readonly keys: TrafficKeys;
  /** The traffic secret of TLS 1.3; null: there is no next one. */
  readonly secret: Uint8Array | null;
  readonly isEarly: boolean;
  /** Number of its next record. */
  sequence: number;
}

export interface DecryptedRecord extends OpenedRecord {
  readonly keys: TrafficKeys;
  /** Records between the last one that was opened and this one, as far as they were under these keys. */
  readonly missed: number;
  /** The first one that was opened under these keys. */
  readonly isFirst: boolean;
}

export class Direction {
  readonly handshake = new HandshakeStream();
  /** From here on records are protected. */
  isProtected = false;
  /** No hello comes any more. */
  isOver = false;
  /** Bytes of the stream since the last record that was opened; what they may have held of records. */
  missedBytes = 0;
  #mayMiss = 0;
  #current: Epoch | null = null;
  #next: Epoch[] = [];
  #failures = 0;
  #opened = 0;

  get hasKeys(): boolean {
    return this.#current !== null || this.#next.length > 0;
  }

  /** Keys that fit no record are of another connection. */
  get isUnreadable(): boolean {
    return !this.hasKeys || (this.#opened === 0 && this.#failures >= MOST_FAILURES);
  }

  get opened(): number {
    return this.#opened;
  }

  get failures(): number {
    return this.#failures;
  }

  get keys(): TrafficKeys | null {
    return this.#current?.keys ?? this.#next[0]?.keys ?? null;
  }

  /** TLS 1.2: the records that follow are under these; null: not known. */
  change(keys: TrafficKeys | null): void {
    this.isProtected = true;
    this.#next = [];
    this.#current = keys === null ? null : { keys, secret: null, isEarly: false, sequence: 0 };
  }

  /** TLS 1.3: secrets that records are under, one after the other. */
  expect(suite: CipherSuite, secrets: readonly { readonly secret: Uint8Array; readonly isEarly: boolean }[]): void {
    this.#next = secrets.flatMap(({ secret, isEarly }) => epochOf(suite, secret, isEarly) ?? []);
  }

  get awaitsEarlyData(): boolean {
    return this.#next[0]?.isEarly ?? false;
  }

  refuseEarlyData(): void {
    this.#next = this.#next.filter(({ isEarly }) => !isEarly);
  }

  /** TLS 1.3: the records that follow are under the next generation of keys (RFC 8446 §4.6.3). */
  update(): void {
    const next = this.#current && generationBehind(this.#current);
    if (next !== null) this.#current = next;
  }

  /** Bytes that belong to no record that can be opened. @param records that they may have held; unknown: as many as fit */
  miss(bytes: number, records = Math.floor(bytes / SHORTEST_RECORD) + 1): void {
    this.missedBytes += bytes;
    this.#mayMiss += records;
  }

  /** null: it is authentic under no key that may be in use. */
  open(version: TlsVersion, record: Uint8Array): DecryptedRecord | null {
    const epochs = [
      ...(this.#current === null ? [] : [this.#current]),
      ...this.#next,
      // The record that announces it may be one of those that were missed.
      ...(this.#mayMiss > 0 && this.#current !== null ? [generationBehind(this.#current) ?? []].flat() : []),
    ];
    const most = Math.min(this.#mayMiss, MOST_TRIES, Math.ceil(MOST_TRIED_BYTES / record.length));
    for (const missed of triesUpTo(most, this.#mayMiss, this.missedBytes)) {
      for (const epoch of epochs) {
        const opened = openRecord(version, epoch.keys, epoch.sequence + missed, record);
        if (opened === null) continue;
        const isFirst = epoch !== this.#current;
        epoch.sequence += missed + 1;
        this.#next = this.#next.slice(this.#next.indexOf(epoch) + 1);
        this.#current = epoch;
        this.#mayMiss = 0;
        this.#opened++;
        return { ...opened, keys: epoch.keys, missed, isFirst };
      }
    }
    this.#failures++;
    return null;
  }
}

/** Zero missing records are most likely; then as many as full records account for, and upwards from there. */
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
