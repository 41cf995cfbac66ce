/**
 * The messages, enums and services of a descriptor set: their names, nested declarations, and the place of their bytes.
 * Everything else is read from the bytes on demand.
 */
import {
  type EnumBody,
  type EnumDeclaration,
  type FieldDeclaration,
  type MessageBody,
  type MessageDeclaration,
  NOWHERE,
  type RawOption,
  type ServiceBody,
  type ServiceDeclaration,
  type Visibility,
} from '../declaration.ts';
import type { OptionsKind } from '../options/raw-options.ts';
import type { SetComments, SetPlace } from './comments.ts';
import { readEnumBody, readMessageBody, readServiceBody, readSetField } from './members.ts';
import { readSetOptions } from './options.ts';
import { isReadable, mutableList, NONE, ProtoReader, readRecordsSafely, type Slots } from './proto-reader.ts';

class SetDeclaration implements SetPlace {
  name = '';
  readonly span = NOWHERE;
  readonly extent = NOWHERE;
  readonly #bytes: Uint8Array;
  readonly #start: number;
  readonly #end: number;
  readonly #parent: SetPlace;
  /** Field number of the list that contains it, and its index in the list. */
  readonly #number: number;
  readonly #index: number;
  readonly #kind: OptionsKind;
  options: RawOption[] = NONE;
  /** The fields before the damage were read, and the later ones that a length separates from it. */
  isDamaged = false;
  #visibility = 0;

  constructor(reader: ProtoReader, parent: SetPlace, number: number, index: number, kind: OptionsKind) {
    this.#bytes = reader.bytes;
    this.#start = reader.at;
    this.#end = reader.end;
    this.#parent = parent;
    this.#number = number;
    this.#index = index;
    this.#kind = kind;
  }

  get comments(): SetComments {
    return this.#parent.comments;
  }

  get path(): string {
    const { path } = this.#parent;
    return `${path === '' ? '' : `${path}.`}${this.#number}.${this.#index}`;
  }

  /** A reader that begins at its first byte. */
  reader(): ProtoReader {
    return new ProtoReader(this.#bytes, this.#start, this.#end);
  }

  addOptions(reader: ProtoReader): void {
    const options = mutableList(this.options);
    this.options = options;
    if (!isReadable(() => readSetOptions(reader, this.#kind, options))) this.isDamaged = true;
  }

  get comment(): () => string | undefined {
    return () => this.comments.at(this.path);
  }

  get visibility(): Visibility | undefined {
    return this.#visibility === 2 ? 'export' : this.#visibility === 1 ? 'local' : undefined;
  }

  setVisibility(visibility: number): void {
    this.#visibility = visibility;
  }
}

/** If the records of a declaration are damaged, so is its body. */
const bodyOf = <Body extends { readonly isDamaged: boolean }>(body: Body, isDamaged: boolean): Body =>
  isDamaged ? { ...body, isDamaged } : body;

const readName = (declaration: SetDeclaration, reader: ProtoReader): void => {
  declaration.name = reader.text();
};

const MESSAGE: Slots<SetMessage> = {
  len: {
    1: readName,
    3: (message, reader) => {
      message.messages = mutableList(message.messages);
      message.messages.push(new SetMessage(reader.inner(), message, 3, message.messages.length));
    },
    4: (message, reader) => {
      message.enums = mutableList(message.enums);
      message.enums.push(new SetEnum(reader.inner(), message, 4, message.enums.length));
    },
    6: (message, reader) => {
      message.extensions = mutableList(message.extensions);
      const index = message.extensions.length;
      const comment = () => message.comments.at(`${message.path}.6.${index}`);
      const extension = reader.inner();
      if (!isReadable(() => message.extensions.push(readSetField(extension, comment)))) message.isDamaged = true;
    },
    7: (message, reader) => {
      const options = reader.inner();
      readRecordsSafely(new ProtoReader(options.bytes, options.at, options.end), MAP_ENTRY, message);
      message.addOptions(options);
    },
  },
  varint: {
    11: (message, reader) => message.setVisibility(reader.uint()),
  },
};

/** MessageOptions.map_entry. */
const MAP_ENTRY: Slots<SetMessage> = {
  varint: {
    7: (message, reader) => {
      message.isMapEntry = reader.bool();
    },
  },
};

export class SetMessage extends SetDeclaration implements MessageDeclaration {
  isMapEntry = false;
  messages: MessageDeclaration[] = NONE;
  enums: EnumDeclaration[] = NONE;
  extensions: FieldDeclaration[] = NONE;

  constructor(reader: ProtoReader, parent: SetPlace, number: number, index: number) {
    super(reader, parent, number, index, 'MessageOptions');
    if (!readRecordsSafely(reader, MESSAGE, this)) this.isDamaged = true;
  }

  body(): MessageBody {
    return bodyOf(readMessageBody(this.reader(), this), this.isDamaged);
  }
}

const ENUM: Slots<SetEnum> = {
  len: {
    1: readName,
    3: (declaration, reader) => declaration.addOptions(reader.inner()),
  },
  varint: {
    6: (declaration, reader) => declaration.setVisibility(reader.uint()),
  },
};

export class SetEnum extends SetDeclaration implements EnumDeclaration {
  constructor(reader: ProtoReader, parent: SetPlace, number: number, index: number) {
    super(reader, parent, number, index, 'EnumOptions');
    if (!readRecordsSafely(reader, ENUM, this)) this.isDamaged = true;
  }

  body(): EnumBody {
    return bodyOf(readEnumBody(this.reader(), this), this.isDamaged);
  }
}

const SERVICE: Slots<SetService> = {
  len: {
    1: readName,
    3: (declaration, reader) => declaration.addOptions(reader.inner()),
  },
};

export class SetService extends SetDeclaration implements ServiceDeclaration {
  constructor(reader: ProtoReader, parent: SetPlace, number: number, index: number) {
    super(reader, parent, number, index, 'ServiceOptions');
    if (!readRecordsSafely(reader, SERVICE, this)) this.isDamaged = true;
  }

  body(): ServiceBody {
    return bodyOf(readServiceBody(this.reader(), this), this.isDamaged);
  }
}
