/**
 * Names the content of an input without messages: empty, text, or a file of another format. If records tile the input,
 * it counts as a message, because that is stronger evidence than a signature.
 */
import { hexOf } from '../../bytes/hex.ts';
import { latin1 } from '../../bytes/latin1.ts';
import { textKind, textStart } from '../../capture/text/ascii.ts';
import { textFormat } from '../../capture/text/text-format.ts';
import { plausibleMessage } from '../plausible-message.ts';

/**
 * `captured`: a capture in an unsupported format; `recorded`: messages of several channels, as programs record their
 * own; `dissected`: packets without their bytes, as Wireshark exports them; `curl`: a trace without its bytes.
 */
export type ContentKind =
  | 'empty'
  | 'blank'
  | 'json'
  | 'txtpb'
  | 'markup'
  | 'schema'
  | 'log'
  | 'text'
  | 'media'
  | 'document'
  | 'program'
  | 'archive'
  | 'compressed'
  | 'table'
  | 'captured'
  | 'recorded'
  | 'dissected'
  | 'curl';

export interface OtherContent {
  readonly kind: ContentKind;
  /** Follows “is”: `a PNG picture`. */
  readonly what: string;
}

/**
 * Signatures of common file formats, as Latin-1, with their offsets. https://www.garykessler.net/library/file_sigs.html
 */
const SIGNATURES: readonly (readonly [at: number, bytes: string, kind: ContentKind, what: string])[] = [
  [0, '\x89PNG\r\n', 'media', 'a PNG picture'],
  [0, '\xff\xd8\xff', 'media', 'a JPEG picture'],
  [0, 'GIF8', 'media', 'a GIF picture'],
  [8, 'WEBP', 'media', 'a WebP picture'],
  [8, 'WAVE', 'media', 'a WAV recording'],
  [4, 'ftyp', 'media', 'an MP4 film or picture'],
  [0, 'ID3', 'media', 'an MP3 recording'],
  [0, 'OggS', 'media', 'an Ogg recording'],
  [0, '\0\0\x01\0', 'media', 'an icon'],
  [0, 'II*\0', 'media', 'a TIFF picture'],
  [0, 'MM\0*', 'media', 'a TIFF picture'],
  [0, 'wOF', 'media', 'a font'],
  [0, 'OTTO', 'media', 'a font'],
  [0, '%PDF-', 'document', 'a PDF document'],
  [0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'document', 'a Microsoft Office document'],
  [0, '\x7fELF', 'program', 'an ELF program or library'],
  [0, 'MZ', 'program', 'a Windows program'],
  [0, '\xcf\xfa\xed\xfe', 'program', 'a macOS program'],
  [0, '\xca\xfe\xba\xbe', 'program', 'a Java class or a macOS program'],
  [0, '\0asm', 'program', 'a WebAssembly module'],
  [0, '!<arch>\n', 'program', 'a static library or a Debian package'],
  [0, 'PK\x03\x04', 'archive', 'a ZIP archive'],
  [0, 'PK\x05\x06', 'archive', 'an empty ZIP archive'],
  [257, 'ustar', 'archive', 'a tar archive'],
  [0, '7z\xbc\xaf\x27\x1c', 'archive', 'a 7z archive'],
  [0, 'Rar!\x1a\x07', 'archive', 'a RAR archive'],
  [0, '\x1f\x8b', 'compressed', 'gzip'],
  [0, '\x28\xb5\x2f\xfd', 'compressed', 'zstd'],
  [0, '\xff\x06\0\0sNaPpY', 'compressed', 'framed snappy'],
  [0, 'BZh', 'compressed', 'bzip2'],
  [0, '\xfd7zXZ\0', 'compressed', 'xz'],
  [0, 'SQLite format 3\0', 'table', 'an SQLite database'],
  [0, 'PAR1', 'table', 'a Parquet file'],
  [0, 'Obj\x01', 'table', 'an Avro file'],
  [0, 'ARROW1', 'table', 'an Arrow file'],
  [0, 'ORC', 'table', 'an ORC file'],
  [0, '\x93NUMPY', 'table', 'a NumPy array'],
  [4, 'TFL3', 'table', 'a TensorFlow Lite model'],
  [0, '\x89HDF\r\n', 'table', 'an HDF5 file'],
  [0, 'snoop\0\0\0', 'captured', 'a snoop capture'],
  [0, '\x89MCAP0\r\n', 'recorded', 'an MCAP recording'],
  [0, 'btsnoop\0', 'captured', 'a Bluetooth snoop capture'],
  [0, 'GMBU', 'captured', 'a Microsoft Network Monitor capture'],
  [0, 'ElfFile\0', 'table', 'a Windows event log'],
];

/** Short signatures also occur in other files, so these formats have an additional test. */
const ALSO: Readonly<Record<string, (bytes: Uint8Array) => boolean>> = {
  MZ: (bytes) => bytes.length >= 64 && startsAt(bytes, bytes[60]! + bytes[61]! * 256, 'PE\0\0'),
  '\0\0\x01\0': (bytes) => bytes[4] !== 0 && bytes[5] === 0 && bytes[9] === 0,
};

const startsAt = (bytes: Uint8Array, at: number, text: string): boolean =>
  [...text].every((character, n) => bytes[at + n] === character.charCodeAt(0));

/** The format whose signature the first bytes have. The input may still be something else. */
export function signatureOf(bytes: Uint8Array): OtherContent | null {
  const found = SIGNATURES.find(([at, text]) => startsAt(bytes, at, text) && (ALSO[text]?.(bytes) ?? true));
  return found === undefined ? null : { kind: found[2], what: found[3] };
}

/**
 * Whether the bytes are all characters. A text hardly ever begins with a line break, which is also the most frequent
 * tag.
 */
