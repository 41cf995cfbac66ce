/** Secrets of a key log → keys and ivs of each direction, for TLS 1.2 (RFC 5246 §5, §6.3) and TLS 1.3 (RFC 8446 §7). */
import { expand } from '@noble/hashes/hkdf.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256, sha384 } from '@noble/hashes/sha2.js';
import type { CipherSuite } from './cipher-suites.ts';

export interface TrafficKeys {
  readonly suite: CipherSuite;
  readonly key: Uint8Array;
  /** Twelve bytes. For AES-GCM in TLS 1.2 four bytes; each record contains the other eight. */
  readonly iv: Uint8Array;
}

const HASHES = { sha256, sha384 } as const;
const HASH_LENGTH = { sha256: 32, sha384: 48 } as const;
const IV_LENGTH = 12;
/** RFC 5288 §3 */
const FIXED_IV_LENGTH = 4;
const MASTER_LENGTH = 48;

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

/** HKDF-Expand-Label with an empty context (RFC 8446 §7.1). */
function expandLabel(suite: CipherSuite, secret: Uint8Array, label: string, length: number): Uint8Array {
  const name = ascii(`tls13 ${label}`);
  const info = Uint8Array.of(length >> 8, length & 255, name.length, ...name, 0);
  return expand(HASHES[suite.hash], secret, info, length);
}

/** The keys of a TLS 1.3 traffic secret; null: the secret's length does not fit the hash of the suite. */
export function trafficKeys13(suite: CipherSuite, secret: Uint8Array): TrafficKeys | null {
  if (secret.length !== HASH_LENGTH[suite.hash]) return null;
  return {
    suite,
    key: expandLabel(suite, secret, 'key', suite.keyLength),
    iv: expandLabel(suite, secret, 'iv', IV_LENGTH),
  };
}

/** The traffic secret after a key update (RFC 8446 §7.2). */
export const nextSecret = (suite: CipherSuite, secret: Uint8Array): Uint8Array =>
  expandLabel(suite, secret, 'traffic upd', HASH_LENGTH[suite.hash]);

/** The keys of client and server from a TLS 1.2 master secret; null: the bytes are not a master secret. */
export function trafficKeys12(
  suite: CipherSuite,
  master: Uint8Array,
  clientRandom: Uint8Array,
  serverRandom: Uint8Array,
): readonly [TrafficKeys, TrafficKeys] | null {
  if (master.length !== MASTER_LENGTH) return null;
  const { keyLength } = suite;
  const ivLength = suite.aead === 'aes-gcm' ? FIXED_IV_LENGTH : IV_LENGTH;
  const seed = Uint8Array.of(...ascii('key expansion'), ...serverRandom, ...clientRandom);
  const block = expandMaster(suite, master, seed, 2 * (keyLength + ivLength));
  const keysOf = (side: 0 | 1): TrafficKeys => ({
    suite,
    key: block.slice(side * keyLength, (side + 1) * keyLength),
    iv: block.slice(2 * keyLength + side * ivLength, 2 * keyLength + (side + 1) * ivLength),
  });
  return [keysOf(0), keysOf(1)];
}

/** P_hash of RFC 5246 §5. */
function expandMaster(suite: CipherSuite, secret: Uint8Array, seed: Uint8Array, length: number): Uint8Array {
  const hash = HASHES[suite.hash];
  const out = new Uint8Array(length);
  let a = seed;
  for (let at = 0; at < length; ) {
    a = hmac(hash, secret, a);
    const part = hmac(hash, secret, Uint8Array.of(...a, ...seed)).subarray(0, length - at);
    out.set(part, at);
    at += part.length;
  }
  return out;
}
