/** Types of the compressor functions that tests use; the packages ship without types. */
declare module 'lz4js' {
  const lz4: {
    compress(bytes: Uint8Array): Uint8Array;
    decompress(bytes: Uint8Array): Uint8Array;
    makeBuffer(size: number): Uint8Array;
    compressBound(size: number): number;
    /** @returns bytes written; 0: nothing was saved */
    compressBlock(from: Uint8Array, to: Uint8Array, start: number, length: number, table: Uint32Array): number;
    decompressBlock(from: Uint8Array, to: Uint8Array, start: number, length: number, at: number): number;
  };
  export default lz4;
}

declare module 'snappyjs' {
  const snappy: { compress(bytes: Uint8Array): Uint8Array; uncompress(bytes: Uint8Array): Uint8Array };
  export default snappy;
}
