/**
 * A capture among the files of an archive: `trace.zip` with `trace.pcapng` and `notes.txt`. The archive is read as the
 * capture, because its packets or exchanges are not one message.
 */
import { latin1 } from '../../bytes/latin1.ts';
import { AbortError, type ReadControl, type Source } from '../../bytes/source.ts';
import { joinTraces } from '../../capture/containers/join-traces.ts';
import { sniffCapture } from '../../capture/containers/sniff-capture.ts';
import { PLAIN_LIMIT } from '../../compression/codec.ts';
import { decodeOwned, patiently } from '../../compression/registry.ts';
import { sniffCodec } from '../../compression/signatures.ts';
import { countText } from '../../model/count-text.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { FileSpan } from './file-span.ts';
import { signedWrapper } from './wrapped.ts';

/** Bytes of a file that show whether it is a capture. */
const HEAD = 1 << 14;
/** First byte of each magic number of pcap. */
const BIG_ENDIAN = 0xa1;
const SAZ_NAME = /\.saz$/i;
const HAR_NAME = /\.har(?:\.\w{2,4})?$/i;
const COMPRESSED_NAME = /\.(?:pcap|pcapng|cap|har|flow|mitm)\.\w{2,4}$/i;
/** Bytes of traces that are joined in memory. */
const MOST_JOINED = 4 * PLAIN_LIMIT;
/** Paths in a finding, and characters of one. */
const NAMED = 5;
const LONGEST_PATH = 80;

/** The captures among several files, the largest first. */
export async function capturesAmong(
  source: Source,
  files: readonly FileSpan[],
  control: ReadControl,
): Promise<readonly FileSpan[]> {
  const found: FileSpan[] = [];
  for (const [index, file] of files.entries()) {
    if (index % 100 === 0) await control.pause?.();
    if (control.signal?.aborted) throw new AbortError();
    const { path, start, end } = file;
    const head = await source.read(start, Math.min(end, start + HEAD));
    const isOne = isCapture(path, head, end - start) || isWrittenCapture(path, head);
    if (isOne || (await isPackedCapture(source, file, head, control))) found.push(file);
  }
  return found.sort((a, b) => b.end - b.start - (a.end - a.start));
}

/** A message may begin with the magic number of a capture, and any JSON as a HAR does. @param head as many bytes as HEAD */
export function isCapture(path: string, head: Uint8Array, size: number): boolean {
  switch (sniffCapture(head)) {
    case 'pcap':
      return isPcapHeader(head, size);
    case 'pcapng':
      return isSectionHeader(head, size);
    case 'har':
      return HAR_NAME.test(path) && new TextDecoder().decode(head).includes('"request"');
    case 'gzip':
    case null:
      return false;
    default:
      return true;
  }
}

/** A file header of version 2.x, and a record (draft-ietf-opsawg-pcap §4). */
function isPcapHeader(head: Uint8Array, size: number): boolean {
  if (size < 24 + 16) return false;
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  return view.getUint16(4, head[0] !== BIG_ENDIAN) === 2;
}

/** A section header block with its byte-order magic, and a block behind it (draft-ietf-opsawg-pcapng §4.1). */
function isSectionHeader(head: Uint8Array, size: number): boolean {
  if (size < 28 + 12) return false;
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  const isLittle = view.getUint32(8, true) === 0x1a2b3c4d;
  const length = view.getUint32(4, isLittle);
  return (isLittle || view.getUint32(8) === 0x1a2b3c4d) && length >= 28 && length % 4 === 0 && length < size;
}

/** Packets in Wireshark's JSON, traces in Envoy's, or a SAZ as Fiddler writes it, which become captures when they are unwrapped. */
function isWrittenCapture(path: string, head: Uint8Array): boolean {
  const wrapper = signedWrapper(path, head);
  return (
    wrapper === 'wireshark' ||
    wrapper === 'envoy' ||
    (wrapper === 'zip' && SAZ_NAME.test(path) && latin1(head).includes('raw/'))
  );
}

