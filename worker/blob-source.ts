/**
 * A file of the page as a source. What is read on and on comes through a stream that fills memory given back before:
 * `arrayBuffer()` makes new memory each time, of which some fifty megabytes wait for the collector.
 */
import type { Source } from '#engine/bytes/source.ts';

/**
 * Held from outside while something is awaited of them. Who awaits is held by the stream alone, and the stream by
 * nobody: Chromium collects both, and the read never ends (seen on a busy machine, once in some fifty readings of 50 MB).
 */
const awaited = new Set<ReadableStreamBYOBReader>();

export function blobSource(name: string, blob: Blob): Source {
  /** Where the last read ended: one that begins there reads on. */
  let position = -1;
  let reader: ReadableStreamBYOBReader | null = null;
  let isReading = false;
  let spare: ArrayBuffer | null = null;

  /** Reads on through the stream. null: it ends too soon, or this browser has none. */
  async function readOn(start: number, end: number): Promise<Uint8Array | null> {
    reader ??= openStream(blob.slice(start));
    if (reader === null) return null;
    const size = end - start;
    let memory = spare !== null && spare.byteLength >= size ? spare : new ArrayBuffer(size);
    spare = null;
    const from = reader;
    awaited.add(from);
    try {
      for (let filled = 0; filled < size; ) {
        const { value } = await from.read(new Uint8Array(memory, filled, size - filled));
        if (value === undefined || value.byteLength === 0) return null;
        memory = value.buffer;
        filled += value.byteLength;
      }
    } finally {
      awaited.delete(from);
    }
    return new Uint8Array(memory, 0, size);
  }

  const leave = (): void => {
    reader?.cancel().catch(() => undefined);
    reader = null;
  };

  return {
    name,
    size: blob.size,
    async read(start, end) {
      if (isReading || end <= start) return atOnce(blob, start, end);
      if (start !== position) leave();
      const goesOn = start === position;
      position = end;
      if (!goesOn) return atOnce(blob, start, end);
      isReading = true;
      let bytes: Uint8Array | null = null;
      try {
        bytes = await readOn(start, end);
      } finally {
        isReading = false;
        if (bytes === null) leave();
      }
      return bytes ?? atOnce(blob, start, end);
    },
    letGo: ({ buffer }) => {
      spare = buffer as ArrayBuffer;
    },
  };
}

const atOnce = async (blob: Blob, start: number, end: number): Promise<Uint8Array> =>
  new Uint8Array(await blob.slice(start, end).arrayBuffer());

/** null: this browser fills no memory that it is given. */
function openStream(blob: Blob): ReadableStreamBYOBReader | null {
  try {
    return blob.stream().getReader({ mode: 'byob' });
  } catch {
    return null;
  }
}
