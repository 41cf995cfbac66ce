/**
 * The handshake messages that determine keys and the protocol in the connection (RFC 8446 §4, RFC 5246 §7.4).
 *
 *   type×1 │ length×3 │ body
 *   ClientHello 1   version×2 │ random×32 │ session id (length×1) │ suites (length×2) │ compression (length×1) │ extensions
 *   ServerHello 2   version×2 │ random×32 │ session id (length×1) │ suite×2 │ compression×1 │ extensions
 *   NewSessionTicket 4 (TLS 1.2, RFC 5077 §3.3)   lifetime×4 │ ticket (length×2)
 *   EncryptedExtensions 8   extensions
 *   extensions      length×2 │ (type×2 │ length×2 │ data)…
 */
import { uint16be } from '../../bytes/integers.ts';
import { latin1 } from '../../bytes/latin1.ts';

export const Handshake = {
  CLIENT_HELLO: 1,
  SERVER_HELLO: 2,
  NEW_TICKET: 4,
  ENCRYPTED_EXTENSIONS: 8,
  KEY_UPDATE: 24,
} as const;
const Extension = { SERVER_NAME: 0, ALPN: 16, SESSION_TICKET: 35, EARLY_DATA: 42, SUPPORTED_VERSIONS: 43 } as const;

const HEAD_LENGTH = 4;
const RANDOM_END = 34;
/** Maximum bytes of a message. Certificate chains are much shorter. */
const LONGEST_MESSAGE = 1 << 17;
/** The beginning of ServerHello.random in a HelloRetryRequest (RFC 8446 §4.1.3). */
const RETRY = [0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11];

export interface ClientHello {
  readonly random: Uint8Array;
  readonly serverName: string | null;
  /** The session that a TLS 1.2 client wants to resume; empty: none. */
  readonly sessionId: Uint8Array;
  readonly ticket: Uint8Array;
}

export interface ServerHello {
  readonly random: Uint8Array;
  readonly suite: number;
  /** 0x0303: TLS 1.2, 0x0304: TLS 1.3. */
  readonly version: number;
  readonly protocol: string | null;
  readonly isRetry: boolean;
  readonly sessionId: Uint8Array;
}

/** Contents of handshake records of one direction → messages. */
export class HandshakeStream {
  #bytes: Uint8Array = new Uint8Array(0);

  /** @param take called with each complete message: its type and its body, borrowed */
  add(content: Uint8Array, take: (type: number, body: Uint8Array) => void): void {
    let bytes = content;
    if (this.#bytes.length > 0) {
      bytes = new Uint8Array(this.#bytes.length + content.length);
      bytes.set(this.#bytes);
      bytes.set(content, this.#bytes.length);
    }
    let at = 0;
    while (bytes.length - at >= HEAD_LENGTH) {
      const length = (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
      if (length > LONGEST_MESSAGE) {
        at = bytes.length;
        break;
      }
      const end = at + HEAD_LENGTH + length;
      if (end > bytes.length) break;
      take(bytes[at]!, bytes.subarray(at + HEAD_LENGTH, end));
      at = end;
    }
    this.#bytes = bytes.slice(at);
  }

  /** Drops the collected bytes: their message cannot become complete. */
  clear(): void {
    this.#bytes = new Uint8Array(0);
  }
}

/** null: invalid. */
export function readClientHello(body: Uint8Array): ClientHello | null {
  if (body.length < RANDOM_END + 1) return null;
  const suites = RANDOM_END + 1 + body[RANDOM_END]!;
  if (suites + 2 > body.length) return null;
  const compression = suites + 2 + uint16be(body, suites);
  if (compression >= body.length) return null;
  const extensions = readExtensions(body, compression + 1 + body[compression]!);
  const name = extensions.get(Extension.SERVER_NAME);
  return {
    random: body.slice(2, RANDOM_END),
    sessionId: body.slice(RANDOM_END + 1, suites),
    ticket: extensions.get(Extension.SESSION_TICKET)?.slice() ?? new Uint8Array(0),
    // list length×2 │ type×1 │ length×2 │ name (RFC 6066 §3)
    serverName:
      name !== undefined && name.length > 5 ? latin1(name, 5, Math.min(name.length, 5 + uint16be(name, 3))) : null,
  };
}

/** null: invalid. */
export function readServerHello(body: Uint8Array): ServerHello | null {
  if (body.length < RANDOM_END + 1) return null;
  const suite = RANDOM_END + 1 + body[RANDOM_END]!;
  if (suite + 3 > body.length) return null;
  const extensions = readExtensions(body, suite + 3);
  const version = extensions.get(Extension.SUPPORTED_VERSIONS);
  const random = body.slice(2, RANDOM_END);
  return {
    random,
    sessionId: body.slice(RANDOM_END + 1, suite),
    suite: uint16be(body, suite),
    version: version?.length === 2 ? uint16be(version, 0) : uint16be(body, 0),
    protocol: protocolIn(extensions),
    isRetry: RETRY.every((byte, i) => random[i] === byte),
  };
}

/** Reads the body of EncryptedExtensions: the protocol that the server chose, and whether it accepts early data. */
export function readEncryptedExtensions(body: Uint8Array): {
  readonly protocol: string | null;
  readonly takesEarlyData: boolean;
} {
  const extensions = readExtensions(body, 0);
  return { protocol: protocolIn(extensions), takesEarlyData: extensions.has(Extension.EARLY_DATA) };
}

/** The ticket in the body of a TLS 1.2 NewSessionTicket. */
export const readTicket = (body: Uint8Array): Uint8Array =>
  body.length > 6 ? body.slice(6, 6 + uint16be(body, 4)) : new Uint8Array(0);

/** list length×2 │ length×1 │ name (RFC 7301 §3.1) */
function protocolIn(extensions: ReadonlyMap<number, Uint8Array>): string | null {
  const alpn = extensions.get(Extension.ALPN);
  return alpn !== undefined && alpn.length > 3 ? latin1(alpn, 3, Math.min(alpn.length, 3 + alpn[2]!)) : null;
}

function readExtensions(body: Uint8Array, start: number): ReadonlyMap<number, Uint8Array> {
  const found = new Map<number, Uint8Array>();
  for (let at = start + 2; at + 4 <= body.length; ) {
    const length = uint16be(body, at + 2);
    if (at + 4 + length > body.length) break;
    found.set(uint16be(body, at), body.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return found;
}