/** Whether a compressed file that is named as a capture is one. */
async function isPackedCapture(
  source: Source,
  { path, start, end }: FileSpan,
  head: Uint8Array,
  control: ReadControl,
): Promise<boolean> {
  const codec = COMPRESSED_NAME.test(path) && end - start <= PLAIN_LIMIT ? sniffCodec(head) : null;
  if (codec === null) return false;
  const plain = await patiently(decodeOwned(await source.read(start, end), codec, PLAIN_LIMIT), control);
  return plain.ok && isCapture(path, plain.bytes.subarray(0, HEAD), plain.bytes.length);
}

/**
 * The files that are not read beside a capture; null: there are none.
 * @param captures the one that is read, and others; none: no capture is read
 * @param bodies paths of files that are part of the capture
 * @param size bytes of the capture
 */
export function filesBeside(
  [read, ...others]: readonly FileSpan[],
  files: readonly FileSpan[],
  bodies: ReadonlySet<string>,
  size: number,
): Diagnostic | null {
  const left = files.map(({ path }) => path).filter((path) => path !== read?.path && !bodies.has(path));
  if (read === undefined || left.length === 0) return null;
  const which = others.length === 0 ? 'the only capture' : `the largest of ${others.length + 1} captures`;
  const severity = others.length === 0 ? 'info' : 'warning';
  return beside(severity, `Of the archive ${inText(read.path)} is read, ${which} in it.`, left, size);
}

function beside(severity: Diagnostic['severity'], read: string, left: readonly string[], size: number): Diagnostic {
  const named = `${left.slice(0, NAMED).map(inText).join(', ')}${left.length > NAMED ? ', …' : ''}`;
  const count = left.length === 1 ? 'One other file is' : `${left.length} other files are`;
  const message = `${read} ${count} not read: ${named}.`;
  return { code: 'archive/files-beside', severity, message, space: 'capture', start: 0, end: size };
}

/**
 * Envoy's tap writes a file for each trace: if all captures of an archive are its, they are read as one, up to a limit.
 * null: they are not. @param captures of it @returns with the files beside them
 */
export async function joinedTraces(
  source: Source,
  captures: readonly FileSpan[],
  files: readonly FileSpan[],
  { signal, pause }: ReadControl,
): Promise<{ readonly bytes: Uint8Array; readonly beside: readonly Diagnostic[] } | null> {
  if (captures.length < 2) return null;
  const sought = new Set(captures);
  const found = files.filter((file) => sought.has(file));
  const read = async (index: number, length: number): Promise<Uint8Array> => {
    if (index % 100 === 0) await pause?.();
    if (signal?.aborted) throw new AbortError();
    const { start, end } = found[index]!;
    return source.read(start, Math.min(end, start + length));
  };
  for (const [index, { path }] of found.entries()) {
    const head = await read(index, HEAD);
    if (sniffCapture(head) !== 'envoy-tap' && signedWrapper(path, head) !== 'envoy') return null;
  }
  const traces: Uint8Array[] = [];
  let size = 0;
  for (const [index, { start, end }] of found.entries()) {
    size += end - start;
    if (size > MOST_JOINED) break;
    traces.push(await read(index, end - start));
  }
  if (traces.length === 0) return null;
  const bytes = joinTraces(traces);
  const joined = new Set(found.slice(0, traces.length));
  const left = files.filter((file) => !joined.has(file)).map(({ path }) => path);
  if (left.length === 0) return { bytes, beside: [] };
  const count = countText(found.length);
  const isAll = joined.size === found.length;
  const text = isAll
    ? `The ${count} files with traces of Envoy in the archive are read as one capture.`
    : `The first of the ${count} files with traces of Envoy in the archive are read as one capture, up to ${countText(MOST_JOINED)} bytes of them.`;
  return { bytes, beside: [beside(isAll ? 'info' : 'warning', text, left, bytes.length)] };
}

/** Bodies of a HAR that are too large together. @param size bytes of the capture */
export const bodiesLeftOut = (count: number, size: number): Diagnostic => ({
  code: 'archive/bodies-left-out',
  severity: 'warning',
  message: `${count === 1 ? 'One body' : `${count} bodies`} of the HAR, stored beside it, ${count === 1 ? 'is' : 'are'} not read: together they take too much memory.`,
  space: 'capture',
  start: 0,
  end: size,
});

/** On one line, its end if it is long. */
function inText(path: string): string {
  const line = path.replace(/\p{Cc}/gu, ' ');
  return line.length > LONGEST_PATH ? `…${line.slice(1 - LONGEST_PATH)}` : line;
}
