/**
 * The input as bytes at random access, however large: a Blob, an open file or bytes in memory, read in chunks.
 * Reading is the asynchronous edge of the engine; from a message's bytes on, everything is synchronous.
 */

export interface Source {
  /** Its name for a person: the file's name. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** The bytes of [start, end), all of them; rejects when they cannot be read. */
  read(start: number, end: number): Promise<Uint8Array>;
  /** Called with what `read` gave once it is no longer used: its memory may be taken back. */
  letGo?(bytes: Uint8Array): void;
}

/** The part of an AbortSignal that the engine looks at. */
export interface AbortFlag {
  readonly aborted: boolean;
}

export interface ReadControl {
  readonly signal?: AbortFlag | undefined;
  /** Called after every chunk, in bytes. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Awaited now and then during long work, so that a cancel gets through. */
  readonly pause?: (() => Promise<void>) | undefined;
}

/** Thrown when the caller's signal says stop; its name is the one the platform uses. */
export class AbortError extends Error {
  override readonly name = 'AbortError';
  constructor() {
    super('Cancelled.');
  }
}

/** Large enough that a read's overhead vanishes, small enough that progress moves and cancelling takes effect. */
const CHUNK_BYTES = 2 << 20;

export const bytesSource = (name: string, bytes: Uint8Array): Source => ({
  name,
  size: bytes.length,
  read: async (start, end) => bytes.subarray(start, end),
});

/**
 * Hands every chunk to `take`, in order. `chunk` is borrowed: valid during the call only. An empty source
 * gives one empty chunk, so that `atEnd` is always seen.
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
    onProgress?.(end, source.size);
    if (end === source.size) return;
    start = end;
  }
}

/** All bytes at once, for inputs that are only to be understood whole. */
export async function readWhole(source: Source, control: ReadControl = {}): Promise<Uint8Array> {
  const whole = new Uint8Array(source.size);
  await readChunks(source, (chunk, start) => whole.set(chunk, start), control);
  return whole;
}
