/** libzstd's dictionary trainer, and the size of messages that are each compressed alone with a dictionary. */
import { decodeGzip } from '../inflate.ts';
import { ZSTD_CODE } from './zstd-code.ts';

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  _initialize(): void;
  malloc(bytes: number): number;
  free(at: number): void;
  train(dictionary: number, capacity: number, samples: number, sizes: number, count: number, level: number): number;
  load(dictionary: number, length: number, level: number): void;
  compress(frame: number, capacity: number, message: number, length: number): number;
}

/** Maximum unpacked bytes of the WebAssembly. */
const MAX_CODE = 1 << 20;

let library: Exports | undefined;

function open(): Exports {
  if (library !== undefined) return library;
  const unpacked = decodeGzip(
    Uint8Array.from(atob(ZSTD_CODE), (character) => character.charCodeAt(0)),
    MAX_CODE,
  );
  if (!unpacked.ok) throw new Error(`libzstd: ${unpacked.reason}`);
  // The trainer prints its progress regularly. The output is discarded.
  const system = { fd_close: () => 0, fd_seek: () => 0, fd_write: () => 0, clock_time_get: () => 0 };
  const module = new WebAssembly.Module(unpacked.bytes.slice());
  const { exports } = new WebAssembly.Instance(module, { wasi_snapshot_preview1: system });
  library = exports as unknown as Exports;
  library._initialize();
  return library;
}

/** Places bytes in the library's memory while `use` runs. */
function placed<T>(bytes: Uint8Array, use: (at: number) => T): T {
  const { memory, malloc, free } = open();
  const at = malloc(Math.max(1, bytes.length));
  new Uint8Array(memory.buffer).set(bytes, at);
  try {
    return use(at);
  } finally {
    free(at);
  }
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
  return placed(joined, (from) =>
    placed(sizes, (lengths) =>
      placed(new Uint8Array(capacity), (to) => {
        const length = open().train(to, capacity, from, lengths, samples.length, level);
        return length === 0 ? undefined : new Uint8Array(open().memory.buffer, to, length).slice();
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
  const room = new Uint8Array(most + (most >> 8) + 128);
  return placed(dictionary ?? new Uint8Array(0), (at) => {
    open().load(at, dictionary?.length ?? 0, level);
    return placed(room, (to) =>
      messages.reduce(
        (sum, message) => sum + placed(message, (from) => open().compress(to, room.length, from, message.length)),
        0,
      ),
    );
  });
}
