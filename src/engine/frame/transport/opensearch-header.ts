/**
 * The variable header of a frame: thread context, and the action of a request.
 *
 *   VInt n, n × (String, String) │ VInt n, n × (String, VInt m, m × String) │ request: VInt n, n × String features │ String action
 *
 * A String is a VInt count of UTF-16 units, followed by the units in one to three bytes each.
 */

import { ByteMemo } from '../../bytes/byte-memo.ts';
import { latin1 } from '../../bytes/latin1.ts';
import { varintEnd, varintNumber } from '../../bytes/varint.ts';

export interface OpenSearchHeader {
  /** A copy. */
  readonly bytes: Uint8Array;
  /** Request headers by name. Several values of a response header are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** null: a response. */
  readonly action: string | null;
}

export const NO_HEADERS: OpenSearchHeader['headers'] = {};

/** Most frames carry one of a few headers, so recent headers are cached by their bytes. */
const requests = new ByteMemo<OpenSearchHeader | null>(256, 1024);
const responses = new ByteMemo<OpenSearchHeader | null>(256, 1024);

/** @returns null: bytes[start, end) are not exactly a header */
export const readOpenSearchHeader = (
  bytes: Uint8Array,
  start: number,
  end: number,
  isRequest: boolean,
): OpenSearchHeader | null =>
  isRequest
    ? requests.get(bytes, start, end, (own) => parseHeader(own, true))
    : responses.get(bytes, start, end, (own) => parseHeader(own, false));

function parseHeader(bytes: Uint8Array, isRequest: boolean): OpenSearchHeader | null {
  const cursor = new HeaderCursor(bytes);
  const entries: [string, string][] = [];
  for (let left = cursor.vint(); left > 0 && cursor.sound; left--) entries.push([cursor.string(), cursor.string()]);
  for (let left = cursor.vint(); left > 0 && cursor.sound; left--) {
    const name = cursor.string();
    const values: string[] = [];
    for (let more = cursor.vint(); more > 0 && cursor.sound; more--) values.push(cursor.string());
    entries.push([name, values.join(', ')]);
  }
  let action: string | null = null;
  if (isRequest && cursor.sound) {
    for (let left = cursor.vint(); left > 0 && cursor.sound; left--) cursor.string();
    action = cursor.string();
  }
  if (!cursor.sound || cursor.at !== bytes.length) return null;
  return { bytes, headers: entries.length === 0 ? NO_HEADERS : Object.fromEntries(entries), action };
}

const VINT_BYTES = 5;

class HeaderCursor {
  readonly #bytes: Uint8Array;
  at = 0;
  sound = true;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  vint(): number {
    const start = this.at;
    const end = varintEnd(this.#bytes, start, Math.min(this.#bytes.length, start + VINT_BYTES));
    if (end < 0) {
      this.sound = false;
      return 0;
    }
    this.at = end;
    return varintNumber(this.#bytes, start, end);
  }

  string(): string {
    const bytes = this.#bytes;
    const units = this.vint();
    if (units > bytes.length - this.at) {
      this.sound = false;
      return '';
    }
    const start = this.at;
    let at = start;
    while (at < start + units && bytes[at]! < 0x80) at++;
    let text = latin1(bytes, start, at);
    for (let left = start + units - at; left > 0; left--) {
      const first = bytes[at++]!;
      if (first < 0x80) text += String.fromCharCode(first);
      else if (first < 0xe0) text += String.fromCharCode(((first & 0x1f) << 6) | (bytes[at++]! & 0x3f));
      else text += String.fromCharCode(((first & 15) << 12) | ((bytes[at++]! & 0x3f) << 6) | (bytes[at++]! & 0x3f));
    }
    this.at = at;
    if (at > bytes.length) this.sound = false;
    return text;
  }
}
