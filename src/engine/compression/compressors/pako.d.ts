/** The parts of pako's inner modules that are used; `@types/pako` has none of them. The names are those of zlib.h. */

declare module 'pako/lib/zlib/deflate.js' {
  export interface ZStream {
    input: Uint8Array | null;
    next_in: number;
    avail_in: number;
    output: Uint8Array | null;
    next_out: number;
    avail_out: number;
  }
  const zlib: {
    readonly deflateInit2: (
      stream: ZStream,
      level: number,
      method: number,
      windowBits: number,
      memLevel: number,
      strategy: number,
      isLegacyHash: boolean,
    ) => number;
    readonly deflateReset: (stream: ZStream) => number;
    readonly deflate: (stream: ZStream, flush: number) => number;
  };
  export default zlib;
}

declare module 'pako/lib/zlib/zstream.js' {
  import type { ZStream } from 'pako/lib/zlib/deflate.js';

  const Stream: new () => ZStream;
  export default Stream;
}
