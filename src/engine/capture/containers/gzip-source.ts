/**
 * A gzipped capture → an unzipped source. Offsets are those of the unzipped bytes. Small captures are kept unzipped in
 * memory. A large one is never completely in memory: to read an earlier part, it is unzipped again from its start.
 */

import { Gunzip } from 'fflate';
import { joinBytes } from '../../bytes/join.ts';
import { AbortError, bytesSource, type ReadControl, type Source } from '../../bytes/source.ts';
import { SLICE } from '../../compression/codec.ts';
import { isGzip } from '../../compression/signatures.ts';

const CHUNK = 256 * 1024;
/** Compressed bytes of a step. DEFLATE expands at most 1,032 times, so this limits the memory of a step. */
const STEP = 16 * 1024;
/** Maximum unzipped size that is kept in memory. */
const KEPT = 32 * 1024 * 1024;

/** The source itself if it is not gzipped. Rejects if it cannot be unzipped at all. */
export async function openCapture(source: Source, control: ReadControl = {}): Promise<Source> {
  const head = await source.read(0, Math.min(source.size, 3));
  if (!isGzip(head)) return source;
  const kept: Uint8Array[] = [];
  let size = 0;
  let due = SLICE;
  const unzip = new Unzip(source);
  for (let part = await unzip.next(); part !== null; part = await unzip.next()) {
    if (control.signal?.aborted) throw new AbortError();
    size += part.length;
    if (size <= KEPT) kept.push(part);
    else kept.length = 0;
    control.onProgress?.(unzip.consumed, source.size);
    if (size < due) continue;
    due = size + SLICE;
    await control.pause?.();
  }
  const name = source.name.replace(/\.gz$/, '');
  if (size > KEPT) return new GzipSource(name, source, size);
  const whole = joinBytes(kept);
  return bytesSource(name, whole);
}

/** One pass over a gzipped source. Damage ends it; the bytes before the damage are valid. */
class Unzip {
  readonly #source: Source;
  readonly #gunzip: Gunzip;
  #parts: Uint8Array[] = [];
  #chunk: Uint8Array = new Uint8Array(0);
  #over = false;
  consumed = 0;

  constructor(source: Source) {
    this.#source = source;
    this.#gunzip = new Gunzip((part) => this.#parts.push(part));
  }

  /** The next unzipped bytes; null: the end. */
  async next(): Promise<Uint8Array | null> {
    for (;;) {
      const part = this.#parts.shift();
      if (part !== undefined) {
        if (part.length > 0) return part;
        continue;
      }
      if (this.#over) return null;
      if (this.#chunk.length === 0) {
        const end = Math.min(this.#source.size, this.consumed + CHUNK);
        this.#chunk = await this.#source.read(this.consumed, end);
      }
      const step = this.#chunk.subarray(0, STEP);
      this.#chunk = this.#chunk.subarray(step.length);
      this.consumed += step.length;
      try {
        this.#gunzip.push(step, this.consumed >= this.#source.size);
      } catch {
        this.#over = true;
      }
      if (this.consumed >= this.#source.size) this.#over = true;
    }
  }
}

class GzipSource implements Source {
  readonly name: string;
  readonly size: number;
  readonly #zipped: Source;
  #unzip: Unzip | null = null;
  /** Unzipped bytes in memory, and the captureOffset of the first one. */
  #part: Uint8Array = new Uint8Array(0);
  #at = 0;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(name: string, zipped: Source, size: number) {
    this.name = name;
    this.size = size;
    this.#zipped = zipped;
  }

  /** Reads run one after another, because they share the pass. */
  read(start: number, end: number): Promise<Uint8Array> {
    const read = this.#queue.then(() => this.#read(start, end));
    this.#queue = read.catch(() => undefined);
    return read;
  }

  async #read(start: number, end: number): Promise<Uint8Array> {
    if (this.#unzip === null || start < this.#at) {
      this.#unzip = new Unzip(this.#zipped);
      this.#part = new Uint8Array(0);
      this.#at = 0;
    }
    const bytes = new Uint8Array(Math.max(0, Math.min(end, this.size) - start));
    for (let written = 0; written < bytes.length; ) {
      const from = start + written - this.#at;
      if (from < this.#part.length) {
        const piece = this.#part.subarray(from, from + bytes.length - written);
        bytes.set(piece, written);
        written += piece.length;
        continue;
      }
      this.#at += this.#part.length;
      this.#part = (await this.#unzip.next()) ?? new Uint8Array(0);
      if (this.#part.length === 0) return bytes.subarray(0, written);
    }
    return bytes;
  }
}
