/**
 * The type names in a file of a descriptor set, read from its bytes; the contents of types are skipped. Sixty thousand
 * names take a tenth of a second. Only the names and the places of the outermost declarations are kept.
 */
import type {
  EnumDeclaration,
  MessageDeclaration,
  Outline,
  ServiceDeclaration,
  TypeVisitor,
  WaitingDeclaration,
} from '../declaration.ts';
import type { SetPlace } from './comments.ts';
import { SetEnum, SetMessage, SetService } from './declarations.ts';
import { isReadable, ProtoReader, readRecords, type Slots } from './proto-reader.ts';

export class OutlinedDeclaration implements WaitingDeclaration {
  readonly kind: 'message' | 'enum' | 'service';
  readonly #file: OutlinedFile;
  readonly #index: number;
  readonly #start: number;
  readonly #end: number;

  constructor(kind: WaitingDeclaration['kind'], file: OutlinedFile, index: number, { at, end }: ProtoReader) {
    this.kind = kind;
    this.#file = file;
    this.#index = index;
    this.#start = at;
    this.#end = end;
  }

  get reader(): ProtoReader {
    return new ProtoReader(this.#file.bytes, this.#start, this.#end);
  }

  readMessage(): MessageDeclaration {
    return new SetMessage(this.reader, this.#file.place, 4, this.#index);
  }

  readEnum(): EnumDeclaration {
    return new SetEnum(this.reader, this.#file.place, 5, this.#index);
  }

  readService(): ServiceDeclaration {
    return new SetService(this.reader, this.#file.place, 6, this.#index);
  }
}

interface OutlinedFile {
  readonly bytes: Uint8Array;
  /** The place of the file's declarations. */
  readonly place: SetPlace;
}

export class SetOutline implements Outline {
  readonly isSound = false;
  readonly #waiting: OutlinedDeclaration[] = [];
  readonly #file: OutlinedFile;

  constructor(file: OutlinedFile) {
    this.#file = file;
  }

  add(kind: WaitingDeclaration['kind'], index: number, bytes: ProtoReader): void {
    this.#waiting.push(new OutlinedDeclaration(kind, this.#file, index, bytes));
  }

  visit(packageName: string, visitor: TypeVisitor): boolean {
    const prefix = packageName === '' ? '' : `${packageName}.`;
    let isSound = true;
    for (const waiting of this.#waiting) {
      const { reader, kind } = waiting;
      if (!isReadable(() => visitType(reader, kind, prefix, waiting, visitor, 0))) isSound = false;
    }
    return isSound;
  }
}

/** Deeper messages are ignored, because runtimes cannot read them and every named type has to be readable later. */
const MAX_NESTING = 100;

class TypeNames {
  name = '';
  messages: ProtoReader[] | undefined;
  enums: ProtoReader[] | undefined;
  hasExtensions = false;
}

const MESSAGE: Slots<TypeNames> = {
  len: {
    1: (names, reader) => {
      names.name = reader.text();
    },
    3: (names, reader) => {
      names.messages ??= [];
      names.messages.push(reader.inner());
    },
    4: (names, reader) => {
      names.enums ??= [];
      names.enums.push(reader.inner());
    },
    6: (names, reader) => {
      names.hasExtensions = true;
      reader.skip();
    },
  },
};

const OTHER: Slots<TypeNames> = { len: { 1: MESSAGE.len![1]! } };

function visitType(
  reader: ProtoReader,
  kind: WaitingDeclaration['kind'],
  prefix: string,
  outermost: WaitingDeclaration,
  visitor: TypeVisitor,
  depth: number,
): void {
  if (depth > MAX_NESTING) throw new RangeError('nested too deep');
  const names = readRecords(reader, kind === 'message' ? MESSAGE : OTHER, new TypeNames());
  const fullName = prefix + names.name;
  if (!visitor.name(fullName, kind, outermost)) return;
  if (names.hasExtensions) visitor.extensions(outermost);
  if (names.messages === undefined && names.enums === undefined) return;
  const inside = `${fullName}.`;
  for (const message of names.messages ?? []) visitType(message, 'message', inside, outermost, visitor, depth + 1);
  for (const enumeration of names.enums ?? []) visitType(enumeration, 'enum', inside, outermost, visitor, depth + 1);
}
