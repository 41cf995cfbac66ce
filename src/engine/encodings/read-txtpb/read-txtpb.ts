/**
 * Protobuf's text format → its rows, and the same message in protobuf. Every byte is in one row, for any text. Fields
 * are read by name. Groups may also have the name of their message. Extensions and the contents of an Any have names in
 * brackets, and fields that protoc does not know have numbers. A field that the type does not explain is shown by its
 * path, is a finding, and is not part of the protobuf message. White space and comments belong to the field after
 * them, comments at the head of the text to the message.
 * protobuf.dev/reference/protobuf/textformat-spec
 */
import { floatOf } from '../../bytes/float-bytes.ts';
import { Flag } from '../../model/annotation.ts';
import type { FieldDescriptor, MessageDescriptor } from '../../schema/descriptor.ts';
import { ANY } from '../../schema/names.ts';
import { CLOSE_LIST, COLON, COMMA, closeOf, headEnd, OPEN_LIST } from '../../text-format/tokens.ts';
import { contentsField, typeNameOf } from '../../wire/any.ts';
import type { FindType, FormatRead, FormatReader } from '../format-read.ts';
import { PlacedLosses } from '../losses.ts';
import { defaultOf, isMessageField, keyText, type Scalar } from '../message-value.ts';
import { isRounded } from '../precision.ts';
import { UnknownNames } from '../read-json/known-names.ts';
import type { TextSpan } from '../text-cursor.ts';
import { fieldNamed } from '../txtpb-names.ts';
import { writeProtobuf } from '../write-protobuf.ts';
import { type DraftField, type DraftItem, MessageDraft } from './message-draft.ts';
import { readScalar } from './read-scalar.ts';
import { type FieldName, TxtpbCursor } from './txtpb-cursor.ts';

export interface TxtpbReadOptions {
  /** Finds types that a google.protobuf.Any names. */
  readonly findType?: FindType;
  /** Shared by messages, so that the same name is the same field. */
  readonly names?: UnknownNames;
}

/** A reader for a sequence of messages: a name that no schema has is the same field in all of them. */
export function txtpbReader(findType: FindType): FormatReader {
  const names = new UnknownNames();
  return (bytes, type) => readTxtpb(bytes, type, { findType, names });
}

/** Protobuf's own parsers accept 100 levels; deeper values are skipped. */
const MAX_DEPTH = 250;

/** @param type undefined: reads by the text's own names */
export function readTxtpb(
  bytes: Uint8Array,
  type: MessageDescriptor | undefined,
  { findType = () => undefined, names = new UnknownNames() }: TxtpbReadOptions = {},
): FormatRead {
  const cursor = new TxtpbCursor(bytes);
  const draft = type === undefined ? null : new MessageDraft(type);
  cursor.begin(undefined);
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) cursor.take('punctuation', 3);
  cursor.take('space', headEnd(bytes, cursor.at, cursor.end));
  const reader = new TxtpbReader(cursor, findType, names);
  reader.fields(-1, draft);
  while (cursor.row > 0) cursor.close();
  cursor.finish();
  cursor.close();
  const value = draft?.finish() ?? null;
  return {
    table: cursor.rows.finish('native'),
    protobuf: value === null ? new Uint8Array(0) : writeProtobuf(value),
    value,
    diagnostics: cursor.diagnostics,
    losses: reader.losses.counts,
    firstLosses: reader.losses.firsts,
  };
}

const encoder = new TextEncoder();
const strict = new TextDecoder('utf-8', { fatal: true });

class TxtpbReader {
  readonly losses = new PlacedLosses();
  readonly #cursor: TxtpbCursor;
  readonly #findType: FindType;
  readonly #names: UnknownNames;
  #depth = 0;

  constructor(cursor: TxtpbCursor, findType: FindType, names: UnknownNames) {
    this.#cursor = cursor;
    this.#findType = findType;
    this.#names = names;
  }

  /**
   * Reads the fields up to the byte that closes their message; −1: up to the end of the text. @param draft null: reads
   * by the text's own names
   */
  fields(close: number, draft: MessageDraft | null): void {
    const cursor = this.#cursor;
    for (;;) {
      const byte = cursor.peek();
      if (byte === close) {
        cursor.next();
        if (close >= 0) cursor.take('punctuation', cursor.at + 1);
        return;
      }
      if (byte < 0) {
        cursor.next();
        cursor.stop(`"${String.fromCharCode(close)}"`);
        return;
      }
      cursor.begin(undefined);
      cursor.next();
      this.#field(draft);
      if (!cursor.isStopped) cursor.separator();
      cursor.close();
      if (cursor.isStopped) return;
    }
  }

