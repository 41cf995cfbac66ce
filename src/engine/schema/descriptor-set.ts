/**
 * A FileDescriptorSet's bytes into the declarations of its files: the same plain data that text is read into. Read by
 * hand, because a set may hold half a million fields and its runtime objects would only be thrown away.
 * https://github.com/protocolbuffers/protobuf/blob/main/src/google/protobuf/descriptor.proto
 *
 * What gRPC reflection answers, a list of FileDescriptorProto as bytes in field 1, has the same form; so have the images
 * that buf builds, with fields of their own.
 */
import { cleanComment, joinComments } from './comments.ts';
import {
  type EnumDeclaration,
  type EnumValueDeclaration,
  type FieldDeclaration,
  type FileDeclaration,
  type ImportDeclaration,
  type MessageDeclaration,
  type MethodDeclaration,
  NOWHERE,
  type OneofDeclaration,
  type RangeDeclaration,
  type RawOption,
  SCALAR_TYPES,
  type ServiceDeclaration,
  type Syntax,
  type Visibility,
} from './declaration.ts';
import type { OptionsKind } from './link-options.ts';
import { ProtoReader } from './proto-reader.ts';
import { readSetOptions } from './set-options.ts';

export interface SetFile {
  readonly file: FileDeclaration;
  /** By which two copies of a file are told apart: its bytes without source positions and comments. */
  readonly identity: () => string;
}

/** File by file. Throws where the bytes are no set: the caller turns it into a finding. */
export function* readDescriptorSet(bytes: Uint8Array): Generator<SetFile, void> {
  if (isFile(bytes)) {
    yield setFile(new ProtoReader(bytes));
    return;
  }
  const reader = new ProtoReader(bytes);
  while (reader.next()) {
    if (reader.number === 1 && reader.wireType === 2) yield setFile(reader.inner());
    else reader.skip();
  }
}

/** Whether the bytes are one FileDescriptorProto: it begins with a name, where a set has a whole file. */
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
  return { file: readFile(reader), identity: () => identityOf(new ProtoReader(bytes, at, end)) };
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

type CommentAt = (path: string) => string | undefined;

/** A descriptor that ships as bytes. */
export const readFileBytes = (bytes: Uint8Array): FileDeclaration => readFile(new ProtoReader(bytes));

function readFile(reader: ProtoReader): FileDeclaration {
  const draft = {
    path: '',
    package: '',
    packageSpan: NOWHERE,
    syntax: 'proto2' as Syntax,
    imports: [] as ImportDeclaration[],
    options: [] as RawOption[],
    messages: [] as MessageDeclaration[],
    enums: [] as EnumDeclaration[],
    services: [] as ServiceDeclaration[],
    extensions: [] as FieldDeclaration[],
    lines: undefined,
    isPartial: false,
  };
  const dependencies: string[] = [];
  const publicly = new Set<number>();
  let syntax = '';
  let edition = 0;
  const commentAt = commentsOf(reader);
  while (reader.next()) {
    switch (reader.number * 8 + reader.wireType) {
      case 0x0a:
        draft.path = reader.text();
        break;
      case 0x12:
        draft.package = reader.text();
        break;
      case 0x1a:
        dependencies.push(reader.text());
        break;
      case 0x22:
        draft.messages.push(readMessage(reader.inner(), commentAt, `4.${draft.messages.length}`));
        break;
      case 0x2a:
        draft.enums.push(readEnum(reader.inner(), commentAt, `5.${draft.enums.length}`));
        break;
      case 0x32:
        draft.services.push(readService(reader.inner(), commentAt, `6.${draft.services.length}`));
        break;
      case 0x3a:
        draft.extensions.push(readField(reader.inner(), commentAt(`7.${draft.extensions.length}`)).field);
        break;
      case 0x42:
        readSetOptions(reader.inner(), 'FileOptions', draft.options);
        break;
      case 0x50:
        publicly.add(reader.uint());
        break;
      case 0x52:
        for (const indices = reader.inner(); indices.at < indices.end; ) publicly.add(indices.uint());
        break;
      case 0x62:
        syntax = reader.text();
        break;
      case 0x70:
        edition = reader.uint();
        break;
      case 0x7a:
        draft.imports.push({ path: reader.text(), kind: 'option', span: NOWHERE });
        break;
      default:
        reader.skip();
    }
  }
  if (syntax === 'proto3') draft.syntax = 'proto3';
  else if (syntax === 'editions') draft.syntax = edition === 1000 ? '2023' : edition === 1001 ? '2024' : '2026';
  const imports = dependencies.map((path, index): ImportDeclaration => {
    return { path, kind: publicly.has(index) ? 'public' : 'plain', span: NOWHERE };
  });
  return { ...draft, imports: [...imports, ...draft.imports] };
}

