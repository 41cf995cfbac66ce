/**
 * A key log, as browsers, OpenSSL, Go, Node and agents for Java write it: one secret a line.
 * https://www.ietf.org/archive/id/draft-ietf-tls-keylogfile-05.html
 *
 *   label │ space │ client random, 64 hex digits │ space │ secret, 2 hex digits a byte        `#` begins a comment
 *   RSA Session-ID:hex Master-Key:hex          TLS 1.2 only; Wireshark reads it, and agents for Java write it
 */
import { hexOf } from '../../bytes/hex.ts';

/** Label of the master secret of TLS 1.2 and earlier versions. */
export const MASTER_SECRET = 'CLIENT_RANDOM';

const LINE = /^([A-Z0-9_]{3,64}) ([0-9a-fA-F]{64}) ((?:[0-9a-fA-F]{2}){32,64})$/;
const SESSION_LINE = /^RSA Session-ID:((?:[0-9a-fA-F]{2}){1,32}) Master-Key:((?:[0-9a-fA-F]{2}){48})$/;
/** Nothing, a comment, or a secret that is not read: an encrypted premaster secret, or a line whose beginning was cut off. */
const SIMILAR_LINE = /^(?:#.*|(?:[\w-]+[ :]){0,4}[0-9a-fA-F]+)?$/;
/** Number of bytes that are read to detect a key log. */
export const KEY_LOG_HEAD = 4096;

export class KeyLog {
  /** By client random (hex), then by label. */
  readonly #secrets = new Map<string, Map<string, Uint8Array>>();
  /** Master secrets by session id (hex). */
  readonly #sessions = new Map<string, Uint8Array>();

  /** Adds lines; lines without a secret are skipped. A repeated label and client random replace the earlier secret. */
  add(text: string): void {
    for (const line of linesOf(text)) {
      const [, session, master] = SESSION_LINE.exec(line) ?? [];
      if (session !== undefined && master !== undefined) this.#sessions.set(session.toLowerCase(), bytesOf(master));
      const [, label, random, secret] = LINE.exec(line) ?? [];
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

  /** Number of connections with secrets. */
  get size(): number {
    return this.#secrets.size + this.#sessions.size;
  }

  /** The TLS 1.2 master secret of a session id. */
  ofSession(id: Uint8Array): Uint8Array | undefined {
    return this.#sessions.get(hexOf(id));
  }

  /** @returns undefined: there are no secrets of this connection */
  of(clientRandom: Uint8Array): ReadonlyMap<string, Uint8Array> | undefined {
    return this.#secrets.get(hexOf(clientRandom));
  }
}

/** Whether a line is a TLS secret, after none but empty ones, comments, and ones like it. */
export function isKeyLog(text: string): boolean {
  const lines = linesOf(text.slice(0, KEY_LOG_HEAD));
  return isSecret(lines.find((line) => isSecret(line) || !SIMILAR_LINE.test(line)) ?? '');
}

/** Its bytes may begin with a byte order mark; that of a decoded text is white space. */
const linesOf = (text: string): readonly string[] =>
  text
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .split(/[\r\n]+/)
    .map((line) => line.trim());

/** Whether any line is a TLS secret. */
export function hasSecrets(text: string): boolean {
  const log = new KeyLog();
  log.add(text);
  return log.size > 0;
}

const isSecret = (line: string): boolean => LINE.test(line) || SESSION_LINE.test(line);

const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16));
