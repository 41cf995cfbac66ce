/** Edits of a schema → edits of a .proto file's text. Unchanged lines keep their comments, order and formatting. */
import type { FieldDescriptor, FileDescriptor, MessageDescriptor, Registry } from '../descriptor.ts';
import { parentOf } from '../names.ts';
import { definitionOf, definitionsIn, type SchemaSymbols, type SymbolDefinition } from '../symbols.ts';
import { type Token, tokenize } from '../text/tokens.ts';
import { type MovedField, oneofEdits } from './oneof-edits.ts';
import {
  delimitedIn,
  type EntryPresence,
  type EnumAddition,
  type FieldEdit,
  optionsLost,
  type SchemaEdits,
} from './schema-edits.ts';
import { indentAt, type TextEdit, UnwritableEdit } from './text-edit.ts';

/** @throws UnwritableEdit */
export function editText(
  text: string,
  file: FileDescriptor,
  registry: Registry,
  symbols: SchemaSymbols,
  edits: SchemaEdits,
): readonly TextEdit[] {
  const writer = new TextEditor(text, file, registry, symbols);
  const inFile = (message: string): boolean => registry.messages.get(message)?.file === file.path;
  if (!writer.isEdition && [...delimitedIn(edits)].some(inFile)) writer.toEdition();
  writer.split(edits.fields);
  for (const edit of edits.fields) writer.editField(edit);
  for (const { message, ...added } of edits.added) if (inFile(message)) writer.addField(message, added);
  for (const { message, ...declared } of edits.enums) if (inFile(message)) writer.addEnum(message, declared);
  const reserved = new Map<string, number[]>();
  for (const { message, number } of edits.reserved) reserved.set(message, [...(reserved.get(message) ?? []), number]);
  for (const [message, numbers] of reserved) if (inFile(message)) writer.reserve(message, numbers);
  return writer.edits();
}

/** The tokens of a field's declaration: label, type, name, `=`, number, options. */
class WrittenField {
  readonly field: FieldDescriptor;
  readonly tokens: readonly Token[];
  readonly equals: number;
  /** Text of each option, and options to add. */
  readonly options = new Map<string, string>();
  type: string | undefined;
  number: number | undefined;
  /** The new label; undefined: unchanged. */
  label: '' | 'optional' | 'repeated' | undefined;
  areOptionsChanged = false;
  /** The oneof that the field moves into; null: it leaves its oneof; undefined: it stays. */
  oneof: string | null | undefined;

  constructor(field: FieldDescriptor, tokens: readonly Token[], text: string) {
    this.field = field;
    this.tokens = tokens;
    this.equals = tokens.findIndex(({ text: symbol }) => symbol === '=');
    let depth = 0;
    let from = -1;
    for (const token of tokens.slice(this.equals + 2)) {
      if (depth === 0 && token.text !== '[') break;
      if ('[{('.includes(token.text) && token.kind === 'symbol') depth++;
      else if (']})'.includes(token.text) && token.kind === 'symbol') depth--;
      const isBreak = token.kind === 'symbol' && (depth === 0 || (depth === 1 && token.text === ','));
      if (isBreak && from >= 0) {
        const option = text.slice(from, token.start).trim();
        this.options.set(option.slice(0, option.indexOf('=')).trim(), option);
      }
      if (isBreak || (depth === 1 && token.text === '[' && from < 0)) from = token.end;
      if (depth === 0) break;
    }
  }

  setOption(name: string, value: string): void {
    this.#dropFeature(name);
    this.areOptionsChanged = true;
    this.options.set(name, `${name} = ${value}`);
  }

  dropOption(name: string): void {
    this.#dropFeature(name);
    if (this.options.delete(name)) this.areOptionsChanged = true;
  }

  /** A feature may also stand in `features = { … }`. */
  #dropFeature(name: string): void {
    const features = this.options.get('features');
    if (features === undefined || !name.startsWith('features.')) return;
    const left = features.replace(new RegExp(`\\b${name.slice('features.'.length)}\\s*:\\s*\\w+\\s*[,;]?\\s*`), '');
    if (left === features) return;
    this.areOptionsChanged = true;
    if (/\{\s*\}$/.test(left)) this.options.delete('features');
    else this.options.set('features', left);
  }

  get extent(): { readonly start: number; readonly end: number } {
    return { start: this.tokens[0]!.start, end: this.tokens.at(-1)!.end };
  }

  /** `optional group A = 1 { … }` declares a message, too. */
  get isGroup(): boolean {
    return this.tokens.some(({ text }, at) => text === 'group' && at < 2 && at < this.equals - 1);
  }

  get writtenLabel(): Token | undefined {
    const [first] = this.tokens;
    return ['optional', 'required', 'repeated'].includes(first?.text ?? '') && this.tokens[1]?.text !== '='
      ? first
      : undefined;
  }
}

