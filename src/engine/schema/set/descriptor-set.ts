/**
 * A FileDescriptorSet's bytes → the declarations of its files, the same plain data as for text. A set may hold half a
 * million fields, of which a user needs a few. A reader of its own therefore reads only names, and the contents of a
 * message, enum or service are read from its bytes on demand.
 * https://github.com/protocolbuffers/protobuf/blob/main/src/google/protobuf/descriptor.proto
 *
 *   set ─ file ─┬ name, imports, options    read at once
 *               ├ message ─┬ name           read when names are declared (set/outline.ts)
 *               │          ├ field, field…  read when the message is needed (set/declarations.ts)
 *               │          └ message, enum
 *               └ source info               read with the first comment (set/comments.ts)
 *
 * Responses of gRPC reflection have the same form: lists of FileDescriptorProto as bytes in field 1. Buf images have it
 * too, with additional fields.
 */
import {
  type FieldDeclaration,
  type FileDeclaration,
  type ImportDeclaration,
  NOWHERE,
  type RawOption,
} from '../declaration.ts';
import { SetComments, type SetPlace } from './comments.ts';
import { readSetField } from './members.ts';
import { readSetOptions } from './options.ts';
import { SetOutline } from './outline.ts';
import { mutableList, NONE, ProtoReader, readRecords, type Slots } from './proto-reader.ts';

export interface SetFile {
  readonly file: FileDeclaration;
  /** The edition is unknown, so the file is read by the rules of edition 2024. */
  readonly isUnknownEdition: boolean;
  /** Equal for identical copies of a file: its bytes without source positions and comments. */
  readonly identity: () => string;
}

/** Reads file by file. Throws if the bytes are not a set; the caller turns that into a finding. */
export function* readDescriptorSet(bytes: Uint8Array): Generator<SetFile, void> {
  if (isFile(bytes)) {
    yield setFile(new ProtoReader(bytes));
    return;
  }
  const reader = new ProtoReader(bytes);
  let isNamed = false;
  let isOther = false;
  while (reader.next()) {
    if (reader.number === 1 && reader.wireType === 2) {
      const read = setFile(reader.inner());
      isNamed ||= read.file.path.endsWith('.proto');
      yield read;
    } else {
      isOther = true;
      reader.skip();
    }
  }
  // A set has files alone. Any message may begin with a text, as a file does.
  if (isOther && !isNamed) throw new Error('not a set');
}

/** Whether the bytes are a single FileDescriptorProto: its field 1 is a name, while field 1 of a set is a file. */
function isFile(bytes: Uint8Array): boolean {
  if (bytes[0] !== 0x0a) return false;
  try {
    const reader = new ProtoReader(bytes);
    reader.next();
    return /^[\x21-\x7e]+\.proto$/.test(reader.text());
  } catch {
    return false;
  }
}

const setFile = (reader: ProtoReader): SetFile => {
  const { bytes, at, end } = reader;
  const draft = readDraft(reader);
  return {
    file: fileOf(draft),
    isUnknownEdition: draft.syntax === 'editions' && EDITIONS[draft.edition] === undefined,
    identity: () => identityOf(new ProtoReader(bytes, at, end)),
  };
};

function identityOf(reader: ProtoReader): string {
  let hash = 0;
  let length = 0;
  while (reader.next()) {
    const { number, at: start } = reader;
    reader.skip();
    if (number === 9) continue;
    hash = Math.imul(hash, 31) + number;
    for (let at = start; at < reader.at; at++) hash = (Math.imul(hash, 31) + reader.bytes[at]!) | 0;
    length += reader.at - start;
  }
  return `${length}:${hash}`;
}

/** A bundled descriptor, as bytes. @param path replaces the file's own name */
export const readFileBytes = (bytes: Uint8Array, path: string): FileDeclaration =>
  fileOf(readDraft(new ProtoReader(bytes)), path);

