/** A file, or the standard input as `-`, as a source; only the requested bytes are read. */
import { open, readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { bytesSource, type Source } from '#engine/bytes/source.ts';
import { Refusal } from './outcome.ts';

const STANDARD_INPUT = '-';
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
    /** The next read reuses a returned buffer. */
    let spare: ArrayBuffer | undefined;
    return await use({
      name: path,
      size: stat.size,
      handle: path,
      read: async (start, end) => {
        const size = end - start;
        const bytes =
          spare !== undefined && spare.byteLength >= size ? new Uint8Array(spare, 0, size) : new Uint8Array(size);
        spare = undefined;
        let length = 0;
        while (length < bytes.length) {
          const { bytesRead } = await file.read(bytes, length, bytes.length - length, start + length);
          if (bytesRead === 0) break;
          length += bytesRead;
        }
        return bytes.subarray(0, length);
      },
      letGo: ({ buffer }) => {
        if (buffer instanceof ArrayBuffer) spare = buffer;
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
