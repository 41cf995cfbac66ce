/**
 * How a message is laid out in a native sequential stream: fields in declaration order, no tags.
 * A layout is data. `derive.ts` makes it from a descriptor by the rules of a native profile, and the options of
 * `schemas/native/options.proto` change single fields. Measuring, writing and reading follow the layout.
 */
import type { FieldDescriptor, MessageDescriptor, OneofDescriptor } from '../schema/descriptor.ts';

/** Slots of a native row's header, in the order of SLOTS.native. */
export const NativeSlot = { FLAG: 0, TYPE: 1, COUNT: 2, LENGTH: 3 } as const;

/** The form of an integer in a native stream. */
export type IntForm =
  | { readonly kind: 'fixed'; readonly bytes: 1 | 2 | 4 | 8; readonly order: 'big' | 'little' }
  /**
   * 7 bits a byte, low bits first. `bits`: the width to which a negative value is sign-extended before it is written.
   * `more`: the value is written plus one.
   */
  | { readonly kind: 'varint'; readonly bits: 32 | 64; readonly zigzag: boolean; readonly more?: 1 }
  /**
   * One byte up to 250; above, a byte 251, 252 or 253, followed by 2, 4 or 8 little-endian bytes: bincode's variable
   * width.
   */
  | { readonly kind: 'marked'; readonly bits: 64; readonly zigzag: boolean };

/** The value is padded with zeros to a multiple of this many bytes. */
export type Padding = 4;

/** The form of one value, without the mark of its presence. */
export type ValueForm =
  | { readonly kind: 'int'; readonly form: IntForm }
  | { readonly kind: 'float'; readonly bytes: 4 | 8; readonly order: 'big' | 'little' }
  /** `inverted`: 1 means false. */
  | { readonly kind: 'bool'; readonly inverted?: boolean }
  /** `unit`: the length counts these. `body`: the encoding of the characters (cesu8: each UTF-16 unit separately). */
  | {
      readonly kind: 'string';
      readonly length: IntForm;
      readonly unit: 'utf16' | 'byte';
      readonly body: 'cesu8' | 'utf8';
      readonly padding?: Padding;
    }
  /** UTF-8 that ends at a zero byte. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'bytes'; readonly length: IntForm; readonly padding?: Padding }
  /**
   * Bytes up to the end of the message, or of the enclosing blob. If a field follows, reading stops before these bytes.
   */
  | { readonly kind: 'rest' }
  /** Bytes without a length: an earlier field gives it. */
  | { readonly kind: 'sized'; readonly by: SizedBy }
  /** With a length: a nested blob, whose contents end after that many bytes. */
  | { readonly kind: 'message'; readonly length?: IntForm }
  /**
   * One value of another message, in its native form, without a length prefix. Protobuf keeps it as bytes, and the
   * native layout explains them: a generic value, a sort value.
   */
  | { readonly kind: 'content'; readonly message: MessageDescriptor }
  /** No bytes: the member's type number is its whole value. An integer has that number; a boolean is true. */
  | { readonly kind: 'none' };

/**
 * The mark of an absent value.
 * - default: no mark. The type's default value is written, so an absent value cannot be distinguished from it.
 * - flag: one boolean byte before every value, present or absent. An empty list is absent.
 * - sentinel: the length, or a list's count, is written as −1 (its form must hold that).
 * - minus: a byte 1 before a value; for an absent value, only a byte −1.
 * - length+1: the length, or a list's count, is written plus one; 0 means absent.
 * - tristate: a boolean in one byte; 2 means absent (StreamOutput.writeOptionalBoolean).
 * - end: no mark. The message, or the enclosing blob, ends before the value.
 */
export type Absence = 'default' | 'flag' | 'sentinel' | 'minus' | 'length+1' | 'tristate' | 'end';

/** A condition on an earlier field of the message. It decides whether a field is present. */
export interface Condition {
  readonly field: FieldDescriptor;
  /** Values with which the field is present; undefined: all except the default (0, false, empty text, no elements). */
  readonly values: readonly number[] | undefined;
  readonly negated: boolean;
  /** The bits of the value that are compared, 1 to 2³¹ − 1; undefined: all. */
  readonly mask?: number | undefined;
}

/** The source of the number of bytes or elements, if no length or count is written. */
export type SizedBy =
  /** Another field of the message, before this one. `isPower`: it is the exponent of a power of two. */
  | { readonly field: FieldDescriptor; readonly isPower: boolean }
  | { readonly size: number }
  /** The end of the message, or of the enclosing blob. For lists only. */
  | { readonly toEnd: true }
  /** This text, as a STRING, in place of an element. For maps and lists of messages only. */
  | { readonly until: string };

export interface FieldLayout {
  readonly field: FieldDescriptor;
  /** The form of the value, or of each element. */
  readonly form: ValueForm;
  /** The mark of an absent singular field, or of an absent list where a count of 0 is not that mark. */
  readonly absence: Absence;
  /** Repeated and map fields: the count of elements, which precedes them. */
  readonly count: IntForm | undefined;
  /**
   * A list without a count. Its elements are written like fields of its message, and another field gives their number.
   */
  readonly sizedBy?: SizedBy | undefined;
  /** Elements are written in blocks. Each block follows its count, and a count of 0 ends the list. */
  readonly inBlocks?: boolean;
  /** The form of a flag's 1 and 0; default: one byte. */
  readonly flag?: IntForm;
  /** The count is written twice, unless it is 0. */
  readonly countTwice?: boolean;
  /** A map whose keys are not written, because the values contain them in this field. */
  readonly key?: FieldDescriptor | undefined;
  /** A map of which only the keys are written. */
  readonly keysOnly?: boolean;
  readonly when?: Condition | undefined;
  /** Protobuf has no such field. */
  readonly nativeOnly?: boolean;
  /** The bytes are compressed. Unpacked, they are the native form of this message. */
  readonly packed?: MessageDescriptor | undefined;
  /** A member of a oneof that the stream identifies by a number or a name. */
  readonly choice?: Choice | undefined;
  /** The writer's name for people: `Long`, `optional String`, `VInt count × Long`. */
  readonly label: string;
}

/** A oneof whose member is identified by a preceding number or name. If no member is set, the first one is written. */
export interface Choice {
  readonly oneof: OneofDescriptor;
  /** The form of the number, or of the name (a string). */
  readonly form: ValueForm;
  readonly when: Condition | undefined;
  /** Member by number. If a member has several numbers, the first one is written. */
  readonly byNumber: ReadonlyMap<number, FieldDescriptor>;
  readonly byName: ReadonlyMap<string, FieldDescriptor>;
  /** The member for all numbers that no other member has. Its number is lost. */
  readonly otherwise: FieldDescriptor | undefined;
}

export interface MessageLayout {
  readonly message: MessageDescriptor;
  /** The stream version of the layout, as `parseVersion` returns it. */
  readonly version: number;
  /** The written fields in order. The members of a choice are at the place of its first member. */
  readonly fields: readonly FieldLayout[];
}

/** The layout of each message type, derived on first use. */
export type LayoutOf = (message: MessageDescriptor) => MessageLayout;
