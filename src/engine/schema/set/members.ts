/** The members of messages, enums and services in a descriptor set: fields, oneofs, ranges, values and methods. */
import {
  type Comment,
  type EnumBody,
  type EnumValueDeclaration,
  type ExtensionRangeDeclaration,
  type FieldDeclaration,
  type MessageBody,
  type MethodDeclaration,
  NOWHERE,
  type OneofDeclaration,
  type RangeDeclaration,
  type RawOption,
  SCALAR_TYPES,
  type ServiceBody,
} from '../declaration.ts';
import type { FieldType } from '../descriptor.ts';
import type { Span } from '../text/tokens.ts';
import type { SetPlace } from './comments.ts';
import { readSetOptions } from './options.ts';
import { mutableList, NONE, type ProtoReader, readRecords, readRecordsSafely, type Slots } from './proto-reader.ts';

/** By FieldDescriptorProto.Type. */
const TYPES: readonly (FieldType | undefined)[] = [
  undefined,
  ...SCALAR_TYPES.slice(0, 9),
  'group',
  'message',
  'bytes',
  'uint32',
  'enum',
  ...SCALAR_TYPES.slice(11),
];

type Draft<T extends { readonly options: readonly RawOption[] }> = {
  -readonly [K in keyof Omit<T, 'options'>]: T[K];
} & { options: RawOption[] };

/** A field of a descriptor set. All fields share the same empty spans. */
class SetField implements FieldDeclaration {
  name = '';
  number = 0;
  typeName: string | undefined = undefined;
  extendee: string | undefined = undefined;
  jsonName: string | undefined = undefined;
  oneof: number | undefined = undefined;
  options: RawOption[] = NONE;
  readonly comment: Comment;
  /** FieldDescriptorProto.Label and Type. */
  declaredLabel = 0;
  declaredType = 0;
  defaultText: string | undefined = undefined;
  /** Its oneof was made for a proto3 `optional`. */
  isSynthetic = false;

  constructor(comment: Comment) {
    this.comment = comment;
  }

  get label(): FieldDeclaration['label'] {
    if (this.isSynthetic) return 'optional';
    return this.declaredLabel === 2 ? 'required' : this.declaredLabel === 3 ? 'repeated' : undefined;
  }
  get type(): FieldDeclaration['type'] {
    const type = TYPES[this.declaredType];
    if (type === 'group') return type;
    return this.typeName !== undefined || type === 'enum' || type === 'message' ? undefined : type;
  }
  get typeKind(): FieldDeclaration['typeKind'] {
    const type = TYPES[this.declaredType];
    return type === 'group' ? 'message' : type === 'enum' || type === 'message' ? type : undefined;
  }
  get defaultValue(): FieldDeclaration['defaultValue'] {
    return this.defaultText === undefined ? undefined : { value: this.defaultText, span: NOWHERE };
  }
  get isMap(): boolean {
    return false;
  }
  get span(): Span {
    return NOWHERE;
  }
  get extent(): Span {
    return NOWHERE;
  }
  get numberSpan(): Span {
    return NOWHERE;
  }
  get typeSpan(): Span {
    return NOWHERE;
  }
  get extendeeSpan(): Span {
    return NOWHERE;
  }
}

const FIELD: Slots<SetField> = {
  len: {
    1: (field, reader) => {
      field.name = reader.text();
    },
    2: (field, reader) => {
      field.extendee = reader.text();
    },
    6: (field, reader) => {
      field.typeName = reader.text();
    },
    7: (field, reader) => {
      field.defaultText = reader.text();
    },
    8: (field, reader) => {
      field.options = mutableList(field.options);
      readSetOptions(reader.inner(), 'FieldOptions', field.options);
    },
    10: (field, reader) => {
      field.jsonName = reader.text();
    },
  },
  varint: {
    3: (field, reader) => {
      field.number = reader.int();
    },
    4: (field, reader) => {
      field.declaredLabel = reader.uint();
    },
    5: (field, reader) => {
      field.declaredType = reader.uint();
    },
    9: (field, reader) => {
      field.oneof = reader.uint();
    },
    17: (field, reader) => {
      field.isSynthetic = reader.bool();
    },
  },
};

export const readSetField = (reader: ProtoReader, comment: Comment): FieldDeclaration =>
  readRecords(reader, FIELD, new SetField(comment));

const RANGE: Slots<{ start: number; end: number }> = {
  varint: {
    1: (range, reader) => {
      range.start = reader.int();
    },
    2: (range, reader) => {
      range.end = reader.int();
    },
  },
};

const readRange = (reader: ProtoReader): RangeDeclaration =>
  readRecords(reader, RANGE, { start: 0, end: 0, span: NOWHERE });

const EXTENSION_RANGE: Slots<Draft<ExtensionRangeDeclaration>> = {
  ...RANGE,
  len: {
    3: (range, reader) => {
      range.options = mutableList(range.options);
      readSetOptions(reader.inner(), 'ExtensionRangeOptions', range.options);
    },
  },
};

interface Place {
  readonly place: SetPlace;
}

const commentOf = ({ place }: Place, number: number, index: number): Comment =>
  place.comments.isEmpty ? undefined : () => place.comments.at(`${place.path}.${number}.${index}`);

interface MessageDraft extends Place {
  readonly fields: SetField[];
  readonly oneofs: OneofDeclaration[];
  readonly extensionRanges: ExtensionRangeDeclaration[];
  readonly reservedRanges: RangeDeclaration[];
  readonly reservedNames: string[];
}

