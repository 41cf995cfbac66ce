/** All platform functions that the engine uses. Pages, workers and Node provide each of them. */
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(bytes?: Uint8Array, options?: { stream?: boolean }): string;
}
declare class TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer>;
  encodeInto(text: string, target: Uint8Array): { read: number; written: number };
}
declare function setTimeout(run: () => void, milliseconds: number): unknown;
declare const performance: { now(): number };
declare function atob(base64: string): string;
declare function btoa(bytes: string): string;
declare namespace WebAssembly {
  class Module {
    constructor(code: Uint8Array<ArrayBuffer>);
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, (...args: number[]) => unknown>>);
    readonly exports: Readonly<Record<string, unknown>>;
  }
}