const NO_COMMENTS: CommentAt = () => undefined;

/** Comments by the path of what they speak of, `4.0.2.1`; from SourceCodeInfo, which stands behind all declarations. */
function commentsOf({ bytes, at, end }: ProtoReader): CommentAt {
  const comments = new Map<string, string>();
  const reader = new ProtoReader(bytes, at, end);
  while (reader.next()) {
    if (reader.number !== 9 || reader.wireType !== 2) {
      reader.skip();
      continue;
    }
    for (const info = reader.inner(); info.next(); ) {
      if (info.number === 1 && info.wireType === 2) readLocation(info.inner(), comments);
      else info.skip();
    }
  }
  return comments.size === 0 ? NO_COMMENTS : (path) => comments.get(path);
}

function readLocation(reader: ProtoReader, comments: Map<string, string>): void {
  let path: ProtoReader | undefined;
  let leading: string | undefined;
  let trailing: string | undefined;
  while (reader.next()) {
    if (reader.wireType !== 2) reader.skip();
    else if (reader.number === 1) path = reader.inner();
    else if (reader.number === 3) leading = reader.text();
    else if (reader.number === 4) trailing = reader.text();
    else reader.skip();
  }
  if (path === undefined) return;
  const text = joinComments(cleanComment(leading), cleanComment(trailing));
  if (text === undefined) return;
  const steps: number[] = [];
  while (path.at < path.end) steps.push(path.uint());
  comments.set(steps.join('.'), text);
}

const visibilityOf = (visibility: number): Visibility | undefined =>
  visibility === 2 ? 'export' : visibility === 1 ? 'local' : undefined;

interface ReadField {
  readonly field: FieldDeclaration;
  readonly isSynthetic: boolean;
}

function readMessage(reader: ProtoReader, commentAt: CommentAt, path: string): MessageDeclaration {
  let name = '';
  let visibility: Visibility | undefined;
  const fields: ReadField[] = [];
  const oneofs: OneofDeclaration[] = [];
  const messages: MessageDeclaration[] = [];
  const enums: EnumDeclaration[] = [];
  const extensions: FieldDeclaration[] = [];
  const extensionRanges: RangeDeclaration[] = [];
  const reservedRanges: RangeDeclaration[] = [];
  const reservedNames: string[] = [];
  const options: RawOption[] = [];
  while (reader.next()) {
    switch (reader.number * 8 + reader.wireType) {
      case 0x0a:
        name = reader.text();
        break;
      case 0x12:
        fields.push(readField(reader.inner(), commentAt(`${path}.2.${fields.length}`)));
        break;
      case 0x1a:
        messages.push(readMessage(reader.inner(), commentAt, `${path}.3.${messages.length}`));
        break;
      case 0x22:
        enums.push(readEnum(reader.inner(), commentAt, `${path}.4.${enums.length}`));
        break;
      case 0x2a:
        extensionRanges.push(readRange(reader.inner()));
        break;
      case 0x32:
        extensions.push(readField(reader.inner(), commentAt(`${path}.6.${extensions.length}`)).field);
        break;
      case 0x3a:
        readSetOptions(reader.inner(), 'MessageOptions', options);
        break;
      case 0x42:
        oneofs.push(readNamed(reader.inner(), 'OneofOptions', 2, commentAt(`${path}.8.${oneofs.length}`)));
        break;
      case 0x4a:
        reservedRanges.push(readRange(reader.inner()));
        break;
      case 0x52:
        reservedNames.push(reader.text());
        break;
      case 0x58:
        visibility = visibilityOf(reader.uint());
        break;
      default:
        reader.skip();
    }
  }
  // Those made for a proto3 `optional` are not kept: the label says it.
  const synthetic = new Set(fields.filter(({ isSynthetic }) => isSynthetic).map(({ field }) => field.oneof));
  const kept = oneofs.flatMap((_, index) => (synthetic.has(index) ? [] : [index]));
  const isMapEntry = options.some((option) => option.kind === 'text' && option.name[0]?.text === 'map_entry');
  return {
    name,
    span: NOWHERE,
    extent: NOWHERE,
    options: isMapEntry
      ? options.filter((option) => option.kind !== 'text' || option.name[0]?.text !== 'map_entry')
      : options,
    comment: commentAt(path),
    fields:
      kept.length === oneofs.length
        ? fields.map(({ field }) => field)
        : fields.map(({ field }) => {
            const oneof = field.oneof === undefined ? -1 : kept.indexOf(field.oneof);
            return { ...field, oneof: oneof < 0 ? undefined : oneof };
          }),
    oneofs: kept.map((index) => oneofs[index]!),
    messages,
    enums,
    extensions,
    extensionRanges,
    reservedRanges,
    reservedNames,
    isMapEntry,
    visibility,
  };
}

