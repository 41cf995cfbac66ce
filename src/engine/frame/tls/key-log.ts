/**
 * A key log: what browsers, OpenSSL, Go, Node and agents for Java write, a secret a line.
 * https://www.ietf.org/archive/id/draft-ietf-tls-keylogfile-05.html
 *
 *   label │ space │ client random, 64 hex digits │ space │ secret, 2 hex digits a byte        `#` begins a comment
 *   RSA Session-ID:hex Master-Key:hex          of TLS 1.2, as Wireshark reads it and agents for Java write it
 */
import { hexOf } from '../../bytes/hex.ts';

/** Label of the master secret of TLS 1.2 and earlier. */
export const MASTER_SECRET = 'CLIENT_RANDOM';

const LINE = /^([A-Z0-9_]{3,64}) ([0-9a-fA-F]{64}) ((?:[0-9a-fA-F]{2}){32,64})$/;
const SESSION_LINE = /^RSA Session-ID:((?:[0-9a-fA-F]{2}){1,32}) Master-Key:((?:[0-9a-fA-F]{2}){48})$/;
/** Bytes of a text that are looked at for what it is. */
const HEAD = 4096;

export class KeyLog {
  /** By client random in hex, by label. */
  readonly #secrets = new Map<string, Map<string, Uint8Array>>();
  /** Master secrets by session id in hex. */
  readonly #sessions = new Map<string, Uint8Array>();

  /** Lines that are not secrets are passed over. A pair that comes again replaces the earlier one. */
  add(text: string): void {
    for (const line of text.split(/[\r\n]+/)) {
      const [, session, master] = SESSION_LINE.exec(line.trim()) ?? [];
      if (session !== undefined && master !== undefined) this.#sessions.set(session.toLowerCase(), bytesOf(master));
      const [, label, random, secret] = LINE.exec(line.trim()) ?? [];
      if (label === undefined || random === undefined || secret === undefined) continue;
      const key = random.toLowerCase();
      const known = this.#secrets.get(key) ?? new Map<string, Uint8Array>();
      known.set(label, bytesOf(secret));
      this.#secrets.set(key, known);
    }
  }

  addAll(other: KeyLog): void {
    for (const [session, master] of other.#sessions) this.#sessions.set(session, master);
    for (const [random, secrets] of other.#secrets) {
      const known = this.#secrets.get(random) ?? new Map<string, Uint8Array>();
      for (const [label, secret] of secrets) known.set(label, secret);
      this.#secrets.set(random, known);
    }
  }

  /** Connections that it has secrets of. */
  get size(): number {
    return this.#secrets.size + this.#sessions.size;
  }

  /** The master secret of TLS 1.2 under a session id. */
  ofSession(id: Uint8Array): Uint8Array | undefined {
    return this.#sessions.get(hexOf(id));
  }

  /** @returns undefined: it knows nothing of this connection */
  of(clientRandom: Uint8Array): ReadonlyMap<string, Uint8Array> | undefined {
    return this.#secrets.get(hexOf(clientRandom));
  }
}

/** Its first line that is neither empty nor a comment is a secret of TLS. */
export function isKeyLog(text: string): boolean {
  const lines = text.slice(0, HEAD).split(/[\r\n]+/);
  const first = lines.map((line) => line.trim()).find((line) => line !== '' && !line.startsWith('#'));
  return first !== undefined && (LINE.test(first) || SESSION_LINE.test(first));
}

const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16));
