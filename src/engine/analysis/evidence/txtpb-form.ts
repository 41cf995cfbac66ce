/** Protobuf's text format as evidence of a type. */
import { readScalar } from '../../encodings/read-txtpb/read-scalar.ts';
import { type FieldName, type RawScalar, TxtpbCursor } from '../../encodings/read-txtpb/txtpb-cursor.ts';
import { fieldNamed } from '../../encodings/txtpb-names.ts';
import type { FieldDescriptor } from '../../schema/descriptor.ts';
import { ANY } from '../../schema/names.ts';
import { CLOSE_LIST, COLON, COMMA, closeOf, OPEN_LIST } from '../../text-format/tokens.ts';
import type { ObjectNode, TextFit, TextForm, TextNode } from './text-fit.ts';

export const TXTPB_FORM: TextForm = {
  tree: (bytes) => new Tree(bytes).message(-1, 0),
  fieldNamed: (type, name) => fieldNamed(type, fieldName(name)),
  isFit: (fit, field, value, path) =>
    value.kind === 'list'
      ? field.cardinality !== 'singular' && value.items.every((one) => isValue(fit, field, one, path))
      : isValue(fit, field, value, path),
};

const fieldName = (name: string): FieldName =>
  name.startsWith('[')
    ? { kind: 'bracket', text: name.slice(1, -1) }
    : { kind: /^\d/.test(name) ? 'number' : 'word', text: name };

function isValue(fit: TextFit, field: FieldDescriptor, value: TextNode, path: string): boolean {
  if (field.message !== undefined) {
    if (value.kind !== 'object') return false;
    const isAny = field.message.fullName === ANY && value.members.some(([name]) => name.includes('/'));
    if (!isAny) fit.members(value, field.message, path);
    return true;
  }
  if (value.kind === 'object' || value.kind === 'list') return false;
  const found = readScalar(field, rawOf(value));
  if (field.type === 'enum' && value.kind === 'word' && found !== undefined)
    fit.enums.add(`${field.enum!.fullName}.${value.text}`);
  return found !== undefined;
}

const NO_BYTES = new Uint8Array(0);

function rawOf({ kind, text }: { readonly kind: string; readonly text: string }): RawScalar {
  if (kind === 'text') return { kind: 'string', bytes: NO_BYTES };
  const negative = text.startsWith('-');
  return kind === 'number'
    ? { kind: 'number', text: negative ? text.slice(1) : text, negative }
    : { kind: 'identifier', text };
}

const MAX_DEPTH = 100;
/** `# proto-message: name`, in the comments at the beginning. */
const STATED = /^(?:\s*#[^\n]*\n)*?\s*#\s*proto-message:\s*([\w.]+)/;
const HEADER = 4096;

class Tree {
  readonly #cursor: TxtpbCursor;
  readonly #stated: string | undefined;

  constructor(bytes: Uint8Array) {
    this.#cursor = new TxtpbCursor(bytes);
    this.#stated = STATED.exec(new TextDecoder().decode(bytes.subarray(0, HEADER)))?.[1];
  }

  /** Reads the fields up to the byte that closes their message; −1: up to the end. */
  message(close: number, depth: number): ObjectNode {
    const cursor = this.#cursor;
    const members: [string, TextNode][] = [];
    while (!cursor.isStopped) {
      const byte = cursor.next();
      if (byte < 0) break;
      if (byte === close) {
        cursor.take('punctuation', cursor.at + 1);
        break;
      }
      const name = cursor.name();
      if (name === null) break;
      if (cursor.next() === COLON) cursor.take('punctuation', cursor.at + 1);
      const value = this.#value(depth);
      if (value === null) break;
      members.push([name.kind === 'bracket' ? `[${name.text}]` : name.text, value]);
      cursor.separator();
    }
    const type = depth === 0 ? this.#stated : undefined;
    return { kind: 'object', members, ...(type === undefined ? {} : { type }) };
  }

  #value(depth: number): TextNode | null {
    const cursor = this.#cursor;
    const byte = cursor.next();
    const close = closeOf(byte);
    if (close >= 0 && depth < MAX_DEPTH) {
      cursor.take('punctuation', cursor.at + 1);
      return this.message(close, depth + 1);
    }
    if (close >= 0) {
      cursor.stop('a value');
      return null;
    }
    if (byte === OPEN_LIST) return this.#list(depth);
    const raw = cursor.scalar();
    if (raw === null) return null;
    if (raw.kind === 'string') return { kind: 'text', text: '' };
    if (raw.kind === 'number') return { kind: 'number', text: `${raw.negative ? '-' : ''}${raw.text}` };
    return { kind: 'word', text: raw.text };
  }

  #list(depth: number): TextNode {
    const cursor = this.#cursor;
    const items: TextNode[] = [];
    cursor.take('punctuation', cursor.at + 1);
    for (let byte = cursor.next(); byte >= 0 && byte !== CLOSE_LIST; byte = cursor.next()) {
      const value = byte === OPEN_LIST || depth >= MAX_DEPTH ? null : this.#value(depth + 1);
      if (value === null) break;
      items.push(value);
      if (cursor.next() === COMMA) cursor.take('punctuation', cursor.at + 1);
    }
    if (cursor.next() === CLOSE_LIST) cursor.take('punctuation', cursor.at + 1);
    else cursor.stop('the end of the list');
    return { kind: 'list', items };
  }
}
