/**
 * TLS 1.2 master secrets by the id that later connections resume them with: a session id (RFC 5246 §7.4.1.2) or a
 * ticket (RFC 5077). They are needed because Go logs the secret only for the first connection of a session.
 */

import { hexOf } from '../../bytes/hex.ts';
import type { ClientHello, ServerHello } from './handshake.ts';

export class ResumableSessions {
  readonly #masters = new Map<string, Uint8Array>();

  /** @param name session id or ticket; empty: the session cannot be resumed */
  add(name: Uint8Array, master: Uint8Array): void {
    if (name.length > 0) this.#masters.set(hexOf(name), master);
  }

  /** A server that resumes a session repeats the client's session id. */
  find(client: ClientHello, server: ServerHello): Uint8Array | undefined {
    const id = hexOf(server.sessionId);
    const isById = id !== '' && id === hexOf(client.sessionId);
    return this.#masters.get(hexOf(client.ticket)) ?? (isById ? this.#masters.get(id) : undefined);
  }

  clear(): void {
    this.#masters.clear();
  }
}
