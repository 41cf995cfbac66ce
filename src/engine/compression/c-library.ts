/** Libraries in C, compiled to WebAssembly by `npm run c-library` (scripts/c-library.ts). */
import { atOnce } from './codec.ts';
import { gzipSlices } from './inflate.ts';
import { ownKernel } from './kernel.ts';

export interface CLibrary {
  readonly memory: { readonly buffer: ArrayBuffer };
  malloc(bytes: number): number;
  free(at: number): void;
}

/** Maximum unpacked bytes of the WebAssembly. */
const MAX_CODE = 1 << 20;

/** A library can print, ask for the time and end itself. Only the last one matters. */
const SYSTEM = {
  fd_close: () => 0,
  fd_seek: () => 0,
  fd_write: () => 0,
  clock_time_get: () => 0,
  proc_exit: (status: number): never => {
    throw new Error(`The library ended itself with status ${status}.`);
  },
};

/**
 * Opens with the first message that is compressed, which may be borrowed from the kernel of all bodies.
 * @param code WebAssembly, as gzip in base64
 */
export function openLibrary<T extends CLibrary>(code: string): T {
  const packed = Uint8Array.from(atob(code), (character) => character.charCodeAt(0));
  const unpacked = atOnce(gzipSlices(packed, MAX_CODE, ownKernel()));
  if (!unpacked.ok) throw new Error(`The library's code: ${unpacked.reason}`);
  const module = new WebAssembly.Module(unpacked.bytes.slice());
  const { exports } = new WebAssembly.Instance(module, { wasi_snapshot_preview1: SYSTEM });
  const library = exports as unknown as T & { _initialize(): void };
  library._initialize();
  return library;
}

/** Reserves bytes of the library's memory while `use` runs. @throws RangeError the memory is full */
export function reserved<T>({ malloc, free }: CLibrary, bytes: number, use: (at: number) => T): T {
  const at = malloc(Math.max(1, bytes));
  if (at === 0) throw new RangeError(`WebAssembly has no room for ${bytes} bytes.`);
  try {
    return use(at);
  } finally {
    free(at);
  }
}

/** Places bytes in the library's memory while `use` runs. */
export const placed = <T>(library: CLibrary, bytes: Uint8Array, use: (at: number) => T): T =>
  reserved(library, bytes.length, (at) => {
    new Uint8Array(library.memory.buffer).set(bytes, at);
    return use(at);
  });

/** Copies bytes of the library's memory. */
export const bytesAt = ({ memory }: CLibrary, at: number, length: number): Uint8Array =>
  new Uint8Array(memory.buffer, at, length).slice();
