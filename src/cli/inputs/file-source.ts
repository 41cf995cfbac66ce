/** A file, or the standard input as `-`, as a source; only the requested bytes are read. */
import { type FileHandle, open, readFile, stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { bytesSource, type Source } from '#engine/bytes/source.ts';
import { Refusal } from '../output/outcome.ts';
import { enterRead } from './read-files.ts';

export const STANDARD_INPUT = '-';
/** Bytes that are read ahead, 4 MiB. */
const MAX_AHEAD = 4 << 20;
/**
 * The contents of standard input and pipes, by path: they can be read only once, but detecting a type and analysing
 * both read the input.
 */
const piped = new Map<string, Promise<Buffer>>();

interface OpenSource {
  readonly source: Source;
  readonly close: () => Promise<void>;
}

/** Calls `use` with the source and closes the file afterwards. @throws Refusal if it cannot be read. */
export const withSource = <T>(path: string, use: (source: Source) => Promise<T>): Promise<T> =>
  withSources([path], ([source]) => use(source!));

/** The same for several; all of them can be read while `use` runs. */
export async function withSources<T>(
  paths: readonly string[],
  use: (sources: readonly Source[]) => Promise<T>,
): Promise<T> {
  const { sources, close } = await openSources(paths);
  try {
    return await use(sources);
  } catch (error) {
    // A worker that reads the file itself, or a reader that missed bytes, fails in its own way.
    if (error instanceof Refusal) throw error;
    for (const { handle, size } of sources)
      if (typeof handle === 'string' && (await isCut(handle, size))) throw cut(handle);
    throw error;
  } finally {
    await close();
  }
}

/** @throws Refusal if one cannot be read */
export async function openSources(
  paths: readonly string[],
): Promise<{ readonly sources: readonly Source[]; readonly close: () => Promise<void> }> {
  const opened: OpenSource[] = [];
  const close = async (): Promise<void> => {
    for (const one of opened) await one.close();
  };
  try {
    for (const path of paths) opened.push(await refusing(path, () => openSource(path)));
  } catch (error) {
    await close();
    throw error;
  }
  return { sources: opened.map(({ source }) => source), close };
}

async function openSource(path: string): Promise<OpenSource> {
  const inMemory = (name: string, bytes: Uint8Array): OpenSource => ({
    source: bytesSource(name, bytes),
    close: async () => {},
  });
  if (path === STANDARD_INPUT) return inMemory('standard input', await readStandardInput());
  enterRead(path);
  if (piped.has(path)) return inMemory(path, await readPiped(path, () => readFile(path)));
  const file: HeldFile = { path, handle: null, uses: 0 };
  try {
    const facts = await withHandle(file, (handle) => handle.stat());
    // A pipe has no size; a folder cannot be read, and reading it fails.
    if (!facts.isFile()) {
      const bytes = await readPiped(path, () => withHandle(file, (handle) => handle.readFile()));
      await close(file);
      return inMemory(path, bytes);
    }
    /** The next reads reuse returned buffers. */
    const spare: ArrayBuffer[] = [];
    const fill = (start: number, end: number): Promise<Uint8Array> =>
      withHandle(file, async (handle) => {
        const size = end - start;
        const last = spare.pop();
        const bytes =
          last !== undefined && last.byteLength >= size ? new Uint8Array(last, 0, size) : new Uint8Array(size);
        let length = 0;
        while (length < bytes.length) {
          const { bytesRead } = await handle.read(bytes, length, bytes.length - length, start + length);
          if (bytesRead === 0) break;
          length += bytesRead;
        }
        if (length < Math.min(end, facts.size) - start) throw cut(path);
        return bytes.subarray(0, length);
      });
    /** The end of the last read. A read that begins there continues it, and the next one is read ahead. */
    let position = -1;
    let ahead: { readonly start: number; readonly end: number; readonly bytes: Promise<Uint8Array> } | null = null;
    const source: Source = {
      name: path,
      size: facts.size,
      handle: path,
      read: async (start, end) => {
        const goesOn = start === position;
        const expected = ahead;
        position = end;
        ahead = null;
        const bytes = await (expected?.start === start && expected.end === end ? expected.bytes : fill(start, end));
        const next = Math.min(facts.size, end + end - start);
        if (goesOn && position === end && next > end && end - start <= MAX_AHEAD) {
          ahead = { start: end, end: next, bytes: fill(end, next) };
          ahead.bytes.catch(() => undefined);
        }
        return bytes;
      },
      letGo: ({ buffer }) => {
        if (buffer instanceof ArrayBuffer) spare.push(buffer);
      },
    };
    return { source, close: () => close(file) };
  } catch (error) {
    await close(file);
    throw error;
  }
}

const cut = (path: string): Refusal => new Refusal(`${path} was cut or removed while it was read`);

const isCut = (path: string, size: number): Promise<boolean> =>
  stat(path).then(
    (now) => now.size < size,
    () => true,
  );

interface HeldFile {
  readonly path: string;
  /** null: it is closed, and opened again when it is read. */
  handle: Promise<FileHandle> | null;
  /** How many calls read it now. */
  uses: number;
}

/** Systems limit the number of open files. */
const MOST_OPEN = 32;
/** Files whose handle is not null, in the order of their last reads. */
const openFiles = new Set<HeldFile>();

/** @throws Refusal */
async function withHandle<T>(file: HeldFile, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  file.uses++;
  openFiles.delete(file);
  openFiles.add(file);
  try {
    return await refusing(file.path, async () => {
      file.handle ??= open(file.path, 'r');
      const handle = await file.handle;
      for (const other of openFiles) if (openFiles.size > MOST_OPEN && other.uses === 0) await close(other);
      return use(handle);
    });
  } finally {
    file.uses--;
  }
}

async function close(file: HeldFile): Promise<void> {
  const { handle } = file;
  openFiles.delete(file);
  file.handle = null;
  // The call that opened it gets the error of opening it.
  const opened = await handle?.catch(() => undefined);
  await opened?.close();
}

export const readStandardInput = (): Promise<Uint8Array> => readPiped(STANDARD_INPUT, untilEnd);

/**
 * Ctrl+C ends the program that writes, as tcpdump, and the first one does not end this one: what was written is read.
 */
async function untilEnd(): Promise<Buffer> {
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

/** All bytes of a file, or of the standard input as `-`. */
export function readWholeFile(path: string): Promise<Buffer> {
  if (path === STANDARD_INPUT)
    return readStandardInput().then(({ buffer, byteOffset, byteLength }) =>
      Buffer.from(buffer, byteOffset, byteLength),
    );
  enterRead(path);
  return readFile(path);
}

/** A text file. @throws Refusal */
export const readText = async (path: string): Promise<string> =>
  (await refusing(path, () => readWholeFile(path))).toString('utf8');

/** A text file that the command keeps up to date: it may be written over. @throws Refusal */
export const readDocument = (path: string): Promise<string> =>
  path === STANDARD_INPUT ? readText(path) : refusing(path, () => readFile(path, 'utf8'));

/** Runs `use`; an error of the platform about a file becomes a refusal. */
export async function refusing<T>(path: string, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    // The name in a folder has this character in place of bytes that are not UTF-8, and opens nothing.
    if (code === 'ENOENT' && path.includes('\ufffd'))
      throw new Refusal(`${path} cannot be opened: its name is not UTF-8. Rename the file`);
    if (code === 'ENOENT') throw new Refusal(`No such file: ${path}`);
    if (code === 'EISDIR') throw new Refusal(`${path} is a folder`);
    if (code === 'EACCES') throw new Refusal(`${path} may not be read`);
    if (error instanceof Error && 'syscall' in error) throw new Refusal(`${path} cannot be read (${code})`);
    throw error;
  }
}
