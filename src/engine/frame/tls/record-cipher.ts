/**
 * Opens a protected record if it is authentic, and decrypts parts of records that were authenticated before.
 *
 *   TLS 1.2 AES-GCM    explicit nonce×8 │ ciphertext │ tag×16        nonce: fixed iv×4 │ explicit nonce       RFC 5288 §3
 *   TLS 1.2 ChaCha20   ciphertext │ tag×16                           nonce: iv xor sequence number            RFC 7905 §2
 *   TLS 1.3            ciphertext of (content │ type×1 │ zeros) │ tag×16      nonce: as ChaCha20         RFC 8446 §5.2, §5.3
 *
 * Both are stream ciphers: a plaintext byte and its ciphertext byte have the same offset.
 */
import { ctr, gcm } from '@noble/ciphers/aes.js';
import { chacha20, chacha20poly1305 } from '@noble/ciphers/chacha.js';
import type { TrafficKeys } from './key-schedule.ts';
import { HEAD_LENGTH } from './record-head.ts';

const TAG_LENGTH = 16;
const NONCE_LENGTH = 12;
const EXPLICIT_LENGTH = 8;
const AES_BLOCK = 16;
const CHACHA_BLOCK = 64;
/** The number of the first block of content. Block 1 of AES-GCM is used for the tag. */
const GCM_FIRST = 2;
const CHACHA_FIRST = 1;

export type TlsVersion = '1.2' | '1.3';

export interface OpenedRecord {
  /** Index of the first content byte in the record. */
  readonly at: number;
  readonly content: Uint8Array;
  /** Content type. */
  readonly type: number;
  readonly nonce: Uint8Array;
}

/** Bytes of a record's body before and after its ciphertext. */
const explicitLength = (version: TlsVersion, { suite }: TrafficKeys): number =>
  version === '1.2' && suite.aead === 'aes-gcm' ? EXPLICIT_LENGTH : 0;

/** Total content bytes of a number of application data records without padding. @param bytes of all records */
export function contentLength(version: TlsVersion, keys: TrafficKeys, bytes: number, records: number): number {
  const around = HEAD_LENGTH + explicitLength(version, keys) + TAG_LENGTH + (version === '1.3' ? 1 : 0);
  return Math.max(0, bytes - records * around);
}

/**
 * @param record including its header @param sequence number of the record under these keys @returns null: not authentic
 */
export function openRecord(
  version: TlsVersion,
  keys: TrafficKeys,
  sequence: number,
  record: Uint8Array,
): OpenedRecord | null {
  const at = HEAD_LENGTH + explicitLength(version, keys);
  const length = record.length - at - TAG_LENGTH;
  if (length < (version === '1.3' ? 1 : 0)) return null;
  const nonce = nonceOf(keys, sequence, record.subarray(HEAD_LENGTH, at));
  const associated = version === '1.3' ? record.slice(0, HEAD_LENGTH) : associated12(record, sequence, length);
  const aead = keys.suite.aead === 'aes-gcm' ? gcm : chacha20poly1305;
  let plain: Uint8Array;
  try {
    plain = aead(keys.key, nonce, associated).decrypt(record.subarray(at));
  } catch {
    // The library throws if the tag is wrong.
    return null;
  }
  if (version === '1.2') return { at, content: plain, type: record[0]!, nonce };
  let end = plain.length - 1;
  while (end >= 0 && plain[end] === 0) end--;
  return end < 0 ? null : { at, content: plain.subarray(0, end), type: plain[end]!, nonce };
}

/** Decrypts `bytes` in place. They begin at `offset` of a ciphertext that was authenticated with this nonce. */
export function decryptPart({ suite, key }: TrafficKeys, nonce: Uint8Array, offset: number, bytes: Uint8Array): void {
  const block = suite.aead === 'aes-gcm' ? AES_BLOCK : CHACHA_BLOCK;
  const first = Math.floor(offset / block);
  const skip = offset - first * block;
  const padded = new Uint8Array(skip + bytes.length);
  padded.set(bytes, skip);
  const plain =
    suite.aead === 'aes-gcm'
      ? ctr(key, counterBlock(nonce, GCM_FIRST + first)).decrypt(padded)
      : chacha20(key, nonce, padded, undefined, CHACHA_FIRST + first);
  bytes.set(plain.subarray(skip));
}

function counterBlock(nonce: Uint8Array, counter: number): Uint8Array {
  const block = new Uint8Array(AES_BLOCK);
  block.set(nonce);
  new DataView(block.buffer).setUint32(NONCE_LENGTH, counter);
  return block;
}

function nonceOf({ iv }: TrafficKeys, sequence: number, explicit: Uint8Array): Uint8Array {
  if (explicit.length > 0) return Uint8Array.of(...iv, ...explicit);
  const nonce = iv.slice();
  const number = sequenceBytes(sequence);
  for (let i = 0; i < number.length; i++) nonce[NONCE_LENGTH - 8 + i]! ^= number[i]!;
  return nonce;
}

/** RFC 5246 §6.2.3.3 */
const associated12 = (record: Uint8Array, sequence: number, length: number): Uint8Array =>
  Uint8Array.of(...sequenceBytes(sequence), record[0]!, record[1]!, record[2]!, length >> 8, length & 255);

function sequenceBytes(sequence: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(sequence));
  return bytes;
}