function readRange(reader: ProtoReader): RangeDeclaration {
  let start = 0;
  let end = 0;
  while (reader.next()) {
    if (reader.number === 1 && reader.wireType === 0) start = reader.int();
    else if (reader.number === 2 && reader.wireType === 0) end = reader.int();
    else reader.skip();
  }
  return { start, end, span: NOWHERE };
}

/** What has a name and options: a oneof. */
function readNamed(
  reader: ProtoReader,
  kind: OptionsKind,
  optionsNumber: number,
  comment: string | undefined,
): OneofDeclaration {
  let name = '';
  const options: RawOption[] = [];
  while (reader.next()) {
    if (reader.number === 1 && reader.wireType === 2) name = reader.text();
    else if (reader.number === optionsNumber && reader.wireType === 2) readSetOptions(reader.inner(), kind, options);
    else reader.skip();
  }
  return { name, span: NOWHERE, extent: NOWHERE, options, comment };
}

const NO_OPTIONS: readonly RawOption[] = [];

/** Names of FieldDescriptorProto.Type by number. */
const TYPES =
  ' double float int64 uint64 int32 fixed64 fixed32 bool string group message bytes uint32 enum sfixed32 sfixed64 sint32 sint64'.split(
    ' ',
  );

function readField(reader: ProtoReader, comment: string | undefined): ReadField {
  let name = '';
  let number = 0;
  let label = 0;
  let type = 0;
  let typeName: string | undefined;
  let extendee: string | undefined;
  let defaultValue: string | undefined;
  let jsonName: string | undefined;
  let oneof: number | undefined;
  let isSynthetic = false;
  let options: RawOption[] | undefined;
  while (reader.next()) {
    switch (reader.number * 8 + reader.wireType) {
      case 0x0a:
        name = reader.text();
        break;
      case 0x12:
        extendee = reader.text();
        break;
      case 0x18:
        number = reader.int();
        break;
      case 0x20:
        label = reader.uint();
        break;
      case 0x28:
        type = reader.uint();
        break;
      case 0x32:
        typeName = reader.text();
        break;
      case 0x3a:
        defaultValue = reader.text();
        break;
      case 0x42:
        options ??= [];
        readSetOptions(reader.inner(), 'FieldOptions', options);
        break;
      case 0x48:
        oneof = reader.uint();
        break;
      case 0x52:
        jsonName = reader.text();
        break;
      case 0x88:
        isSynthetic = reader.bool();
        break;
      default:
        reader.skip();
    }
  }
  const known = TYPES[type];
  const isMessage = known === 'message' || known === 'group';
  const field: FieldDeclaration = {
    name,
    span: NOWHERE,
    extent: NOWHERE,
    number,
    numberSpan: NOWHERE,
    label: isSynthetic ? 'optional' : label === 2 ? 'required' : label === 3 ? 'repeated' : undefined,
    type:
      known === 'group'
        ? 'group'
        : typeName === undefined
          ? SCALAR_TYPES.find((scalar) => scalar === known)
          : undefined,
    typeName,
    typeSpan: NOWHERE,
    typeKind: known === 'enum' ? 'enum' : isMessage ? 'message' : undefined,
    isMap: false,
    oneof,
    jsonName,
    defaultValue: defaultValue === undefined ? undefined : { value: defaultValue, span: NOWHERE },
    extendee,
    extendeeSpan: NOWHERE,
    options: options ?? NO_OPTIONS,
    comment,
  };
  return { field, isSynthetic };
}

