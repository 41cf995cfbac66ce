/**
 * The places of a tar archive's files. Nothing is copied, and an archive of any size is read header by header. POSIX
 * ustar and pax (https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html), GNU long names.
 *
 *   header of 512 bytes  name×100 │ … size @124×12 octal │ … checksum @148×8 │ type @156 │ … "ustar" @257 │ prefix @345×155
 *   then the file's bytes, up to the next 512; type x, g: pax records "27 path=a/b.bin\n"; type L: a long name
 */
import { safePath } from './safe-path.ts';

export interface TarEntry {
  readonly path: string;
  /** Half-open, in the archive. */
  readonly start: number;
  readonly end: number;
}

const BLOCK = 512;
const [SIZE_AT, CHECKSUM_AT, TYPE_AT, MAGIC_AT, PREFIX_AT] = [124, 148, 156, 257, 345];
/** Names and pax records are read in one piece; longer ones are ignored. */
const MAX_NAME = 1 << 20;
const MAX_ENTRIES = 50_000;

/** Whether the first header has a valid checksum. */
export const isTar = (head: Uint8Array): boolean =>
  isHeader(head.subarray(0, BLOCK)) && text(head, MAGIC_AT, 5) === 'ustar';

/** Requests spans [start, end) of the archive, one after another. Returns its files. */
export function* walkTar(size: number): Generator<readonly [number, number], readonly TarEntry[], Uint8Array> {
  const entries: TarEntry[] = [];
  let longName: string | null = null;
  for (let at = 0; at + BLOCK <= size && entries.length < MAX_ENTRIES; ) {
    const header: Uint8Array = yield [at, at + BLOCK];
    if (!isHeader(header)) break;
    const start = at + BLOCK;
    const length = numberAt(header, SIZE_AT, 12);
    const end = start + length;
    if (!(end <= size)) break;
    const type = text(header, TYPE_AT, 1);
    if ((type === 'L' || type === 'x') && length <= MAX_NAME) {
      const record: Uint8Array = yield [start, end];
      const name: string | null = type === 'L' ? text(record, 0, length) : paxPath(record);
      longName = name ?? longName;
    } else if (type !== 'g') {
      const prefix = text(header, MAGIC_AT, 6) === 'ustar' ? text(header, PREFIX_AT, 155) : '';
      const named: string = longName ?? `${prefix === '' ? '' : `${prefix}/`}${text(header, 0, 100)}`;
      longName = null;
      const path = type === '' || type === '0' || type === '7' ? safePath(named) : undefined;
      if (path !== undefined) entries.push({ path, start, end });
    }
    at = start + Math.ceil(length / BLOCK) * BLOCK;
  }
  return entries;
}

/** The same for an archive in memory. */
export function tarEntries(bytes: Uint8Array): readonly TarEntry[] {
  const walk = walkTar(bytes.length);
  for (let step = walk.next(); ; step = walk.next(bytes.subarray(...step.value))) if (step.done) return step.value;
}

/** A header for a file. A name of more than 100 bytes has an entry of its own before it. */
export function tarHeader(path: string, size: number): Uint8Array<ArrayBuffer> {
  const name = new TextEncoder().encode(path);
  if (name.length <= 100) return header(name, size, '0');
  const room = Math.ceil(name.length / BLOCK) * BLOCK;
  const both = new Uint8Array(2 * BLOCK + room);
  both.set(header(new TextEncoder().encode('././@LongLink'), name.length, 'L'));
  both.set(name, BLOCK);
  both.set(header(name.subarray(0, 100), size, '0'), BLOCK + room);
  return both;
}

/** Bytes from the end of a file's content to the next header. */
export const tarPadding = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

function header(name: Uint8Array, size: number, type: string): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(BLOCK);
  const put = (at: number, value: string): void => void new TextEncoder().encodeInto(value, block.subarray(at));
  block.set(name);
  put(100, '0000644\0');
  put(SIZE_AT, `${size.toString(8).padStart(11, '0')}\0`);
  put(136, '00000000000\0');
  put(TYPE_AT, type);
  put(MAGIC_AT, 'ustar\u000000');
  put(CHECKSUM_AT, `${sumOf(block).toString(8).padStart(6, '0')}\0 `);
  return block;
}

const isHeader = (block: Uint8Array): boolean =>
  block.length === BLOCK && block[0] !== 0 && numberAt(block, CHECKSUM_AT, 8) === sumOf(block);

/** The sum of all bytes of a header. The checksum field counts as spaces. */
const sumOf = (block: Uint8Array): number =>
  block.reduce((sum, byte, at) => sum + (at >= CHECKSUM_AT && at < CHECKSUM_AT + 8 ? 0x20 : byte), 0);

/** Octal digits, or big-endian bytes after 0x80. NaN: neither. */
function numberAt(bytes: Uint8Array, at: number, length: number): number {
  if (bytes[at]! & 0x80) return bytes.subarray(at + 1, at + length).reduce((value, byte) => value * 256 + byte, 0);
  return Number.parseInt(text(bytes, at, length).trim() || '0', 8);
}

/** The text up to the first zero byte. */
function text(bytes: Uint8Array, at: number, length: number): string {
  const part = bytes.subarray(at, at + length);
  const end = part.indexOf(0);
  return new TextDecoder().decode(end < 0 ? part : part.subarray(0, end));
}

const paxPath = (record: Uint8Array): string | null =>
  /(?:^|\n)\d+ path=([^\n]*)\n/.exec(new TextDecoder().decode(record))?.[1] ?? null;
