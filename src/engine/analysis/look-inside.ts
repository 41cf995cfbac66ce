/** Wrapped files → how many schemas, messages and captures are in them, before any of them is opened. */
import { latin1 } from '../bytes/latin1.ts';
import { bytesSource, type ReadControl, type Source } from '../bytes/source.ts';
import { sniffCapture } from '../capture/containers/sniff-capture.ts';
import { isDescriptorSet, isSchemaFile } from '../capture/schema-signs.ts';
import { sniffCodec } from '../compression/signatures.ts';
import { otherContent } from '../frame/framing/other-content.ts';
import { keyLogIn } from '../frame/unwrap/key-logs-inside.ts';
import { unwrap } from '../frame/unwrap/unwrap.ts';

/** Files of an archive that are read. */
const MAX_LOOKED_AT = 200;
/** Bytes of a file that are read to detect a schema. */
const HEAD = 1 << 14;
/** Characters of base64 that are decoded to detect a schema in it. */
const MAX_BASE64 = 64 << 20;

export interface FoundInside {
  /** Number of files that are schemas, and of those that may be messages or captures. */
  readonly schemas: number;
  readonly payloads: number;
  /** Several captures, each an input of its own, in the order of the archive. One capture is read in its archive. */
  readonly captures: readonly { readonly path: string; readonly bytes: Uint8Array<ArrayBuffer> }[];
  /** Paths of the other files, if captures are returned. */
  readonly beside: readonly string[];
  /** Lines of each key log of TLS, if captures are returned or there is nothing to decrypt: no input has them. */
  readonly keyLogs: readonly string[];
}

export async function lookInside(given: Source, control: ReadControl): Promise<FoundInside> {
  const { archive, ...unwrapped } = await unwrap(await plainOf(given), [], control);
  const { source, files } = archive ?? unwrapped;
  const log = files === null ? await keyLogIn(source, control) : null;
  if (log !== null) return { schemas: 0, payloads: 0, captures: [], beside: [], keyLogs: [log] };
  const captures = archive?.captures.slice(0, MAX_LOOKED_AT) ?? [];
  const found = { schemas: archive === undefined ? unwrapped.schemas : 0, payloads: captures.length };
  const beside: string[] = [];
  const looked = files?.slice(0, MAX_LOOKED_AT) ?? [{ path: source.name, start: 0, end: source.size }];
  for (const file of looked) {
    if (captures.includes(file)) continue;
    const { path, start, end } = file;
    const head = await source.read(start, Math.min(end, start + HEAD));
    const content = otherContent(head, end - start);
    if (isSchemaFile(path, head) || isDescriptorSet(fromBase64(head))) {
      found.schemas++;
      continue;
    }
    beside.push(path);
    const mayHaveMessages = content === null || content.kind === 'captured' || sniffCapture(head) !== null;
    const isText = content?.kind === 'json' || content?.kind === 'txtpb';
    if (mayHaveMessages || (isText && unwrapped.schemas === 0)) found.payloads++;
  }
  const { keyLogs } = unwrapped;
  if (archive === undefined || captures.length < 2)
    return { ...found, captures: [], beside: [], keyLogs: found.payloads === 0 ? keyLogs : [] };
  const bodies = new Set<string>();
  const opened: { path: string; bytes: Uint8Array<ArrayBuffer> }[] = [];
  for (const capture of [...captures].sort((one, other) => one.start - other.start)) {
    const one = await archive.open(capture);
    for (const path of one.bodies) bodies.add(path);
    opened.push({ path: capture.path, bytes: (await one.source.read(0, one.source.size)).slice() });
  }
  return { ...found, captures: opened, beside: beside.filter((path) => !bodies.has(path)), keyLogs };
}

/** Base64 of something compressed, which may be a schema, as its bytes; anything else as it is. */
async function plainOf(source: Source): Promise<Source> {
  const head = await source.read(0, Math.min(source.size, HEAD));
  if (sniffCodec(fromBase64(head)) === null || source.size > MAX_BASE64) return source;
  return bytesSource(source.name, fromBase64(await source.read(0, source.size)));
}

/** The bytes of text in base64, as far as the head has them; empty: it is other data. */
function fromBase64(head: Uint8Array): Uint8Array {
  const text = latin1(head).replace(/\s/g, '');
  try {
    return Uint8Array.from(atob(text.slice(0, text.length - (text.length % 4))), (letter) => letter.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
