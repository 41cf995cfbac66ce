/**
 * Random access to the input's bytes at any size: a Blob, an open file or bytes in memory, read in chunks. Only reading
 * is asynchronous; everything that works on a message's bytes is synchronous.
 */

export interface Source {
  /** Its name for people: the file's name. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** All bytes of [start, end). Rejects if they cannot be read. */
  read(start: number, end: number): Promise<Uint8Array>;
  /** Called with a result of `read` when it is no longer used, so that its memory can be reused. */
  letGo?(bytes: Uint8Array): void;
  /** Posted to another worker, it opens the same bytes there: a file's path, or its Blob. */
  readonly handle?: unknown;
}

/** The part of an AbortSignal that the engine uses. */
export interface AbortFlag {
  readonly aborted: boolean;
}

export interface ReadControl {
  readonly signal?: AbortFlag | undefined;
  /** Called after every chunk, in bytes. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Awaited regularly during long work, so that a cancel can take effect. */
  readonly pause?: (() => Promise<void>) | undefined;
}

/** Thrown when the caller's signal is aborted. It has the platform's name for this error. */
export class AbortError extends Error {
  override readonly name = 'AbortError';
  constructor() {
    super('Cancelled.');
  }
}

/** Large enough that the overhead of a read does not matter, small enough for progress and cancelling. */
const CHUNK_BYTES = 1 << 20;

export const bytesSource = (name: string, bytes: Uint8Array): Source => ({
  name,
  size: bytes.length,
  read: async (start, end) => bytes.subarray(start, end),
});

/**
 * Hands every chunk to `take`, in order. `chunk` is borrowed: valid during the call only. An empty source gives one
 * empty chunk, so that `take` always sees `atEnd`.
 * @throws AbortError when the signal is set between chunks.
 */
export async function readChunks(
  source: Source,
  take: (chunk: Uint8Array, start: number, atEnd: boolean) => void,
  { signal, onProgress }: ReadControl = {},
  chunkBytes: number = CHUNK_BYTES,
): Promise<void> {
  for (let start = 0; start < source.size || start === 0; ) {
    if (signal?.aborted) throw new AbortError();
    const end = Math.min(source.size, start + chunkBytes);
    const chunk = await source.read(start, end);
    if (signal?.aborted) throw new AbortError();
    if (chunk.length !== end - start) throw new Error(`${source.name} ended at byte ${start + chunk.length}.`);
    take(chunk, start, end === source.size);
    source.letGo?.(chunk);
    onProgress?.(end, source.size);
    if (end === source.size) return;
    start = end;
  }
}

/** All bytes at once, for inputs that cannot be read in chunks. */
export async function readWhole(source: Source, control: ReadControl = {}): Promise<Uint8Array> {
  const whole = new Uint8Array(source.size);
  await readChunks(source, (chunk, start) => whole.set(chunk, start), control);
  return whole;
}
