/**
 * A file of the page as a source. Sequential reads come through a stream, ahead of the request, into returned memory:
 * `arrayBuffer()` makes the worker wait each time, and allocates new memory, of which some fifty megabytes wait for the
 * collector.
 */
import type { Source } from '#engine/bytes/source.ts';

/** The bytes that are likely requested next. */
interface Ahead {
  readonly start: number;
  readonly end: number;
  /** null: the stream ended too soon, or failed. */
  readonly bytes: Promise<Uint8Array | null>;
  readonly reader: ReadableStreamBYOBReader;
}

/**
 * References to readers with a pending read. Otherwise only the stream refers to the pending read, and nothing refers
 * to the stream: Chromium collects both, and the read never ends (seen on a busy machine, once in some fifty readings
 * of 50 MB).
 */
const awaited = new Set<ReadableStreamBYOBReader>();

/** Bytes of returned memory that are kept. Blocks come back several at once, when the worker takes its next message. */
const MAX_SPARE = 4 << 20;

export function blobSource(name: string, blob: Blob): Source {
  /** The end of the last read; a read that begins there continues it. */
  let position = -1;
  let ahead: Ahead | null = null;
  let spare: ArrayBuffer[] = [];

  const fillFrom = (reader: ReadableStreamBYOBReader, size: number): Promise<Uint8Array | null> => {
    const last = spare[0]?.byteLength === size ? spare.pop() : undefined;
    return fill(reader, last ?? new ArrayBuffer(size), size);
  };

  function readAhead(start: number, length: number, reader: ReadableStreamBYOBReader | null): void {
    const end = Math.min(blob.size, start + length);
    if (reader !== null && end > start) ahead = { start, end, bytes: fillFrom(reader, end - start), reader };
  }

  async function readPart(start: number, end: number): Promise<Uint8Array> {
    const part = blob.slice(start, end);
    const reader = end > start ? openStream(part) : null;
    const bytes = reader && (await fillFrom(reader, end - start));
    return bytes ?? new Uint8Array(await part.arrayBuffer());
  }

  return {
    name,
    size: blob.size,
    handle: blob,
    async read(start, end) {
      const expected = ahead;
      const goesOn = start === position;
      position = end;
      if (expected?.start === start && expected.end === end) {
        ahead = null;
        const bytes = await expected.bytes;
        // Another read may have continued meanwhile.
        if (bytes !== null && ahead === null) readAhead(end, end - start, expected.reader);
        return bytes ?? readPart(start, end);
      }
      // A single read elsewhere does not disturb the sequential reads.
      if (goesOn) {
        expected?.reader.cancel().catch(() => undefined);
        ahead = null;
        readAhead(end, end - start, openStream(blob.slice(end)));
      }
      return readPart(start, end);
    },
    letGo: ({ buffer }) => {
      // A block is not held in the memory of a chunk.
      if (spare[0]?.byteLength !== buffer.byteLength) spare = [];
      if ((spare.length + 1) * buffer.byteLength <= MAX_SPARE) spare.push(buffer as ArrayBuffer);
    },
  };
}

/** `size` bytes of the stream, in memory that it takes over. */
async function fill(
  reader: ReadableStreamBYOBReader,
  memory: ArrayBuffer,
  size: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  awaited.add(reader);
  try {
    let filled = memory;
    for (let count = 0; count < size; ) {
      const { value } = await reader.read(new Uint8Array(filled, count, size - count));
      if (value === undefined || value.byteLength === 0) return null;
      filled = value.buffer;
      count += value.byteLength;
    }
    return new Uint8Array(filled, 0, size);
  } catch {
    return null;
  } finally {
    awaited.delete(reader);
  }
}

/** null: this browser cannot read into given memory. */
function openStream(blob: Blob): ReadableStreamBYOBReader | null {
  try {
    return blob.stream().getReader({ mode: 'byob' });
  } catch {
    return null;
  }
}
