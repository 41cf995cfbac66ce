/**
 * The declarations of a text. They drop their members when these are linked, because both together take too much
 * memory. They are classes, because closures and the shapes of spreads take more than the declarations.
 */
import {
  type EnumBody,
  type EnumDeclaration,
  type FieldDeclaration,
  type MessageBody,
  type MessageDeclaration,
  NOWHERE,
  type RawOption,
  SCALAR_TYPES,
} from '../declaration.ts';
import type { Span } from './tokens.ts';

/** Shared by the many declarations that have none of something. */
export const NONE: readonly never[] = [];

const EMPTY_BODY: MessageBody = {
  fields: NONE,
  oneofs: NONE,
  extensionRanges: NONE,
  reservedRanges: NONE,
  reservedNames: NONE,
  isDamaged: false,
};

/** The block of a message. */
export interface MessageBlock {
  readonly messages: readonly MessageDeclaration[];
  readonly enums: readonly EnumDeclaration[];
  readonly extensions: readonly FieldDeclaration[];
  readonly options: readonly RawOption[];
  readonly body: MessageBody;
}

const EMPTY_BLOCK: MessageBlock = {
  messages: NONE,
  enums: NONE,
  extensions: NONE,
  options: NONE,
  body: EMPTY_BODY,
};

type MessageHead = Pick<MessageDeclaration, 'name' | 'span' | 'visibility'>;

const NO_HEAD: MessageHead = { name: '', span: NOWHERE, visibility: undefined };

export class TextMessage implements MessageDeclaration {
  readonly name: string;
  readonly visibility: MessageDeclaration['visibility'];
  readonly messages: readonly MessageDeclaration[];
  readonly enums: readonly EnumDeclaration[];
  readonly extensions: readonly FieldDeclaration[];
  readonly options: readonly RawOption[];
  readonly comment: string | undefined;
  readonly #span: Span;
  readonly #start: number;
  readonly #end: number;
  readonly #body: MessageBody;

  constructor(head: MessageHead, block: MessageBlock, { start, end }: Span, comment: string | undefined) {
    this.name = head.name;
    this.visibility = head.visibility;
    this.messages = block.messages;
    this.enums = block.enums;
    this.extensions = block.extensions;
    this.options = block.options;
    this.comment = comment;
    this.#span = head.span;
    this.#start = start;
    this.#end = end;
    this.#body = block.body;
  }

  get isMapEntry(): boolean {
    return false;
  }
  get span(): Span {
    return this.#span;
  }
  get extent(): Span {
    return { start: this.#start, end: this.#end };
  }

  body(): MessageBody {
    return this.#body;
  }

  withoutMembers(): MessageDeclaration {
    const { extensionRanges } = this.#body;
    if (this.options.length === 0 && this.comment === undefined && extensionRanges.length === 0) return EMPTY_MESSAGE;
    const block = { ...EMPTY_BLOCK, options: this.options, body: { ...EMPTY_BODY, extensionRanges } };
    return new TextMessage(NO_HEAD, block, NOWHERE, this.comment);
  }
}

const EMPTY_MESSAGE = new TextMessage(NO_HEAD, EMPTY_BLOCK, NOWHERE, undefined);

const NO_VALUES: EnumBody = { values: NONE, reservedRanges: NONE, reservedNames: NONE, isDamaged: false };

export class TextEnum implements EnumDeclaration {
  readonly name: string;
  readonly visibility: EnumDeclaration['visibility'];
  readonly span: Span;
  readonly extent: Span;
  readonly options: readonly RawOption[];
  readonly comment: string | undefined;
  readonly #body: EnumBody;

  constructor(
    head: Pick<EnumDeclaration, 'name' | 'span' | 'visibility'>,
    extent: Span,
    options: readonly RawOption[],
    comment: string | undefined,
    body: EnumBody,
  ) {
    this.name = head.name;
    this.visibility = head.visibility;
    this.span = head.span;
    this.extent = extent;
    this.options = options;
    this.comment = comment;
    this.#body = body;
  }

  body(): EnumBody {
    return this.#body;
  }