function readEnum(reader: ProtoReader, commentAt: CommentAt, path: string): EnumDeclaration {
  let name = '';
  let visibility: Visibility | undefined;
  const values: EnumValueDeclaration[] = [];
  const options: RawOption[] = [];
  const reservedRanges: RangeDeclaration[] = [];
  const reservedNames: string[] = [];
  while (reader.next()) {
    switch (reader.number * 8 + reader.wireType) {
      case 0x0a:
        name = reader.text();
        break;
      case 0x12:
        values.push(readEnumValue(reader.inner(), commentAt(`${path}.2.${values.length}`)));
        break;
      case 0x1a:
        readSetOptions(reader.inner(), 'EnumOptions', options);
        break;
      case 0x22:
        reservedRanges.push(readRange(reader.inner()));
        break;
      case 0x2a:
        reservedNames.push(reader.text());
        break;
      case 0x30:
        visibility = visibilityOf(reader.uint());
        break;
      default:
        reader.skip();
    }
  }
  const comment = commentAt(path);
  return { name, span: NOWHERE, extent: NOWHERE, options, comment, values, reservedRanges, reservedNames, visibility };
}

function readEnumValue(reader: ProtoReader, comment: string | undefined): EnumValueDeclaration {
  let name = '';
  let number = 0;
  let options: RawOption[] | undefined;
  while (reader.next()) {
    if (reader.number === 1 && reader.wireType === 2) name = reader.text();
    else if (reader.number === 2 && reader.wireType === 0) number = reader.int();
    else if (reader.number === 3 && reader.wireType === 2) {
      options ??= [];
      readSetOptions(reader.inner(), 'EnumValueOptions', options);
    } else reader.skip();
  }
  return {
    name,
    number,
    span: NOWHERE,
    extent: NOWHERE,
    numberSpan: NOWHERE,
    options: options ?? NO_OPTIONS,
    comment,
  };
}

function readService(reader: ProtoReader, commentAt: CommentAt, path: string): ServiceDeclaration {
  let name = '';
  const methods: MethodDeclaration[] = [];
  const options: RawOption[] = [];
  while (reader.next()) {
    if (reader.wireType !== 2) reader.skip();
    else if (reader.number === 1) name = reader.text();
    else if (reader.number === 2) methods.push(readMethod(reader.inner(), commentAt(`${path}.2.${methods.length}`)));
    else if (reader.number === 3) readSetOptions(reader.inner(), 'ServiceOptions', options);
    else reader.skip();
  }
  return { name, span: NOWHERE, extent: NOWHERE, options, comment: commentAt(path), methods };
}

function readMethod(reader: ProtoReader, comment: string | undefined): MethodDeclaration {
  const draft = { name: '', input: '', output: '', clientStreaming: false, serverStreaming: false };
  const options: RawOption[] = [];
  while (reader.next()) {
    switch (reader.number * 8 + reader.wireType) {
      case 0x0a:
        draft.name = reader.text();
        break;
      case 0x12:
        draft.input = reader.text();
        break;
      case 0x1a:
        draft.output = reader.text();
        break;
      case 0x22:
        readSetOptions(reader.inner(), 'MethodOptions', options);
        break;
      case 0x28:
        draft.clientStreaming = reader.bool();
        break;
      case 0x30:
        draft.serverStreaming = reader.bool();
        break;
      default:
        reader.skip();
    }
  }
  const nowhere = { span: NOWHERE, extent: NOWHERE, inputSpan: NOWHERE, outputSpan: NOWHERE };
  return { ...draft, ...nowhere, options, comment };
}