export const isReadableText = (bytes: Uint8Array): boolean =>
  bytes.length > 0 && bytes[0]! >= 0x20 && textKind(bytes, ESCAPE) !== 'none';

/** Escape character of terminal colours, which occur in logs. */
const ESCAPE = 0x1b;
/** Shorter inputs may consist of characters by chance. */
const MIN_TEXT = 12;

/**
 * @param head the input's first bytes, or all of them if `head.length === size`. @returns null: the input may be a
 * message
 */
export function otherContent(head: Uint8Array, size: number): OtherContent | null {
  if (size === 0) return { kind: 'empty', what: 'empty' };
  const { whole, delimited } = plausibleMessage(head, 0, size);
  if (textStart(head) === head.length && !whole) {
    // A few bytes may as well be the beginning of a message, as pasted in hex.
    const what =
      size < MIN_TEXT ? `${hexOf(head)}: white space as text, an incomplete record as protobuf` : 'only white space';
    return { kind: 'blank', what };
  }
  if (!isReadableText(head))
    return whole ? null : isReadableText(head.subarray(textStart(head))) ? textMessage(head, size) : signatureOf(head);
  // Most bytes of a message that consists of letters are in LEN records.
  const isMessage = whole && (size < MIN_TEXT || delimited > head.length / 2);
  if (!isMessage) return textMessage(head, size) ?? contentOfText(head, size);
  // The digits 20 of a year are also the tag and the length of 48 bytes of text, so records may tile a short log.
  const log = startsLog(head) ? contentOfText(head, size) : null;
  return log?.kind === 'log' ? log : null;
}

const LONGEST_STAMP = 40;
const startsLog = (head: Uint8Array): boolean => LOG_LINE.test(latin1(head, 0, Math.min(head.length, LONGEST_STAMP)));

function textMessage(head: Uint8Array, size: number): OtherContent | null {
  const found = textFormat(head, size);
  if (found === null) return null;
  return { kind: 'txtpb', what: `protobuf’s text format${found.isSound ? '' : ' with a fault in it'}` };
}

const SCHEMA = /^[^\S\n]*(?:syntax\s*=\s*["']proto|edition\s*=\s*["']2|package\s+[\w.]+\s*;|message\s+\w+\s*\{)/m;
const TAG = /^<(?:\?xml|!doctype|!--|[a-z][\w:-]*[\s/>])/i;
/** A time, a severity, or klog's letter and date, at the start of a line. */
const LOG_LINE =
  /^[[(]?(?:\d{4}[-/]\d\d[-/]\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:|\d{10,19}\b|(?:time|ts|level)=|[IWEF]\d{4} \d\d:|(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b)/i;
const LINES = 40;

/** Exports of Wireshark's dissections and of its list of packets: `tshark -T json`, `ek`, `pdml`, `psml`, `-V`. */
const DISSECTED: readonly (readonly [start: RegExp, what: string])[] = [
  [/^\[?\s*\{\s*"_index"\s*:.{1,200}"_source"\s*:\s*\{\s*"layers"\s*:/s, 'as JSON'],
  [/^(?:\{"index":\{"_index":[^\n]*\n)?\{"timestamp":"\d+","layers":\{/, 'as JSON'],
  [/^(?:<[?!][^>]*>\s*)*<pdml\s/, 'as PDML'],
  [/^(?:<[?!][^>]*>\s*)*<psml\s/, 'as PSML'],
  [/^Frame \d+: \d+ bytes on wire \(/, 'as text'],
];

/** A request in `--trace-ascii`, whose rows have no hex; a request in `--verbose`. */
const CURL_TRACES = [
  /^(?:[\d:.]{8,20} )?(?:\[[^\]\n]*\] )?=> Send header, \d+ bytes \(0x[\da-f]+\)\r?\n0000: (?!(?:[\da-f]{2} ){16})/m,
  /^\* [^\n]*\n(?:[*{}] [^\n]*\n)*> [A-Z]+ \S+ HTTP\//,
];

function contentOfText(head: Uint8Array, size: number): OtherContent {
  const text = new TextDecoder().decode(head.subarray(textStart(head)));
  const isWhole = head.length === size;
  if (CURL_TRACES.some((request) => request.test(text.slice(0, 1 << 14))))
    return { kind: 'curl', what: 'a trace by curl without the bytes of its bodies' };
  const exported = DISSECTED.find(([start]) => start.test(text.slice(0, 1 << 14)));
  if (exported !== undefined) return { kind: 'dissected', what: `packets as Wireshark exports them ${exported[1]}` };
  if (SCHEMA.test(text.slice(0, 1 << 14))) return { kind: 'schema', what: 'a .proto schema' };
  const lines = text.split('\n', LINES + 1).filter((line) => line.trim() !== '');
  // The last line may be cut.
  if (!isWhole && lines.length > 1) lines.pop();
  if (/^[[{]/.test(text)) {
    if (lines.length > 1 && lines.every((line) => /^\s*[[{]/.test(line) && isJson(line)))
      return { kind: 'json', what: 'JSON, a value a line' };
    if (isWhole ? isJson(text) : /^(?:\{\s*"|\[\s*[{["\d-])/.test(text)) return { kind: 'json', what: 'JSON' };
    if (/^(?:\[\s*)?\{\s*"[^"\n]*"\s*:/.test(text)) return { kind: 'json', what: 'JSON with a fault in it' };
  }
  if (TAG.test(text))
    return { kind: 'markup', what: /^<(?:!doctype\s+html|html)/i.test(text) ? 'an HTML page' : 'XML' };
  const stamped = lines.filter((line) => LOG_LINE.test(line.trim())).length;
  if (stamped > 0 && stamped >= lines.length / 2) return { kind: 'log', what: 'a text log' };
  return { kind: 'text', what: 'text' };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
