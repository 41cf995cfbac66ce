/** A file, or the standard input as `-`, as a source; only the requested bytes are read. */
import { open, readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { bytesSource, type Source } from '#engine/bytes/source.ts';
import { Refusal } from './outcome.ts';

const STANDARD_INPUT = '-';
/** Bytes that are read ahead, 4 MiB. */
const MAX_AHEAD = 4 << 20;
/**
 * The contents of standard input and pipes, by path: they can be read only once, but detecting a type and analysing
 * both read the input.
 */
const piped = new Map<string, Promise<Buffer>>();

/** Calls `use` with the source and closes the file afterwards. @throws Refusal if it cannot be read. */
export const withSource = <T>(path: string, use: (source: Source) => Promise<T>): Promise<T> =>
  refusing(path, () => openSource(path, use));

/** The same for several; all of them are open while `use` runs. */
export const withSources = <T>(
  paths: readonly string[],
  use: (sources: readonly Source[]) => Promise<T>,
  opened: readonly Source[] = [],
): Promise<T> => {
  const [path, ...rest] = paths;
  if (path === undefined) return use(opened);
  return withSource(path, (source) => withSources(rest, use, [...opened, source]));
};

async function openSource<T>(path: string, use: (source: Source) => Promise<T>): Promise<T> {
  if (path === STANDARD_INPUT) {
    return use(bytesSource('standard input', await readPiped(path, readStandardInput)));
  }
  if (piped.has(path)) return use(bytesSource(path, await readPiped(path, () => readFile(path))));
  const file = await open(path, 'r');
  try {
    const stat = await file.stat();
    // A pipe has no size; a folder cannot be read, and reading it fails.
    if (!stat.isFile()) {
      return await use(bytesSource(path, await readPiped(path, () => file.readFile())));
    }
    /** The next reads reuse returned buffers. */
    const spare: ArrayBuffer[] = [];
    const fill = async (start: number, end: number): Promise<Uint8Array> => {
      const size = end - start;
      const last = spare.pop();
      const bytes =
        last !== undefined && last.byteLength >= size ? new Uint8Array(last, 0, size) : new Uint8Array(size);
      let length = 0;
      while (length < bytes.length) {
        const { bytesRead } = await file.read(bytes, length, bytes.length - length, start + length);
        if (bytesRead === 0) break;
        length += bytesRead;
      }
      return bytes.subarray(0, length);
    };
    /** The end of the last read. A read that begins there continues it, and the next one is read ahead. */
    let position = -1;
    let ahead: { readonly start: number; readonly end: number; readonly bytes: Promise<Uint8Array> } | null = null;
    return await use({
      name: path,
      size: stat.size,
      handle: path,
      read: async (start, end) => {
        const goesOn = start === position;
        const expected = ahead;
        position = end;
        ahead = null;
        const bytes = await (expected?.start === start && expected.end === end ? expected.bytes : fill(start, end));
        const next = Math.min(stat.size, end + end - start);
        if (goesOn && position === end && next > end && end - start <= MAX_AHEAD) {
          ahead = { start: end, end: next, bytes: fill(end, next) };
          ahead.bytes.catch(() => undefined);
        }
        return bytes;
      },
      letGo: ({ buffer }) => {
        if (buffer instanceof ArrayBuffer) spare.push(buffer);
      },
    });
  } finally {
    await file.close();
  }
}

/**
 * Ctrl+C ends the program that writes, as tcpdump, and the first one does not end this one: what was written is read.
 */
async function readStandardInput(): Promise<Buffer> {
  const goOn = (): void => {};
  process.once('SIGINT', goOn);
  try {
    return await buffer(process.stdin);
  } finally {
    process.off('SIGINT', goOn);
  }
}

async function readPiped(path: string, read: () => Promise<Buffer>): Promise<Uint8Array> {
  const reading = piped.get(path) ?? read();
  piped.set(path, reading);
  const bytes = await reading;
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A text file. @throws Refusal */
export const readText = (path: string): Promise<string> => refusing(path, () => readFile(path, 'utf8'));

/** Runs `use`; an error of the platform about a file becomes a refusal. */
export async function refusing<T>(path: string, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') throw new Refusal(`No such file: ${path}`);
    if (code === 'EISDIR') throw new Refusal(`${path} is a folder`);
    if (code === 'EACCES') throw new Refusal(`${path} may not be read`);
    if (code === 'EIO' || code === 'ENOTDIR' || code === 'ELOOP') throw new Refusal(`${path} cannot be read (${code})`);
    throw error;
  }
}
