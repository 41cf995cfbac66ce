/** zlib's encoder of gzip: a message is compressed alone, with the default memory level and strategy. */
import { joinBytes } from '../../bytes/join.ts';
import { bytesAt, type CLibrary, openLibrary } from '../c-library.ts';
import { ZLIB_CODE } from './zlib-code.ts';

/** As in library.c. */
interface Zlib extends CLibrary {
  input(): number;
  output(): number;
  begin(level: number): number;
  push(length: number, isLast: boolean): number;
  more(isLast: boolean): number;
}

/** Bytes of a piece, as in library.c. */
const PIECE = 65_536;

let opened: Zlib | undefined;

/** RFC 1952, without name and time. @param level 0 to 9 */
export function encodeGzip(plain: Uint8Array, level: number): Uint8Array {
  opened ??= openLibrary<Zlib>(ZLIB_CODE);
  const library = opened;
  if (library.begin(level) === 0) throw new RangeError('WebAssembly has no room for a stream of zlib.');
  const written: Uint8Array[] = [];
  for (let at = 0, isLast = false; !isLast; at += PIECE) {
    const piece = plain.subarray(at, at + PIECE);
    isLast = at + PIECE >= plain.length;
    new Uint8Array(library.memory.buffer).set(piece, library.input());
    for (let size = library.push(piece.length, isLast), isFull = true; isFull; ) {
      written.push(bytesAt(library, library.output(), size));
      isFull = size === PIECE;
      if (isFull) size = library.more(isLast);
    }
  }
  return joinBytes(written);
}
