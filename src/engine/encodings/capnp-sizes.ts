/** The words that the parts of a message take in Cap'n Proto, for the offsets of pointers. */
import { countText } from '../model/count-text.ts';
import type { FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';
import { lgSizeOf, sectionWords, structLayoutOf } from './capnp-layout.ts';
import { withValidUtf8 } from './json-scalar.ts';
import { countLoss, type LossCounts } from './losses.ts';
import { type Item, isMessageField, type MapEntry, type MessageValue, type SetField } from './message-value.ts';

/** Elements of a list, and words between a pointer and its target: 29 bits. */
const MOST_ELEMENTS = 2 ** 29 - 1;
/** Words of data, and pointers: 16 bits each. */
const MOST_WORDS = 2 ** 16 - 1;

export class CapnpSizes {
  readonly #losses: LossCounts;
  /** Words behind the pointers of a message. */
  readonly #contents = new Map<MessageValue, number>();
  /** The valid form of texts that are not UTF-8. */
  readonly #replaced = new Map<Uint8Array, Uint8Array>();
  /** Why the message cannot be written, as one sentence; undefined: it can. */
  refused: string | undefined;
  /** Words of the message, without the segment table. */
  readonly words: number;

  constructor(message: MessageValue, losses: LossCounts) {
    this.#losses = losses;
    this.#measure(message);
    this.words = 1 + this.#structWords(message);
    this.#limit(this.words);
  }

  /** The bytes of a text or of bytes. */
  bytesOf(value: Uint8Array): Uint8Array {
    return this.#replaced.get(value) ?? value;
  }

  /** Words behind the pointers of a message. */
  contentsOf(message: MessageValue): number {
    return this.#contents.get(message)!;
  }

  /** Words behind the pointers of an entry. */
  entryContents(map: FieldDescriptor, { key, value }: MapEntry): number {
    const { byNumber } = map.message!;
    return this.#itemWords(byNumber.get(1)!, key) + this.#itemWords(byNumber.get(2)!, value);
  }

  /** Words behind the pointer of a field; 0: it has none. */
  fieldWords({ field, items, entries }: SetField): number {
    if (field.cardinality === 'singular') return this.#itemWords(field, items[0]!);
    const lgSize = field.cardinality === 'map' ? null : lgSizeOf(field);
    if (lgSize !== null) return Math.ceil((items.length * 2 ** lgSize) / 64);
    let words = items.length;
    if (field.message !== undefined) {
      words = 1 + (items.length + entries.length) * sectionWords(structLayoutOf(field.message));
      for (const { value } of items) words += this.contentsOf(value as MessageValue);
      for (const entry of entries) words += this.entryContents(field, entry);
    } else for (const item of items) words += this.#itemWords(field, item);
    return words;
  }

  #structWords(message: MessageValue): number {
    return sectionWords(structLayoutOf(message.type)) + this.contentsOf(message);
  }

  /** Words behind the pointer of a single value; 0: it has none. */
  #itemWords(field: FieldDescriptor, { value }: Item): number {
    if (lgSizeOf(field) !== null) return 0;
    if (!(value instanceof Uint8Array)) return this.#structWords(value as MessageValue);
    const { length } = this.bytesOf(value);
    return Math.ceil((field.type === 'string' ? length + 1 : length) / 8);
  }

  #measure(message: MessageValue): void {
    this.#checkStruct(message.type);
    let words = 0;
    for (const set of message.fields) {
      if (set.field.isExtension) countLoss(this.#losses, 'extension');
      else {
        this.#measureField(set);
        words += this.fieldWords(set);
      }
    }
    this.#contents.set(message, words);
  }

  #measureField({ field, items, entries }: SetField): void {
    for (const item of items) this.#measureItem(field, item);
    if (field.cardinality === 'repeated') this.#limit(items.length);
    if (field.cardinality === 'singular' || field.message === undefined) return;
    const { byNumber } = field.message;
    this.#checkStruct(field.message);
    this.#limit((items.length + entries.length) * sectionWords(structLayoutOf(field.message)));
    for (const { key, value } of entries) {
      this.#measureItem(byNumber.get(1)!, key);
      this.#measureItem(byNumber.get(2)!, value);
    }
  }

  #measureItem(field: FieldDescriptor, { value }: Item): void {
    if (isMessageField(field)) this.#measure(value as MessageValue);
    else if (value instanceof Uint8Array && lgSizeOf(field) === null) {
      this.#limit(value.length + 1);
      if (field.type !== 'string') return;
      const valid = withValidUtf8(value, { losses: this.#losses });
      if (valid !== value) this.#replaced.set(value, valid);
    }
  }

  #limit(count: number): void {
    if (count > MOST_ELEMENTS) {
      this.refused ??= `Cap’n Proto counts at most ${countText(MOST_ELEMENTS)} elements or words, and a list has more.`;
    }
  }

  #checkStruct(type: MessageDescriptor): void {
    const { dataWords, pointers } = structLayoutOf(type);
    if (Math.max(dataWords, pointers.length) > MOST_WORDS) {
      this.refused ??= `A struct of Cap’n Proto has at most ${countText(MOST_WORDS)} words of data and as many pointers, and ${type.name} has more.`;
    }
  }
}
