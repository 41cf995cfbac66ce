/** zlib's encoder of gzip: a message is compressed alone, with the default memory level and strategy. */
import { bytesAt, type CLibrary, openLibrary, placed, reserved } from '../c-library.ts';
import { ZLIB_CODE } from './zlib-code.ts';

/** As in library.c. */
interface Zlib extends CLibrary {
  bound(length: number, level: number): number;
  gzip(file: number, capacity: number, message: number, length: number, level: number): number;
}

let opened: Zlib | undefined;

/** RFC 1952, without name and time. @param level 0 to 9 */
export function encodeGzip(plain: Uint8Array, level: number): Uint8Array {
  opened ??= openLibrary<Zlib>(ZLIB_CODE);
  const library = opened;
  const room = library.bound(plain.length, level);
  return placed(library, plain, (from) =>
    reserved(library, room, (to) => {
      const length = library.gzip(to, room, from, plain.length, level);
      if (length === 0) throw new Error('zlib did not compress the message.');
      return bytesAt(library, to, length);
    }),
  );
}
