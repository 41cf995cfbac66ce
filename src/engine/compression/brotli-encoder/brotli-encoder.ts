/** Google's encoder of Brotli: a message is compressed alone, with the default window and mode. */
import { bytesAt, type CLibrary, openLibrary, placed, reserved } from '../c-library.ts';
import { BROTLI_CODE } from './brotli-code.ts';

/** As in library.c. */
interface Brotli extends CLibrary {
  bound(length: number): number;
  compress(stream: number, capacity: number, message: number, length: number, quality: number): number;
}

let opened: Brotli | undefined;

/** @param quality 0 to 11 */
export function encodeBrotli(plain: Uint8Array, quality: number): Uint8Array {
  opened ??= openLibrary<Brotli>(BROTLI_CODE);
  const library = opened;
  const room = library.bound(plain.length);
  return placed(library, plain, (from) =>
    reserved(library, room, (to) => {
      const length = library.compress(to, room, from, plain.length, quality);
      if (length === 0) throw new Error('Brotli did not compress the message.');
      return bytesAt(library, to, length);
    }),
  );
}
