/** libzstd's dictionary trainer, and the size of messages that are each compressed alone with a dictionary. */
import { bytesAt, type CLibrary, openLibrary, placed, reserved } from '../c-library.ts';
import { ZSTD_CODE } from './zstd-code.ts';

/** As in library.c. */
interface Zstd extends CLibrary {
  train(dictionary: number, capacity: number, samples: number, sizes: number, count: number, level: number): number;
  load(dictionary: number, length: number, level: number): void;
  compress(frame: number, capacity: number, message: number, length: number): number;
}

let opened: Zstd | undefined;

function library(): Zstd {
  opened ??= openLibrary<Zstd>(ZSTD_CODE);
  return opened;
}

/** @param capacity maximum bytes of the dictionary. undefined: the samples are too few or too small. */
export function trainDictionary(
  samples: readonly Uint8Array[],
  capacity: number,
  level: number,
): Uint8Array | undefined {
  const joined = new Uint8Array(samples.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const sample of samples) {
    joined.set(sample, end);
    end += sample.length;
  }
  const sizes = new Uint8Array(Uint32Array.from(samples, ({ length }) => length).buffer);
  const zstd = library();
  return placed(zstd, joined, (from) =>
    placed(zstd, sizes, (lengths) =>
      reserved(zstd, capacity, (to) => {
        const length = zstd.train(to, capacity, from, lengths, samples.length, level);
        return length === 0 ? undefined : bytesAt(zstd, to, length);
      }),
    ),
  );
}

/** Total bytes of all messages, each compressed alone. @param dictionary undefined: no dictionary */
export function sizeWithDictionary(
  messages: readonly Uint8Array[],
  dictionary: Uint8Array | undefined,
  level: number,
): number {
  const most = messages.reduce((longest, { length }) => Math.max(longest, length), 0);
  // ZSTD_COMPRESSBOUND, plus the header of a frame.
  const room = most + (most >> 8) + 128;
  const zstd = library();
  return placed(zstd, dictionary ?? new Uint8Array(0), (at) => {
    zstd.load(at, dictionary?.length ?? 0, level);
    return reserved(zstd, room, (to) =>
      messages.reduce(
        (sum, message) => sum + placed(zstd, message, (from) => zstd.compress(to, room, from, message.length)),
        0,
      ),
    );
  });
}