class TextEditor {
  readonly #text: string;
  readonly #file: FileDescriptor;
  readonly #registry: Registry;
  readonly #symbols: SchemaSymbols;
  readonly #fields = new Map<string, WrittenField>();
  readonly #inserted: TextEdit[] = [];
  /** Lines after the last member. They follow what is inserted behind that member, as the end of a new oneof. */
  readonly #appended: TextEdit[] = [];
  /** Entries of maps that become lists, with the edits of their key and value. */
  readonly #split = new Map<string, Map<string, FieldEdit>>();
  isEdition: boolean;

  constructor(text: string, file: FileDescriptor, registry: Registry, symbols: SchemaSymbols) {
    this.#text = text;
    this.#file = file;
    this.#registry = registry;
    this.#symbols = symbols;
    this.isEdition = !file.syntax.startsWith('proto');
  }

  edits(): readonly TextEdit[] {
    const edits = [...this.#inserted];
    const moved: MovedField[] = [];
    for (const written of this.#fields.values()) {
      const { field, extent, oneof: to } = written;
      const own = this.#fieldEdits(written);
      if (to === undefined) edits.push(...own);
      else moved.push({ field, extent, to, edits: own });
    }
    edits.push(...oneofEdits(this.#text, this.#symbols, moved), ...this.#appended);
    return edits.sort((a, b) => a.start - b.start);
  }

  #tokensOf(definition: SymbolDefinition): readonly Token[] {
    const { start, end } = definition.extent;
    return [...tokenize(this.#text.slice(start, end)).tokens].map((token) => {
      return { ...token, start: token.start + start, end: token.end + start };
    });
  }

  #written(field: FieldDescriptor): WrittenField | undefined {
    const known = this.#fields.get(field.fullName);
    if (known !== undefined) return known;
    const kind = field.isExtension ? 'extension' : 'field';
    const definition = definitionOf(this.#symbols, { kind, fullName: field.fullName });
    if (definition === undefined || definition.place.file !== this.#file.path) return undefined;
    const written = new WrittenField(field, this.#tokensOf(definition), this.#text);
    this.#fields.set(field.fullName, written);
    return written;
  }

  /** Notes which maps become lists, because the types of their entries are written with these edits. */
  split(edits: readonly FieldEdit[]): void {
    for (const { message, field: name, entries } of edits) {
      const entry = entries && this.#fieldOf(message, name)?.message?.fullName;
      if (entry !== undefined) this.#split.set(entry, new Map());
    }
    for (const edit of edits) if (edit.type !== undefined) this.#split.get(edit.message)?.set(edit.field, edit);
  }

  #fieldOf(message: string, name: string): FieldDescriptor | undefined {
    const field = name.startsWith('[')
      ? this.#registry.extensions.get(name.slice(1, -1))
      : this.#registry.messages.get(message)?.fields.find((one) => one.name === name);
    return field?.file === this.#file.path ? field : undefined;
  }

  editField(edit: FieldEdit): void {
    const { message, field: name, number, presence, packed, encoding, isRepeated, entries, oneof } = edit;
    const parent = this.#registry.messages.get(message);
    if (parent === undefined || this.#split.has(message)) return;
    if (parent.isMapEntry) {
      if (parent.file === this.#file.path && edit.type !== undefined) {
        this.#editMap(parent, name, nameOfType(edit, parentOf(parent.fullName)));
      }
      return;
    }
    const field = this.#fieldOf(message, name);
    if (field === undefined) return;
    const written = this.#written(field);
    if (written === undefined) throw new UnwritableEdit(`${message}.${name} is not written in ${this.#file.path}`);
    if (edit.type !== undefined) written.type = nameOfType(edit, message);
    for (const option of optionsLost(edit)) written.dropOption(option);
    if (entries !== undefined) this.#splitMap(written, entries);
    if (number !== undefined) written.number = number;
    if (edit.hasDefault === false) written.dropOption('default');
    if (packed !== undefined) {
      if (this.isEdition) written.setOption('features.repeated_field_encoding', packed ? 'PACKED' : 'EXPANDED');
      else written.setOption('packed', String(packed));
    }
    if (encoding !== undefined) {
      if (this.isEdition) {
        const value = encoding === 'delimited' ? 'DELIMITED' : 'LENGTH_PREFIXED';
        written.setOption('features.message_encoding', value);
      } else throw new UnwritableEdit(`${message}.${name} is a group`);
    }
    if (presence !== undefined) {
      if (this.isEdition) written.setOption('features.field_presence', presence.toUpperCase());
      else written.label = presence === 'explicit' ? 'optional' : '';
    }
    if (isRepeated) written.label = 'repeated';
    if (isRepeated === false) {
      if (this.isEdition) written.label = '';
      for (const option of ['packed', 'features.repeated_field_encoding']) written.dropOption(option);
    }
    if (oneof !== undefined) this.#moveOneof(written, oneof);
  }

  #moveOneof(written: WrittenField, oneof: string | null): void {
    written.oneof = oneof;
    if (oneof !== null) {
      if (written.writtenLabel !== undefined) written.label = '';
      written.dropOption('features.field_presence');
    } else if (!this.isEdition && this.#file.syntax === 'proto2') written.label = 'optional';
  }

  /** Replaces `map<K, V> a = 1` by `repeated AEntry a = 1`, and adds the message AEntry. */
  #splitMap(written: WrittenField, presence: EntryPresence): void {
    const { field, tokens } = written;
    const entry = field.message!;
    const [open, comma, close] = ['<', ',', '>'].map((symbol) => tokens.findIndex(({ text }) => text === symbol));
    const edits = this.#split.get(entry.fullName)!;
    const part = (name: 'key' | 'value', number: number, from: number, to: number): string => {
      const edit = edits.get(name);
      const type = edit === undefined ? this.#text.slice(tokens[from]!.start, tokens[to]!.end) : nameOfType(edit);
      const isMessage = (edit?.type ?? entry.byNumber.get(number)?.type) === 'message';
      const isExplicit = presence[name] === 'explicit' && !isMessage;
      const feature =
        this.isEdition && !isMessage ? ` [features.field_presence = ${presence[name].toUpperCase()}]` : '';
      const isLabelled = !this.isEdition && (this.#file.syntax === 'proto2' || isExplicit);
      return `${isLabelled ? 'optional ' : ''}${type} ${name} = ${number}${feature};`;
    };
    written.type = entry.name;
    written.label = 'repeated';
    this.#addLines(field.parent.fullName, [
      `message ${entry.name} {`,
      `  ${part('key', 1, open! + 1, comma! - 1)}`,
      `  ${part('value', 2, comma! + 1, close! - 1)}`,
      '}',
    ]);
  }

  addEnum(message: string, { name, constants }: Omit<EnumAddition, 'message'>): void {
    const members = constants.map((constant, number) => `  ${constant} = ${number};`);
    this.#addLines(message, [`enum ${name} {`, ...members, '}']);
  }

  /** Adds lines after the last member, with its indentation. */
  #addLines(message: string, lines: readonly string[]): void {
    const { close, indent } = this.#bodyOf(message);
    this.#insertLine(close, lines.map((line) => indent + line).join(this.#newline()));
  }

  /** Changes the key or value type of `map<string, string>`. */
  #editMap(entry: MessageDescriptor, part: string, type: string): void {
    const parent = this.#registry.messages.get(parentOf(entry.fullName));
    const field = parent?.fields.find(({ message }) => message === entry);
    const written = field && this.#written(field);
    const open = written?.tokens.findIndex(({ text }) => text === '<') ?? -1;
    if (written === undefined || open < 0) throw new UnwritableEdit(`${entry.fullName} is not written as a map`);
    const close = written.tokens.findIndex(({ text }) => text === '>');
    const comma = written.tokens.findIndex(({ text }) => text === ',');
    const [from, to] = part === 'key' ? [open + 1, comma - 1] : [comma + 1, close - 1];
    this.#inserted.push({ start: written.tokens[from]!.start, end: written.tokens[to]!.end, text: type });
  }

