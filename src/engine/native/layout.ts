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
  /**
   * 7 bits a byte, low first; `bits` is the width a negative value is sign-extended to before it is written. `more`: it is
   * written one larger.
   */
  | { readonly kind: 'varint'; readonly bits: 32 | 64; readonly zigzag: boolean; readonly more?: 1 }
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
  /** UTF-8 up to a zero byte. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'bytes'; readonly length: IntForm; readonly padding?: Padding }
  /** Bytes up to the end of the message, or of the blob around it. If a field follows, reading stops before it. */
  | { readonly kind: 'rest' }
  /** Bytes whose number an earlier field gives. */
  | { readonly kind: 'sized'; readonly by: SizedBy }
  /** With a length: a nested blob, whose contents end where it says. */
  | { readonly kind: 'message'; readonly length?: IntForm }
  /**
   * One value of another message, in its native form, without a length before it. Protobuf keeps it as bytes, and the
   * native layout explains them: a generic value, a sort value.
   */
  | { readonly kind: 'content'; readonly message: MessageDescriptor }
  /** No byte of its own: a member that its type number says alone. An integer has that number, a boolean is true. */
  | { readonly kind: 'none' };

/**
 * The mark of an absent value.
 * - default: no mark; the type's default value is written, and absence looks the same.
 * - flag: one boolean byte before every value, present or absent. An empty list is absent.
 * - sentinel: the length, or a list's count, is written as −1 (its form must hold that).
 * - minus: one byte before a value, 1; −1 alone.
 * - length+1: the length, or a list's count, is written one larger, 0 meaning absent.
 * - tristate: a boolean in one byte, 2 meaning absent (StreamOutput.writeOptionalBoolean).
 */
export type Absence = 'default' | 'flag' | 'sentinel' | 'minus' | 'length+1' | 'tristate';

/** A field whose presence an earlier field of its message decides. */
export interface Condition {
  readonly field: FieldDescriptor;
  /** Values by which it is present; undefined: any but the default (0, false, no text, no elements). */
  readonly values: readonly number[] | undefined;
  readonly negated: boolean;
  /** The bits of it that count; undefined: all. */
  readonly mask?: number | undefined;
}

/** The number of bytes or elements, where neither a length nor a count says it. */
export type SizedBy =
  /** Another field of the message, before this one; `isPower`: it is the exponent of a power of two. */
  | { readonly field: FieldDescriptor; readonly isPower: boolean }
  | { readonly size: number }
  /** The end of the message, or of the blob around it: lists only. */
  | { readonly toEnd: true };

export interface FieldLayout {
  readonly field: FieldDescriptor;
  /** The form of the value, or of each element. */
  readonly form: ValueForm;
  /** The mark of absent singular fields, and of lists that mark absence by more than a count of 0. */
  readonly absence: Absence;
  /** Repeated and map fields: the number of elements, written before them. */
  readonly count: IntForm | undefined;
  /**
   * A list without a count: its elements stand beside the fields of its message, and another field gives their number.
   */
  readonly sizedBy?: SizedBy | undefined;
  /** Elements come in blocks, each after its count; a count of 0 ends them. */
  readonly inBlocks?: boolean;
  /** How a flag's 1 and 0 are written; one byte by default. */
  readonly flag?: IntForm;
  /** The count is written once more, unless it is 0. */
  readonly countTwice?: boolean;
  /** A map whose keys are not written, because they are this field of the values. */
  readonly key?: FieldDescriptor | undefined;
  /** A map of which only the keys are written. */
  readonly keysOnly?: boolean;
  readonly when?: Condition | undefined;
  /** Protobuf has no such field. */
  readonly nativeOnly?: boolean;
  /** A member of a oneof that the stream identifies by a number or a name. */
  readonly choice?: Choice | undefined;
  /** The writer's name as an engineer says it: `Long`, `optional String`, `VInt count × Long`. */
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
  /** The member for all other numbers. Its number is not kept. */
  readonly otherwise: FieldDescriptor | undefined;
}

export interface MessageLayout {
  readonly message: MessageDescriptor;
  /** The stream version that is laid out, as `parseVersion` has it. */
  readonly version: number;
  /** Written fields in their order; the members of a choice stand at the place of the first one. */
  readonly fields: readonly FieldLayout[];
}

/** The layout of each message type, derived on first use. */
export type LayoutOf = (message: MessageDescriptor) => MessageLayout;