  #field(draft: MessageDraft | null): void {
    const cursor = this.#cursor;
    const start = cursor.at;
    const name = cursor.name();
    if (name === null) return;
    const key = { start, end: cursor.at };
    const hasColon = cursor.peek() === COLON;
    if (hasColon) {
      cursor.next();
      cursor.take('punctuation', cursor.at + 1);
    }
    const byte = cursor.next();
    if (!hasColon && closeOf(byte) < 0 && byte !== OPEN_LIST) {
      cursor.stop('a colon');
      return;
    }
    const field = draft === null ? undefined : fieldNamed(draft.type, name);
    if (draft === null || field === undefined) this.#unknown(name, key, draft);
    else this.#known(draft, field, key);
  }

  /** Reads a field that no schema explains, by its name. */
  #unknown(name: FieldName, key: TextSpan, draft: MessageDraft | null): void {
    const cursor = this.#cursor;
    if (draft !== null && name.kind === 'bracket' && draft.type.fullName === ANY) {
      this.#any(draft, name.text, key);
      return;
    }
    const shown = name.kind === 'bracket' ? `[${name.text}]` : name.text;
    cursor.assign(this.#names.fieldOf(shown), Flag.UNKNOWN);
    if (draft !== null) {
      const short = shown.length > 100 ? `${shown.slice(0, 100)}…` : shown;
      cursor.note('txtpb/unknown-field', `${draft.type.fullName} has no field ${short}.`, key);
    }
    this.#generic();
  }

  /** Reads `[host/full.Name] { … }` in an Any. */
  #any(draft: MessageDraft, url: string, key: TextSpan): void {
    const cursor = this.#cursor;
    const [urlField, valueField] = [draft.type.byNumber.get(1)!, draft.type.byNumber.get(2)!];
    const inner = this.#findType(typeNameOf(url));
    const { row } = cursor;
    if (inner === undefined || closeOf(cursor.next()) < 0) {
      const why =
        inner === undefined ? `No schema has the type of ${url.slice(0, 100)}.` : 'The value is not a message.';
      cursor.note(inner === undefined ? 'txtpb/unknown-type' : 'txtpb/mismatch', why, key);
      cursor.assign(valueField, Flag.MISMATCH);
      this.#generic();
      return;
    }
    cursor.assign(contentsField(draft.type, inner), draft.fields.has(valueField) ? Flag.DUPLICATE : 0);
    const contents = new MessageDraft(inner);
    if (!this.#message(contents)) return;
    for (const [field, value] of [
      [urlField, encoder.encode(url)],
      [valueField, writeProtobuf(contents.finish())],
    ] as const) {
      draft.fields.delete(field);
      draft.field(field, row).items.push({ row, value });
    }
  }

  #known(draft: MessageDraft, field: FieldDescriptor, key: TextSpan): void {
    const cursor = this.#cursor;
    const { row } = cursor;
    const isOne = field.cardinality === 'singular';
    const isAgain = isOne && draft.fields.has(field);
    cursor.assign(field, isAgain ? Flag.DUPLICATE : 0);
    if (isAgain) {
      const outcome = isMessageField(field) ? 'both are merged' : 'the last one counts';
      cursor.note('txtpb/duplicate-field', `${field.name} is given again; ${outcome}.`, key);
    }
    const found = cursor.diagnostics.length;
    const set = this.#values(field, isOne ? draft.fields.get(field) : draft.field(field, row));
    if (cursor.diagnostics.length > found && set === null) cursor.rows.mark(row, Flag.MISMATCH);
    if (!isOne) return;
    if (set === null) {
      draft.misfits++;
      return;
    }
    if (field.oneof !== undefined) {
      for (const other of draft.fields.keys()) {
        if (other.oneof !== field.oneof || other === field) continue;
        cursor.note('txtpb/oneof', `${other.name} and ${field.name} exclude each other; the last one counts.`, key);
        draft.fields.delete(other);
      }
    }
    draft.fields.delete(field);
    draft.field(field, row).items.push({ row, value: set.value });
  }

  /** Reads the value or the list of values at the cursor. Returns the last item; null: there is no item. */
  #values(field: FieldDescriptor, into: DraftField | undefined): DraftItem | null {
    const cursor = this.#cursor;
    if (field.cardinality === 'singular') {
      const earlier = into?.items[0]?.value;
      return this.#item(field, earlier instanceof MessageDraft ? earlier : undefined);
    }
    let last: DraftItem | null = null;
    const read = (): void => {
      last = field.cardinality === 'map' ? this.#entry(field, into!) : this.#item(field);
      if (last !== null && field.cardinality === 'repeated') into!.items.push(last);
    };
    if (cursor.next() === OPEN_LIST) this.#list(read);
    else if (!isMessageField(field)) read();
    else this.#element(read);
    return last;
  }

  /** A message of a list has a row of its own in its field's row. */
  #element(read: () => void): void {
    this.#cursor.begin(undefined);
    read();
    this.#cursor.close();
  }

  /** Reads the elements of the list at the cursor. @param read called in the element's own row */
  #list(read: () => void): void {
    const cursor = this.#cursor;
    cursor.take('punctuation', cursor.at + 1);
    for (let isFirst = true; ; isFirst = false) {
      const byte = cursor.peek();
      if (byte === CLOSE_LIST) {
        cursor.next();
        cursor.take('punctuation', cursor.at + 1);
        return;
      }
      cursor.begin(undefined);
      if (isFirst || cursor.expect(COMMA, 'a comma or the end of the list')) {
        cursor.next();
        read();
      }
      cursor.close();
      if (cursor.isStopped) return;
    }
  }

  /** @param earlier a message into which this one is merged */
  #item(field: FieldDescriptor, earlier?: MessageDraft): DraftItem | null {
    const cursor = this.#cursor;
    const from = cursor.rows.length;
    const item = this.#fitting(field, earlier);
    if (item === null) cursor.leaveOut(from);
    return item;
  }

  #fitting(field: FieldDescriptor, earlier?: MessageDraft): DraftItem | null {
    const cursor = this.#cursor;
    const { row } = cursor;
    const isMessage = closeOf(cursor.next()) >= 0;
    if (isMessage && isMessageField(field)) {
      const value = earlier ?? new MessageDraft(field.message!);
      return this.#message(value) ? { row, value } : null;
    }
    if (isMessage || isMessageField(field)) return this.#misfit(field.message?.fullName ?? field.type);
    const start = cursor.at;
    if (cursor.next() === OPEN_LIST) return this.#misfit(field.type);
    const raw = cursor.scalar();
    if (raw === null) return null;
    const value = readScalar(field, raw);
    const span = { start, end: cursor.at };
    if (value === undefined) {
      const what = field.type === 'enum' ? `value of ${field.enum!.name}` : field.type;
      cursor.note('txtpb/mismatch', `The value is no ${what}.`, span);
      return null;
    }
    if (field.type === 'string' && !isUtf8(value as Uint8Array))
      cursor.note('txtpb/invalid-utf8', 'The text is not UTF-8.', span);
    if ((field.type === 'float' || field.type === 'double') && raw.kind === 'number') {
      const number = floatOf(value as Uint8Array, field.type);
      if (Number.isFinite(number) && isRounded(raw.text.replace(/f$/i, ''), number, field.type)) {
        this.losses.add('rounded', span);
        cursor.note('txtpb/rounded', `The value has more digits than a ${field.type} holds.`, span);
      }
    }
    return { row, value };
  }

  /** Reads the message at the cursor. false: it is too deep, and is skipped. */
  #message(draft: MessageDraft | null): boolean {
    const cursor = this.#cursor;
    const start = cursor.at;
    if (this.#depth >= MAX_DEPTH) {
      cursor.skip();
      cursor.note('txtpb/too-deep', `Values nested deeper than ${MAX_DEPTH} are not read.`, { start, end: cursor.at });
      return false;
    }
    this.#depth++;
    const close = closeOf(cursor.next());
    cursor.take('punctuation', cursor.at + 1);
    this.fields(close, draft);
    this.#depth--;
    return true;
  }

  /**
   * Reads `{ key: … value: … }`. A missing part has its default value. If a part is of the wrong kind, there is no
   * entry.
   */
  #entry(map: FieldDescriptor, into: DraftField): DraftItem | null {
    const cursor = this.#cursor;
    const { row } = cursor;
    if (closeOf(cursor.next()) < 0) return this.#misfit('entry of a map');
    const [keyField, valueField] = [map.message!.byNumber.get(1)!, map.message!.byNumber.get(2)!];
    const draft = new MessageDraft(map.message!);
    const from = cursor.rows.length;
    if (!this.#message(draft) || draft.misfits > 0) {
      cursor.leaveOut(from);
      return null;
    }
    const part = (field: FieldDescriptor): DraftItem =>
      draft.fields.get(field)?.items[0] ?? {
        row: -1,
        value: isMessageField(field) ? new MessageDraft(field.message!) : defaultOf(field),
      };
    const entry = { row, key: part(keyField), value: part(valueField) };
    const text = keyText(entry.key.value as Scalar);
    if (into.entries.has(text)) {
      const span = { start: cursor.at, end: cursor.at };
      cursor.note('txtpb/duplicate-key', 'A key of a map is given again; the last one counts.', span);
    }
    into.entries.set(text, entry);
    return entry.key;
  }

  /** Handles a value that does not fit the schema: it is read by its names, and is not part of the protobuf message. */
  #misfit(what: string): null {
    const cursor = this.#cursor;
    const start = cursor.at;
    this.#generic();
    if (!cursor.isStopped) cursor.note('txtpb/mismatch', `The value is no ${what}.`, { start, end: cursor.at });
    return null;
  }

  /** Reads a value by its own names. */
  #generic(): void {
    const cursor = this.#cursor;
    const byte = cursor.next();
    if (closeOf(byte) >= 0) this.#message(null);
    else if (byte === OPEN_LIST) this.#list(() => this.#inList());
    else cursor.scalar();
  }

  #inList(): void {
    if (closeOf(this.#cursor.next()) >= 0) this.#message(null);
    else this.#cursor.scalar();
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}
