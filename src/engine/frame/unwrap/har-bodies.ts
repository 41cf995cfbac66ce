/**
 * Playwright stores the bodies of a HAR as files beside it (`recordHar` with `content: 'attach'`; in a ZIP always):
 *
 *   "postData": { "mimeType", "text": "", "_file": "9b75….bin" }        "content": { "mimeType", "size", "_file": "4c83….dat" }
 *
 * → the same HAR with `"text"` as base64 in place of each `"_file"`, as it is recorded with `content: 'embed'`. The last of equal
 * keys of an object counts. Nothing else is parsed or changed.
 */
import { joinBytes } from '../../bytes/join.ts';
import { latin1 } from '../../bytes/latin1.ts';
import { AbortError, type ReadControl, type Source } from '../../bytes/source.ts';
import { PLAIN_LIMIT } from '../../compression/codec.ts';
import type { FileSpan } from './file-span.ts';

const NAME = /\.har$/i;
/** Bytes of the HAR with its bodies; further bodies are left out. */
const MOST = 4 * PLAIN_LIMIT;
const KEY = new TextEncoder().encode('"_file"');
const [QUOTE, COLON, SPACE] = [0x22, 0x3a, 0x20];

export interface HarWithBodies {
  readonly bytes: Uint8Array;
  /** Paths of the files that are bodies of it, in it or left out. */
  readonly paths: ReadonlySet<string>;
  /** Number of bodies that were left out. */
  readonly leftOut: number;
}

/** @returns null: none of the files is a body of it, or it is not a HAR */
export async function harWithBodies(
  source: Source,
  har: FileSpan,
  files: readonly FileSpan[],
  { signal, pause }: ReadControl,
): Promise<HarWithBodies | null> {
  if (!NAME.test(har.path) || har.end - har.start > PLAIN_LIMIT) return null;
  const given = await source.read(har.start, har.end);
  const folder = har.path.slice(0, har.path.lastIndexOf('/') + 1);
  const byPath = new Map(files.map((file) => [file.path, file]));
  const paths = new Set<string>();
  const parts: Uint8Array[] = [];
  let [from, size, leftOut, seen] = [0, given.length, 0, 0];
  for (const { start, end, name } of filesNamed(given)) {
    if (seen++ % 100 === 0) await pause?.();
    if (signal?.aborted) throw new AbortError();
    const file = byPath.get(folder + name);
    if (file === undefined) continue;
    paths.add(file.path);
    size += Math.ceil(((file.end - file.start) * 4) / 3);
    if (size > MOST) {
      leftOut++;
      continue;
    }
    const text = btoa(latin1(await source.read(file.start, file.end)));
    const member = `"text":"${text}","encoding":"base64","_encoding":"base64"`;
    parts.push(given.subarray(from, start), new TextEncoder().encode(member));
    from = end;
  }
  if (paths.size === 0) return null;
  return { bytes: joinBytes([...parts, given.subarray(from)]), paths, leftOut };
}

/** The members `"_file": "NAME"`. In a text, their quotes would be escaped. */
function* filesNamed(
  json: Uint8Array,
): Generator<{ readonly start: number; readonly end: number; readonly name: string }> {
  const skipSpace = (at: number): number => {
    let next = at;
    while (next < json.length && json[next]! <= SPACE) next++;
    return next;
  };
  for (let start = json.indexOf(QUOTE); start >= 0; start = json.indexOf(QUOTE, start + 1)) {
    if (!KEY.every((byte, at) => json[start + at] === byte)) continue;
    const colon = skipSpace(start + KEY.length);
    const open = skipSpace(colon + 1);
    if (json[colon] !== COLON || json[open] !== QUOTE) continue;
    const close = json.indexOf(QUOTE, open + 1);
    if (close < 0) return;
    yield { start, end: close + 1, name: latin1(json, open + 1, close) };
  }
}
