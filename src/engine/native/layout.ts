/**
 * How a message is laid out in a native sequential stream: fields in declaration order, no tags.
 * A layout is data: `profile.ts` derives one from a descriptor by the rules of a native profile,
 * the options of `schemas/native/options.proto` change single fields, and measuring, writing and
 * reading all follow it.
 */
import type { FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';

/** An integer on the native wire. */
export type IntForm =
  | { readonly kind: 'fixed'; readonly bytes: 1 | 2 | 4 | 8; readonly order: 'big' | 'little' }
  /** 7 bits a byte, low first; `bits` is the width a negative value is sign-extended to before it is written. */
  | { readonly kind: 'varint'; readonly bits: 32 | 64; readonly zigzag: boolean };

/** How one value is written, once it is there. */
export type ValueForm =
  | { readonly kind: 'int'; readonly form: IntForm }
  | { readonly kind: 'float'; readonly bytes: 4 | 8; readonly order: 'big' | 'little' }
  | { readonly kind: 'bool' }
  /** `unit`: what the length counts. `body`: how the characters are written (cesu8: each UTF-16 unit alone). */
  | {
      readonly kind: 'string';
      readonly length: IntForm;
      readonly unit: 'utf16' | 'byte';
      readonly body: 'cesu8' | 'utf8';
    }
  | { readonly kind: 'bytes'; readonly length: IntForm }
  | { readonly kind: 'message' };

/**
 * What stands for an absent value.
 * - default: no mark; the type's default value is written, and absence cannot be told from it.
 * - flag: one boolean byte before every value, present or absent.
 * - sentinel: the length is written as −1 (its form must be fixed).
 * - length+1: the length is written one larger, 0 meaning absent.
 * - tristate: a boolean in one byte, 2 meaning absent (StreamOutput.writeOptionalBoolean).
 */
export type Absence = 'default' | 'flag' | 'sentinel' | 'length+1' | 'tristate';

export interface FieldLayout {
  readonly field: FieldDescriptor;
  /** The form of the value, or of each element. */
  readonly form: ValueForm;
  /** Of singular fields; repeated and map fields are absent by a count of 0. */
  readonly absence: Absence;
  /** Of repeated and map fields: the number of elements, written before them. */
  readonly count: IntForm | undefined;
  /** What an engineer calls this writer: `Long`, `optional String`, `VInt count × Long`. */
  readonly label: string;
}

export interface MessageLayout {
  readonly message: MessageDescriptor;
  readonly fields: readonly FieldLayout[];
}

/** The layout of each message type, derived on first use. */
export type LayoutOf = (message: MessageDescriptor) => MessageLayout;
