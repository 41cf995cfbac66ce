/**
 * Base64 in JSON, as Pub/Sub, Kinesis and logs carry messages: `{"records":[{"data":"CgNmb28="}]}` → the bytes of each
 * text at the path with the most bytes.
 */
import { decodeBase64 } from '../../compression/text-bodies.ts';

export interface JsonBytes {
  /** `records.data` */
  readonly path: string;
  /** `records[0].data` and its bytes. */
  readonly files: readonly { readonly path: string; readonly bytes: Uint8Array }[];
}

const BASE64 = /^[\w+/-]+={0,2}$/;
/** An id in hexadecimal, such as that of a trace, which reads as base64 as well. */
const HEX = /^(?:[\da-f]+|[\dA-F]+)$/;
const SHORTEST = 8;
/**
 * Minimum share of the bytes in the JSON text. In an envelope, the message is a large part. JSON with a small bytes
 * field is itself the message.
 */
const MIN_SHARE = 0.25;
const MAX_DEPTH = 32;

interface Found {
  readonly at: string;
  readonly text: string;
}

/**
 * @param isMessage whether bytes are evidence of a message; null: the user chose to read the JSON like this
 * @returns null: no path holds base64, or no path holds messages
 */
export function bytesInJson(json: string, isMessage: ((bytes: Uint8Array) => boolean) | null): JsonBytes | null {
  const byPath = new Map<string, Found[]>();
  for (const [index, value] of valuesOf(json).entries()) collect(value, '', index === 0 ? '' : `[${index}]`, 0, byPath);
  const size = ({ text }: Found): number => text.length;
  const sum = (found: readonly Found[]): number => found.reduce((total, one) => total + size(one), 0);
  for (const [path, found] of [...byPath].sort((a, b) => sum(b[1]) - sum(a[1]))) {
    if (isMessage !== null && sum(found) < MIN_SHARE * json.length) return null;
    const files = found.flatMap(({ at, text }) => {
      const isId = isMessage !== null && HEX.test(text);
      const bytes = !isId && BASE64.test(text) && text.length >= SHORTEST ? decoded(text) : null;
      return bytes === null ? [] : [{ path: at, bytes }];
    });
    const isBase64 = files.length === found.length;
    if (isBase64 && (isMessage === null || files.every(({ bytes }) => isMessage(bytes)))) return { path, files };
  }
  return null;
}

function decoded(text: string): Uint8Array | null {
  const bytes = decodeBase64(new TextEncoder().encode(text), text.length);
  return bytes.ok ? bytes.bytes.slice() : null;
}

/** One text, or one text a line. */
function valuesOf(json: string): readonly unknown[] {
  const whole = parsed(json);
  if (whole !== undefined) return [whole];
  const lines = json.split('\n').filter((line) => line.trim() !== '');
  const values = lines.map(parsed);
  return values.includes(undefined) ? [] : values;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function collect(value: unknown, path: string, at: string, depth: number, into: Map<string, Found[]>): void {
  if (depth > MAX_DEPTH) return;
  if (typeof value === 'string') {
    const found = into.get(path);
    if (found === undefined) into.set(path, [{ at, text: value }]);
    else found.push({ at, text: value });
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) collect(item, path, `${at}[${index}]`, depth + 1, into);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      collect(item, path === '' ? key : `${path}.${key}`, at === '' ? key : `${at}.${key}`, depth + 1, into);
    }
  }
}
