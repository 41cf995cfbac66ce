/**
 * How a message is laid out in a native sequential stream: fields in declaration order, no tags.
 * A layout is data: `derive.ts` makes one from a descriptor by the rules of a native profile, the options of
 * `schemas/native/options.proto` change single fields, and measuring, writing and reading all follow it.
 */
import type { FieldDescriptor, MessageDescriptor, OneofDescriptor } from '../schema/descriptor.ts';

/** Slots of a native row's head, in the order of SLOTS.native. */
export const NativeSlot = { FLAG: 0, TYPE: 1, COUNT: 2, LENGTH: 3 } as const;

/** An integer on the native wire. */
export type IntForm =
  | { readonly kind: 'fixed'; readonly bytes: 1 | 2 | 4 | 8; readonly order: 'big' | 'little' }
  /** 7 bits a byte, low first; `bits` is the width a negative value is sign-extended to before it is written. */
  | { readonly kind: 'varint'; readonly bits: 32 | 64; readonly zigzag: boolean }
  /** One byte up to 250; above, a byte 251, 252 or 253 before 2, 4 or 8 little-endian ones: bincode's variable width. */
  | { readonly kind: 'marked'; readonly bits: 64; readonly zigzag: boolean };

/** Zeros behind a value up to a multiple of so many bytes. */
export type Padding = 4;

/** How one value is written, once it is there. */
export type ValueForm =
  | { readonly kind: 'int'; readonly form: IntForm }
  | { readonly kind: 'float'; readonly bytes: 4 | 8; readonly order: 'big' | 'little' }
  /** `inverted`: 1 is false. */
  | { readonly kind: 'bool'; readonly inverted?: boolean }
  /** `unit`: what the length counts. `body`: how the characters are written (cesu8: each UTF-16 unit alone). */
  | {
      readonly kind: 'string';
      readonly length: IntForm;
      readonly unit: 'utf16' | 'byte';
      readonly body: 'cesu8' | 'utf8';
      readonly padding?: Padding;
    }
  | { readonly kind: 'bytes'; readonly length: IntForm; readonly padding?: Padding }
  /** Of bytes: all up to the end of the message, or of the blob around it. Reading stops before it where a field follows. */
  | { readonly kind: 'rest' }
  /** Of bytes: as many as an earlier field says. */
  | { readonly kind: 'sized'; readonly by: SizedBy }
  /** With a length: a nested blob, whose contents end where it says. */
  | { readonly kind: 'message'; readonly length?: IntForm }
  /**
   * Of bytes: one value of another message, in its native form, without a length before it. What protobuf keeps as
   * bytes is explained natively: a generic value, a sort value.
   */
  | { readonly kind: 'content'; readonly message: MessageDescriptor }
  /** No byte of its own: a member that its type number says alone. An integer has that number, a boolean is true. */
  | { readonly kind: 'none' };

/**
 * What stands for an absent value.
 * - default: no mark; the type's default value is written, and absence looks the same.
 * - flag: one boolean byte before every value, present or absent. Of a list: absent where it is empty.
 * - sentinel: the length is written as −1 (its form must be fixed).
 * - length+1: the length, or a list's count, is written one larger, 0 meaning absent.
 * - tristate: a boolean in one byte, 2 meaning absent (StreamOutput.writeOptionalBoolean).
 */
export type Absence = 'default' | 'flag' | 'sentinel' | 'length+1' | 'tristate';

/** A field whose presence an earlier field of its message decides. */
export interface Condition {
  readonly field: FieldDescriptor;
  /** Values by which it is present; undefined: any but the default (0, false, no text, no elements). */
  readonly values: readonly number[] | undefined;
  readonly negated: boolean;
}

/** Another field of the message, before this one, that says how many bytes or elements there are. */
export interface SizedBy {
  readonly field: FieldDescriptor;
  /** It is the exponent of a power of two. */
  readonly isPower: boolean;
}

export interface FieldLayout {
  readonly field: FieldDescriptor;
  /** The form of the value, or of each element. */
  readonly form: ValueForm;
  /** Of singular fields, and of lists that mark absence by more than a count of 0. */
  readonly absence: Absence;
  /** Of repeated and map fields: the number of elements, written before them. */
  readonly count: IntForm | undefined;
  /** Of a list without a count: its elements stand beside the fields of its message, as many as another field says. */
  readonly sizedBy?: SizedBy | undefined;
  /** Elements come in blocks, each after its count; a count of 0 ends them. */
  readonly inBlocks?: boolean;
  /** How a flag's 1 and 0 are written; a byte where nothing else is said. */
  readonly flag?: IntForm;
  /** The count is written once more, unless it is 0. */
  readonly countTwice?: boolean;
  /** Of a map: its key is not written, as it is this field of the value. */
  readonly key?: FieldDescriptor | undefined;
  /** Of a map: only its keys are written. */
  readonly keysOnly?: boolean;
  readonly when?: Condition | undefined;
  /** Protobuf has no such field. */
  readonly nativeOnly?: boolean;
  /** A member of a oneof that the stream identifies by a number or a name. */
  readonly choice?: Choice | undefined;
  /** What an engineer calls this writer: `Long`, `optional String`, `VInt count × Long`. */
  readonly label: string;
}

/** A oneof whose member is identified by a number or name before it. Without a member set, the first one is written. */
export interface Choice {
  readonly oneof: OneofDescriptor;
  /** The form of the number, or of the name (a string). */
  readonly form: ValueForm;
  readonly when: Condition | undefined;
  /** By number; the first one of a member is the one that is written. */
  readonly byNumber: ReadonlyMap<number, FieldDescriptor>;
  readonly byName: ReadonlyMap<string, FieldDescriptor>;
}

export interface MessageLayout {
  readonly message: MessageDescriptor;
  /** The wire version that is laid out, as `parseVersion` has it. */
  readonly version: number;
  /** Those that are written, in their order; the members of a choice stand where its first one does. */
  readonly fields: readonly FieldLayout[];
}

/** The layout of each message type, derived on first use. */
export type LayoutOf = (message: MessageDescriptor) => MessageLayout;