interface FileDraft {
  path: string;
  package: string;
  syntax: string;
  edition: number;
  readonly dependencies: string[];
  /** Indices of dependencies. */
  publicly: Set<number> | undefined;
  forOptions: ImportDeclaration[];
  readonly options: RawOption[];
  /** Number of such declarations. */
  messages: number;
  enums: number;
  services: number;
  readonly outline: SetOutline;
  extensions: FieldDeclaration[];
  /** The place of the file's declarations. */
  readonly place: SetPlace;
}

const FILE: Slots<FileDraft> = {
  len: {
    1: (file, reader) => {
      file.path = reader.text();
    },
    2: (file, reader) => {
      file.package = reader.text();
    },
    3: (file, reader) => file.dependencies.push(reader.text()),
    4: (file, reader) => file.outline.add('message', file.messages++, reader.inner()),
    5: (file, reader) => file.outline.add('enum', file.enums++, reader.inner()),
    6: (file, reader) => file.outline.add('service', file.services++, reader.inner()),
    7: (file, reader) => {
      const { comments } = file.place;
      const path = `7.${file.extensions.length}`;
      file.extensions = mutableList(file.extensions);
      file.extensions.push(readSetField(reader.inner(), () => comments.at(path)));
    },
    8: (file, reader) => readSetOptions(reader.inner(), 'FileOptions', file.options),
    9: (file, reader) => file.place.comments.add(reader.inner()),
    10: (file, reader) => {
      file.publicly ??= new Set();
      for (const indices = reader.inner(); indices.at < indices.end; ) file.publicly.add(indices.uint());
    },
    12: (file, reader) => {
      file.syntax = reader.text();
    },
    15: (file, reader) => {
      file.forOptions = mutableList(file.forOptions);
      file.forOptions.push({ path: reader.text(), kind: 'option', span: NOWHERE });
    },
  },
  varint: {
    10: (file, reader) => {
      file.publicly ??= new Set();
      file.publicly.add(reader.uint());
    },
    14: (file, reader) => {
      file.edition = reader.uint();
    },
  },
};

function readDraft(reader: ProtoReader): FileDraft {
  const { bytes } = reader;
  const place = { comments: new SetComments(), path: '' };
  return readRecords<FileDraft>(reader, FILE, {
    path: '',
    package: '',
    syntax: '',
    edition: 0,
    dependencies: [],
    publicly: undefined,
    forOptions: NONE,
    options: [],
    messages: 0,
    enums: 0,
    services: 0,
    extensions: NONE,
    place,
    outline: new SetOutline({ bytes, place }),
  });
}

function fileOf(draft: FileDraft, path?: string): FileDeclaration {
  const { options, extensions, publicly, outline } = draft;
  if (draft.path === '') throw new RangeError('a file without a name');
  const imports = draft.dependencies.map((dependency, index): ImportDeclaration => {
    return { path: dependency, kind: publicly?.has(index) ? 'public' : 'plain', span: NOWHERE };
  });
  return {
    path: path ?? draft.path,
    package: draft.package,
    packageSpan: NOWHERE,
    syntax: syntaxOf(draft),
    syntaxSpan: NOWHERE,
    imports: imports.length === 0 ? draft.forOptions : [...imports, ...draft.forOptions],
    options: options.length === 0 ? NONE : options,
    messages: NONE,
    enums: NONE,
    services: NONE,
    extensions,
    outline,
    lines: undefined,
    isPartial: false,
  };
}

/** google.protobuf.Edition. */
const EDITIONS: Readonly<Record<number, FileDeclaration['syntax']>> = { 1000: '2023', 1001: '2024', 1002: '2026' };

function syntaxOf({ syntax, edition }: FileDraft): FileDeclaration['syntax'] {
  if (syntax === 'proto3') return 'proto3';
  if (syntax !== 'editions') return 'proto2';
  return EDITIONS[edition] ?? '2024';
}
