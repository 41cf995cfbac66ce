/**
 * Master secrets of TLS 1.2 by what a later connection resumes them with: a session id (RFC 5246 §7.4.1.2) or a ticket
 * (RFC 5077). Go writes a line for the first connection of a session only.
 */

import { hexOf } from '../../bytes/hex.ts';
import type { ClientHello, ServerHello } from './handshake.ts';

export class ResumableSessions {
  readonly #masters = new Map<string, Uint8Array>();

  /** @param name session id or ticket; empty: it cannot be resumed */
  add(name: Uint8Array, master: Uint8Array): void {
    if (name.length > 0) this.#masters.set(hexOf(name), master);
  }

  /** A server that resumes a session returns the client's session id. */
  find(client: ClientHello, server: ServerHello): Uint8Array | undefined {
    const id = hexOf(server.sessionId);
    const isById = id !== '' && id === hexOf(client.sessionId);
    return this.#masters.get(hexOf(client.ticket)) ?? (isById ? this.#masters.get(id) : undefined);
  }

  clear(): void {
    this.#masters.clear();
  }
}