const MESSAGE: Slots<MessageDraft> = {
  len: {
    2: (message, reader) =>
      message.fields.push(
        readRecords(reader.inner(), FIELD, new SetField(commentOf(message, 2, message.fields.length))),
      ),
    5: (message, reader) => {
      const range: Draft<ExtensionRangeDeclaration> = { start: 0, end: 0, span: NOWHERE, options: NONE };
      message.extensionRanges.push(readRecords(reader.inner(), EXTENSION_RANGE, range));
    },
    8: (message, reader) =>
      message.oneofs.push(readRecords(reader.inner(), ONEOF, named(commentOf(message, 8, message.oneofs.length)))),
    9: (message, reader) => message.reservedRanges.push(readRange(reader.inner())),
    10: (message, reader) => message.reservedNames.push(reader.text()),
  },
};

const named = (comment: Comment) => ({
  name: '',
  span: NOWHERE,
  extent: NOWHERE,
  options: NONE as RawOption[],
  comment,
});

const ONEOF: Slots<Draft<OneofDeclaration>> = {
  len: {
    1: (oneof, reader) => {
      oneof.name = reader.text();
    },
    2: (oneof, reader) => {
      oneof.options = mutableList(oneof.options);
      readSetOptions(reader.inner(), 'OneofOptions', oneof.options);
    },
  },
};

export function readMessageBody(reader: ProtoReader, place: SetPlace): MessageBody {
  const draft: MessageDraft = {
    place,
    fields: [],
    oneofs: [],
    extensionRanges: [],
    reservedRanges: [],
    reservedNames: [],
  };
  const isDamaged = !readRecordsSafely(reader, MESSAGE, draft);
  const { fields, oneofs, extensionRanges, reservedRanges, reservedNames } = draft;
  return { ...withoutSynthetic(fields, oneofs), extensionRanges, reservedRanges, reservedNames, isDamaged };
}

/** Removes oneofs that were made for a proto3 `optional`, because the label expresses them. */
function withoutSynthetic(
  fields: readonly SetField[],
  oneofs: readonly OneofDeclaration[],
): Pick<MessageBody, 'fields' | 'oneofs'> {
  if (!fields.some(({ isSynthetic }) => isSynthetic)) return { fields, oneofs };
  const synthetic = new Set(fields.filter(({ isSynthetic }) => isSynthetic).map(({ oneof }) => oneof));
  const kept = oneofs.flatMap((_, index) => (synthetic.has(index) ? [] : [index]));
  for (const field of fields) {
    const oneof = field.oneof === undefined ? -1 : kept.indexOf(field.oneof);
    field.oneof = oneof < 0 ? undefined : oneof;
  }
  return { fields, oneofs: kept.map((index) => oneofs[index]!) };
}

interface EnumDraft extends Place {
  readonly values: EnumValueDeclaration[];
  readonly reservedRanges: RangeDeclaration[];
  readonly reservedNames: string[];
}

const VALUE: Slots<Draft<EnumValueDeclaration>> = {
  len: {
    1: (value, reader) => {
      value.name = reader.text();
    },
    3: (value, reader) => {
      value.options = mutableList(value.options);
      readSetOptions(reader.inner(), 'EnumValueOptions', value.options);
    },
  },
  varint: {
    2: (value, reader) => {
      value.number = reader.int();
    },
  },
};

const ENUM: Slots<EnumDraft> = {
  len: {
    2: (declaration, reader) => {
      const comment = commentOf(declaration, 2, declaration.values.length);
      declaration.values.push(
        readRecords(reader.inner(), VALUE, { ...named(comment), number: 0, numberSpan: NOWHERE }),
      );
    },
    4: (declaration, reader) => declaration.reservedRanges.push(readRange(reader.inner())),
    5: (declaration, reader) => declaration.reservedNames.push(reader.text()),
  },
};

export function readEnumBody(reader: ProtoReader, place: SetPlace): EnumBody {
  const draft: EnumDraft = { place, values: [], reservedRanges: [], reservedNames: [] };
  const isDamaged = !readRecordsSafely(reader, ENUM, draft);
  const { values, reservedRanges, reservedNames } = draft;
  return { values, reservedRanges, reservedNames, isDamaged };
}

const METHOD: Slots<Draft<MethodDeclaration>> = {
  len: {
    1: (method, reader) => {
      method.name = reader.text();
    },
    2: (method, reader) => {
      method.input = reader.text();
    },
    3: (method, reader) => {
      method.output = reader.text();
    },
    4: (method, reader) => {
      method.options = mutableList(method.options);
      readSetOptions(reader.inner(), 'MethodOptions', method.options);
    },
  },
  varint: {
    5: (method, reader) => {
      method.clientStreaming = reader.bool();
    },
    6: (method, reader) => {
      method.serverStreaming = reader.bool();
    },
  },
};

interface ServiceDraft extends Place {
  readonly methods: MethodDeclaration[];
}

const SERVICE: Slots<ServiceDraft> = {
  len: {
    2: (service, reader) => {
      const draft: Draft<MethodDeclaration> = {
        ...named(commentOf(service, 2, service.methods.length)),
        input: '',
        inputSpan: NOWHERE,
        output: '',
        outputSpan: NOWHERE,
        clientStreaming: false,
        serverStreaming: false,
      };
      service.methods.push(readRecords(reader.inner(), METHOD, draft));
    },
  },
};

export function readServiceBody(reader: ProtoReader, place: SetPlace): ServiceBody {
  const draft: ServiceDraft = { place, methods: [] };
  const isDamaged = !readRecordsSafely(reader, SERVICE, draft);
  return { methods: draft.methods, isDamaged };
}