  #fieldEdits(written: WrittenField): readonly TextEdit[] {
    const { tokens, equals, field } = written;
    if (this.isEdition && written.isGroup) return this.#messageOfGroup(written);
    const edits: TextEdit[] = [];
    const label = written.writtenLabel;
    const numberToken = tokens[equals + 1]!;
    if (written.label !== undefined) {
      const next = tokens[label === undefined ? 0 : 1]!;
      const text = written.label === '' ? '' : `${written.label} `;
      edits.push({ start: (label ?? next).start, end: next.start, text });
    }
    if (written.type !== undefined) {
      const from = label === undefined ? 0 : 1;
      edits.push({ start: tokens[from]!.start, end: tokens[equals - 2]!.end, text: written.type });
    }
    if (written.number !== undefined) {
      edits.push({ start: numberToken.start, end: numberToken.end, text: String(written.number) });
    }
    if (written.areOptionsChanged) {
      const list = [...written.options.values()].join(', ');
      const hasOptions = tokens[equals + 2]?.text === '[';
      const close = hasOptions ? closing(tokens, equals + 2) : numberToken;
      const end = close.end;
      edits.push({ start: numberToken.end, end, text: list === '' ? '' : ` [${list}]` });
    }
    if (edits.length > 0 && field.type === 'group' && tokens.some(({ text }) => text === 'group')) {
      const isOnlyNumber = edits.length === 1 && written.number !== undefined;
      if (!isOnlyNumber) throw new UnwritableEdit(`${field.fullName} is written as a group`);
    }
    return edits;
  }

  /** `repeated group A = 1 { … }` becomes `message A { … }` and `repeated A a = 1 [features.message_encoding = DELIMITED];`. */
  #messageOfGroup({ field, tokens, equals, ...written }: WrittenField): readonly TextEdit[] {
    const open = tokens.find(({ text, kind }) => text === '{' && kind === 'symbol')!;
    const name = tokens[equals - 1]!.text;
    const label = written.label ?? (field.cardinality === 'repeated' ? 'repeated' : '');
    const declared = `${label} ${written.type ?? name} ${field.name} = ${written.number ?? field.number}`.trimStart();
    const options = [...written.options.values()].join(', ');
    const { start, end } = { start: tokens[0]!.start, end: tokens.at(-1)!.end };
    const line = `${this.#newline()}${indentAt(this.#text, start)}${declared} [${options}];`;
    return [
      { start, end: open.start, text: `message ${name} ` },
      { start: end, end, text: line },
    ];
  }

  /** Adds a field after the last member, with the same indentation. */
  addField(
    message: string,
    { name, number, cardinality, packed, ...type }: Omit<SchemaEdits['added'][number], 'message'>,
  ): void {
    const { close, indent } = this.#bodyOf(message);
    const isProto2 = this.#file.syntax === 'proto2' && !this.isEdition;
    const label =
      cardinality === 'repeated'
        ? 'repeated '
        : (cardinality === 'explicit' || isProto2) && !this.isEdition
          ? 'optional '
          : '';
    const isImplicitFile = this.#file.syntax === 'proto3';
    const isPresenceSaid =
      this.isEdition &&
      type.type !== 'message' &&
      cardinality !== 'repeated' &&
      (cardinality === 'implicit') !== isImplicitFile;
    const option = isPresenceSaid
      ? ` [features.field_presence = ${cardinality.toUpperCase()}]`
      : packed && (isProto2 || this.isEdition)
        ? ` [${isProto2 ? 'packed = true' : 'features.repeated_field_encoding = PACKED'}]`
        : '';
    this.#insertLine(close, `${indent}${label}${nameOfType(type, message)} ${name} = ${number}${option};`);
  }

  reserve(message: string, numbers: readonly number[]): void {
    const { open, indent } = this.#bodyOf(message);
    const text = `${this.#newline()}${indent}reserved ${numbers.toSorted((a, b) => a - b).join(', ')};`;
    const isEmpty = this.#text.slice(open).trimStart().startsWith('}');
    this.#inserted.push({ start: open, end: open, text: isEmpty ? `${text}${this.#newline()}` : text });
  }

  /** Inserts a line before the line of the closing brace. If the body is on one line, inserts before the brace. */
  #insertLine(close: number, line: string): void {
    const lineStart = this.#text.lastIndexOf('\n', close - 1) + 1;
    const isAlone = this.#text.slice(lineStart, close).trim() === '';
    const newline = this.#newline();
    const end = isAlone ? lineStart : close;
    const isFirst = !isAlone && !this.#appended.some((edit) => edit.end === end);
    const start = isFirst ? this.#text.slice(0, close).trimEnd().length : end;
    this.#appended.push({ start, end, text: (isFirst ? newline : '') + line + newline });
  }

  #newline(): string {
    return this.#text.includes('\r\n') ? '\r\n' : '\n';
  }

  /** The offset after the opening brace, the offset of the closing one, and the indentation of members. */
  #bodyOf(message: string): { readonly open: number; readonly close: number; readonly indent: string } {
    const definition = definitionOf(this.#symbols, { kind: 'message', fullName: message });
    const tokens = definition === undefined ? [] : this.#tokensOf(definition);
    const open = tokens.find(({ text, kind }) => text === '{' && kind === 'symbol');
    const close = tokens.findLast(({ text, kind }) => text === '}' && kind === 'symbol');
    if (definition === undefined || open === undefined || close === undefined) {
      throw new UnwritableEdit(`${message} is not written in ${this.#file.path}`);
    }
    const first = tokens[tokens.indexOf(open) + 1]!;
    const isOnOwnLine = this.#text.slice(open.end, first.start).includes('\n') && first !== close;
    return {
      open: open.end,
      close: close.start,
      indent: isOnOwnLine ? indentAt(this.#text, first.start) : `${indentAt(this.#text, definition.extent.start)}  `,
    };
  }

  /** https://protobuf.dev/editions/features/#proto2-proto3-behavior */
  toEdition(): void {
    const tokens = [...tokenize(this.#text).tokens];
    const isProto3 = this.#file.syntax === 'proto3';
    const features = isProto3
      ? ['field_presence = IMPLICIT']
      : [
          'enum_type = CLOSED',
          'repeated_field_encoding = EXPANDED',
          'utf8_validation = NONE',
          'json_format = LEGACY_BEST_EFFORT',
        ];
    const newline = this.#newline();
    const options = features.map((feature) => `${newline}option features.${feature};`).join('');
    const [syntax, , value, end] = tokens;
    if (syntax?.text === 'syntax' && value?.kind === 'string' && end !== undefined) {
      this.#inserted.push({ start: syntax.start, end: syntax.end, text: 'edition' });
      this.#inserted.push({ start: value.start, end: value.end, text: '"2023"' });
      this.#inserted.push({ start: end.end, end: end.end, text: newline + options });
    } else this.#inserted.push({ start: 0, end: 0, text: `edition = "2023";${newline}${options}${newline}${newline}` });
    for (const definition of definitionsIn(this.#symbols, this.#file.path)) {
      if (definition.kind === 'field' || definition.kind === 'extension') this.#convert(definition);
    }
    this.#unquoteReserved(tokens);
    this.isEdition = true;
  }

  #convert({ kind, fullName }: SymbolDefinition): void {
    const parent = this.#registry.messages.get(parentOf(fullName));
    const field =
      kind === 'extension'
        ? this.#registry.extensions.get(fullName)
        : parent?.fields.find((one) => one.fullName === fullName);
    const written = field && this.#written(field);
    if (field === undefined || written === undefined) return;
    if (written.isGroup) {
      const home = kind === 'extension' ? 'an extension' : field.oneof === undefined ? null : 'in a oneof';
      // No message can be declared there.
      if (home !== null) throw new UnwritableEdit(`${fullName} is a group and ${home}, which no edition has`);
      written.setOption('features.message_encoding', 'DELIMITED');
    }
    const label = written.writtenLabel?.text;
    if (label === 'optional' || label === 'required') written.label = '';
    if (label === 'required') written.setOption('features.field_presence', 'LEGACY_REQUIRED');
    const isScalar = field.message === undefined;
    if (label === 'optional' && this.#file.syntax === 'proto3' && isScalar && kind === 'field') {
      written.setOption('features.field_presence', 'EXPLICIT');
    }
    if (written.options.has('packed')) {
      written.dropOption('packed');
      const isUsual = field.packed === (this.#file.syntax === 'proto3');
      if (!isUsual && field.cardinality === 'repeated') {
        written.setOption('features.repeated_field_encoding', field.packed ? 'PACKED' : 'EXPANDED');
      }
    }
  }

  /** Editions write `reserved a` instead of `reserved "a"`. */
  #unquoteReserved(tokens: readonly Token[]): void {
    tokens.forEach((token, at) => {
      if (token.text !== 'reserved' || tokens[at + 1]?.kind !== 'string') return;
      for (let next = at + 1; tokens[next] !== undefined && tokens[next]!.text !== ';'; next++) {
        const name = tokens[next]!;
        if (name.kind === 'string')
          this.#inserted.push({ start: name.start, end: name.end, text: name.text.slice(1, -1) });
      }
    });
  }
}

/** @param message the message that the name is written in: its own types need no more than their names */
function nameOfType({ type, typeName }: Pick<FieldEdit, 'type' | 'typeName'>, message?: string): string {
  if (typeName === undefined) return type!;
  return parentOf(typeName) === message ? typeName.slice(message.length + 1) : `.${typeName}`;
}

/** The bracket that closes the one at `open`. */
function closing(tokens: readonly Token[], open: number): Token {
  let depth = 0;
  for (const token of tokens.slice(open)) {
    if (token.kind !== 'symbol') continue;
    if (token.text === '[') depth++;
    else if (token.text === ']') depth--;
    if (depth === 0) return token;
  }
  throw new UnwritableEdit('Options without an end');
}
