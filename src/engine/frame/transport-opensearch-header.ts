/**
 * The variable header of a frame: thread context, and the action of a request.
 *
 *   VInt n, n × (String, String) │ VInt n, n × (String, VInt m, m × String) │ request: VInt n, n × String features │ String action
 *
 * A String is a VInt count of UTF-16 units and each unit in one to three bytes.
 */

export interface OpenSearchHeader {
  /** Request headers by name; of response headers, the values joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** null in a response. */
  readonly action: string | null;
}

/** @returns null if the bytes are no such header, to the last byte */
export function readOpenSearchHeader(bytes: Uint8Array, isRequest: boolean): OpenSearchHeader | null {
  let at = 0;
  let sound = true;

  function vint(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = bytes[at++];
      if (byte === undefined) break;
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
    sound = false;
    return 0;
  }

  function string(): string {
    const units = vint();
    if (units > bytes.length - at) {
      sound = false;
      return '';
    }
    let text = '';
    for (let i = 0; i < units; i++) {
      const first = bytes[at++]!;
      if (first < 0x80) text += String.fromCharCode(first);
      else if (first < 0xe0) text += String.fromCharCode(((first & 0x1f) << 6) | (bytes[at++]! & 0x3f));
      else text += String.fromCharCode(((first & 15) << 12) | ((bytes[at++]! & 0x3f) << 6) | (bytes[at++]! & 0x3f));
    }
    if (at > bytes.length) sound = false;
    return text;
  }

  const entries: [string, string][] = [];
  for (let left = vint(); left > 0 && sound; left--) entries.push([string(), string()]);
  for (let left = vint(); left > 0 && sound; left--) {
    const name = string();
    const values: string[] = [];
    for (let more = vint(); more > 0 && sound; more--) values.push(string());
    entries.push([name, values.join(', ')]);
  }
  let action: string | null = null;
  if (isRequest && sound) {
    for (let left = vint(); left > 0 && sound; left--) string();
    action = string();
  }
  return sound && at === bytes.length ? { headers: Object.fromEntries(entries), action } : null;
}