  withoutMembers(): EnumDeclaration {
    if (this.options.length === 0 && this.comment === undefined) return EMPTY_ENUM;
    return new TextEnum(EMPTY_ENUM, NOWHERE, this.options, this.comment, NO_VALUES);
  }
}

const EMPTY_ENUM = new TextEnum(NO_HEAD, NOWHERE, NONE, undefined, NO_VALUES);

/** A field, with its spans as numbers. */
export class TextField implements FieldDeclaration {
  readonly name: string;
  readonly number: number;
  readonly label: FieldDeclaration['label'];
  readonly type: FieldDeclaration['type'];
  readonly typeName: string | undefined;
  readonly typeKind: FieldDeclaration['typeKind'];
  readonly isMap: boolean;
  readonly oneof: number | undefined;
  readonly options: readonly RawOption[];
  readonly comment: string | undefined;
  readonly jsonName: string | undefined;
  readonly defaultValue: FieldDeclaration['defaultValue'];
  readonly extendee: string | undefined;
  readonly extendeeSpan: Span;
  readonly #start: number;
  readonly #end: number;
  readonly #nameStart: number;
  readonly #nameEnd: number;
  readonly #numberStart: number;
  readonly #numberEnd: number;
  readonly #typeStart: number;
  readonly #typeEnd: number;

  constructor(declared: FieldDeclaration & { readonly comment: string | undefined }) {
    this.name = declared.name;
    this.number = declared.number;
    this.label = declared.label;
    this.type = declared.type;
    this.typeName = declared.typeName;
    this.typeKind = declared.typeKind;
    this.isMap = declared.isMap;
    this.oneof = declared.oneof;
    this.options = declared.options;
    this.comment = declared.comment;
    this.jsonName = declared.jsonName;
    this.defaultValue = declared.defaultValue;
    this.extendee = declared.extendee;
    this.extendeeSpan = declared.extendeeSpan;
    this.#start = declared.extent.start;
    this.#end = declared.extent.end;
    this.#nameStart = declared.span.start;
    this.#nameEnd = declared.span.end;
    this.#numberStart = declared.numberSpan.start;
    this.#numberEnd = declared.numberSpan.end;
    this.#typeStart = declared.typeSpan.start;
    this.#typeEnd = declared.typeSpan.end;
  }

  get span(): Span {
    return { start: this.#nameStart, end: this.#nameEnd };
  }
  get extent(): Span {
    return { start: this.#start, end: this.#end };
  }
  get numberSpan(): Span {
    return { start: this.#numberStart, end: this.#numberEnd };
  }
  get typeSpan(): Span {
    return { start: this.#typeStart, end: this.#typeEnd };
  }
}

/** A type in `map<Key, Value>`. */
interface MapPart {
  readonly type: string;
  readonly span: Span;
}

/**
 * The entry message of a map field: `key = 1`, `value = 2`. Its members are made each time that they are asked for.
 * They inherit the features of the field.
 */
export class MapEntry implements MessageDeclaration {
  readonly name: string;
  readonly #field: Span;
  readonly #key: MapPart;
  readonly #value: MapPart;
  readonly #features: readonly RawOption[];

  constructor(name: string, field: Span, key: MapPart, value: MapPart, fieldOptions: readonly RawOption[]) {
    this.name = name;
    this.#field = field;
    this.#key = key;
    this.#value = value;
    const features = fieldOptions.filter((option) => option.kind === 'text' && option.name[0]?.text === 'features');
    this.#features = features.length === 0 ? NONE : features;
  }

  get span(): Span {
    return this.#field;
  }
  get extent(): Span {
    return this.#field;
  }
  get isMapEntry(): boolean {
    return true;
  }
  get visibility(): undefined {
    return undefined;
  }
  get comment(): undefined {
    return undefined;
  }
  get options(): readonly RawOption[] {
    return NONE;
  }
  get messages(): readonly MessageDeclaration[] {
    return NONE;
  }
  get enums(): readonly EnumDeclaration[] {
    return NONE;
  }
  get extensions(): readonly FieldDeclaration[] {
    return NONE;
  }

  body(): MessageBody {
    return { ...EMPTY_BODY, fields: [this.#member('key', 1, this.#key), this.#member('value', 2, this.#value)] };
  }

  #member(name: string, number: number, { type, span }: MapPart): FieldDeclaration {
    const scalar = SCALAR_TYPES.find((known) => known === type);
    return {
      name,
      number,
      span: this.#field,
      extent: this.#field,
      numberSpan: this.#field,
      typeSpan: span,
      label: undefined,
      type: scalar,
      typeName: scalar === undefined ? type : undefined,
      typeKind: undefined,
      isMap: false,
      options: this.#features,
      comment: undefined,
      oneof: undefined,
      jsonName: undefined,
      defaultValue: undefined,
      extendee: undefined,
      extendeeSpan: NOWHERE,
    };
  }
}
