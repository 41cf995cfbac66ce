/** Types of the parts of @stellar/js-xdr that tests use; it ships without types. */
declare module '@stellar/js-xdr' {
  interface XdrType {
    toXDR(value: unknown): Uint8Array;
  }
  interface Reference {
    readonly isReference?: never;
  }
  type AnyType = XdrType | Reference;
  interface Types {
    struct(name: string, fields: readonly (readonly [string, AnyType])[]): void;
    int(): XdrType;
    uint(): XdrType;
    hyper(): XdrType;
    uhyper(): XdrType;
    bool(): XdrType;
    float(): XdrType;
    double(): XdrType;
    string(most: number): XdrType;
    varOpaque(most: number): XdrType;
    option(type: AnyType): Reference;
    varArray(type: AnyType, most: number): Reference;
    lookup(name: string): Reference;
  }
  export class Hyper {
    constructor(value: bigint);
  }
  export class UnsignedHyper {
    constructor(value: bigint);
  }
  /** The struct types by name: each is a class that takes the fields. */
  export function config(
    define: (types: Types) => void,
  ): Readonly<Record<string, XdrType & (new (fields: Readonly<Record<string, unknown>>) => unknown)>>;
}
