/** Applies edits of a schema to its FileDescriptorProtos, in place. */
import { create } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  DescriptorProto_ReservedRangeSchema,
  Edition,
  EnumDescriptorProtoSchema,
  EnumValueDescriptorProtoSchema,
  type FeatureSet,
  FeatureSet_EnumType,
  FeatureSet_FieldPresence,
  FeatureSet_JsonFormat,
  FeatureSet_MessageEncoding,
  FeatureSet_RepeatedFieldEncoding,
  FeatureSet_Utf8Validation,
  FeatureSetSchema,
  type FieldDescriptorProto,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FieldDescriptorProtoSchema,
  FieldOptionsSchema,
  type FileDescriptorProto,
  FileOptionsSchema,
  OneofDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
import { FIELD_TYPES } from './file-of-registry.ts';
import { delimitedIn, type EntryPresence, type FieldEdit, optionsLost, type SchemaEdits } from './schema-edits.ts';

interface FoundMessage {
  readonly file: FileDescriptorProto;
  readonly message: DescriptorProto;
}

export function editFiles(files: readonly FileDescriptorProto[], edits: SchemaEdits): void {
  const messages = new Map<string, FoundMessage>();
  const extensions = new Map<string, { readonly file: FileDescriptorProto; readonly field: FieldDescriptorProto }>();
  const collect = (file: FileDescriptorProto, list: readonly DescriptorProto[], scope: string) => {
    for (const message of list) {
      const fullName = scope === '' ? message.name : `${scope}.${message.name}`;
      messages.set(fullName, { file, message });
      for (const field of message.extension) extensions.set(`${fullName}.${field.name}`, { file, field });
      collect(file, message.nestedType, fullName);
    }
  };
  for (const file of files) {
    collect(file, file.messageType, file.package);
    const prefix = file.package === '' ? '' : `${file.package}.`;
    for (const field of file.extension) extensions.set(prefix + field.name, { file, field });
  }
  for (const name of delimitedIn(edits)) {
    const found = messages.get(name);
    if (found !== undefined) toEdition(found.file);
  }
  for (const edit of edits.fields) {
    const extension = extensions.get(edit.field.slice(1, -1));
    if (edit.field.startsWith('[') && extension !== undefined) editField(extension.field, edit, extension.file);
    const found = messages.get(edit.message);
    const field = found?.message.field.find(({ name }) => name === edit.field);
    if (found !== undefined && field !== undefined) editField(field, edit, found.file, found.message);
  }
  // With the types that other edits set.
  for (const { message: name, field: map, entries } of edits.fields) {
    const found = entries && messages.get(name);
    const field = found?.message.field.find((one) => one.name === map);
    if (found !== undefined && field !== undefined) splitMap(field, entries!, found.file, found.message);
  }
  for (const { message: name, name: field, number, type, typeName, cardinality, packed } of edits.added) {
    const found = messages.get(name);
    if (found === undefined) continue;
    const added = create(FieldDescriptorProtoSchema, {
      name: field,
      number,
      type: FIELD_TYPES[type],
      ...(typeName === undefined ? {} : { typeName: `.${typeName}` }),
      label: cardinality === 'repeated' ? FieldDescriptorProto_Label.REPEATED : FieldDescriptorProto_Label.OPTIONAL,
    });
    found.message.field.push(added);
    if (packed && found.file.syntax !== 'proto3') setPacked(added, true, found.file);
    if (cardinality === 'explicit' && type !== 'message') setPresence(added, 'explicit', found.file, found.message);
  }
  for (const { message, name, constants } of edits.enums) {
    const value = constants.map((constant, number) =>
      create(EnumValueDescriptorProtoSchema, { name: constant, number }),
    );
    messages.get(message)?.message.enumType.push(create(EnumDescriptorProtoSchema, { name, value }));
  }
  for (const { message, number } of edits.reserved) {
    messages
      .get(message)
      ?.message.reservedRange.push(create(DescriptorProto_ReservedRangeSchema, { start: number, end: number + 1 }));
  }
}

function editField(
  field: FieldDescriptorProto,
  edit: FieldEdit,
  file: FileDescriptorProto,
  message?: DescriptorProto,
): void {
  const { type, typeName, number, presence, packed, encoding, isRepeated, oneof, hasDefault } = edit;
  if (type !== undefined) {
    field.type = FIELD_TYPES[type];
    if (typeName === undefined) clear(field, 'typeName');
    else field.typeName = `.${typeName}`;
  }
  for (const option of optionsLost(edit)) dropOption(field, option);
  if (isRepeated) {
    field.label = FieldDescriptorProto_Label.REPEATED;
    if (field.proto3Optional && message !== undefined) removeSynthetic(field, message);
  }
  if (isRepeated === false) {
    field.label = FieldDescriptorProto_Label.OPTIONAL;
    if (field.options !== undefined) clear(field.options, 'packed');
    if (field.options?.features !== undefined) clear(field.options.features, 'repeatedFieldEncoding');
  }
  if (number !== undefined) field.number = number;
  if (hasDefault === false) clear(field, 'defaultValue');
  if (packed !== undefined) setPacked(field, packed, file);
  if (encoding !== undefined) {
    if (file.syntax === 'editions') {
      featuresOf(field).messageEncoding =
        encoding === 'delimited' ? FeatureSet_MessageEncoding.DELIMITED : FeatureSet_MessageEncoding.LENGTH_PREFIXED;
    } else field.type = FieldDescriptorProto_Type.MESSAGE;
  }
  if (oneof !== undefined && message !== undefined) moveOneof(field, oneof, message);
  if (presence !== undefined) setPresence(field, presence, file, message);
}

/** A oneof must have a field, so it is removed with its last field. */
function moveOneof(field: FieldDescriptorProto, name: string | null, message: DescriptorProto): void {
  if (Object.hasOwn(field, 'oneofIndex')) {
    const index = field.oneofIndex;
    clear(field, 'oneofIndex');
    const isLast = !message.field.some((other) => Object.hasOwn(other, 'oneofIndex') && other.oneofIndex === index);
    if (isLast) removeOneof(index, message);
    clear(field, 'proto3Optional');
  }
  if (field.options?.features !== undefined) clear(field.options.features, 'fieldPresence');
  if (name === null) return;
  let index = message.oneofDecl.findIndex((one) => one.name === name);
  if (index < 0) {
    // Synthetic oneofs follow all others.
    const synthetic = message.field.filter(({ proto3Optional }) => proto3Optional).map((one) => one.oneofIndex);
    index = synthetic.length === 0 ? message.oneofDecl.length : Math.min(...synthetic);
    message.oneofDecl.splice(index, 0, create(OneofDescriptorProtoSchema, { name }));
    for (const other of message.field) {
      if (Object.hasOwn(other, 'oneofIndex') && other.oneofIndex >= index) other.oneofIndex++;
    }
  }
  field.oneofIndex = index;
}

/** Turns the entry of a map into an ordinary message. */
function splitMap(
  field: FieldDescriptorProto,
  presence: EntryPresence,
  file: FileDescriptorProto,
  message: DescriptorProto,
): void {
  const entry = message.nestedType.find(({ name }) => field.typeName.endsWith(`.${name}`))!;
  if (entry.options !== undefined) clear(entry.options, 'mapEntry');
  for (const part of entry.field) {
    if (part.type === FieldDescriptorProto_Type.MESSAGE) continue;
    setPresence(part, part.number === 1 ? presence.key : presence.value, file, entry);
  }
}

function setPacked(field: FieldDescriptorProto, packed: boolean, file: FileDescriptorProto): void {
  if (file.syntax !== 'editions') optionsOf(field).packed = packed;
  else {
    const { PACKED, EXPANDED } = FeatureSet_RepeatedFieldEncoding;
    featuresOf(field).repeatedFieldEncoding = packed ? PACKED : EXPANDED;
  }
}

function setPresence(
  field: FieldDescriptorProto,
  presence: 'explicit' | 'implicit',
  file: FileDescriptorProto,
  message: DescriptorProto | undefined,
): void {
  if (file.syntax === 'editions') {
    featuresOf(field).fieldPresence =
      presence === 'explicit' ? FeatureSet_FieldPresence.EXPLICIT : FeatureSet_FieldPresence.IMPLICIT;
    return;
  }
  if (file.syntax !== 'proto3' || message === undefined) return;
  if (presence === 'explicit') {
    if (field.proto3Optional) return;
    field.proto3Optional = true;
    field.oneofIndex = message.oneofDecl.length;
    message.oneofDecl.push(create(OneofDescriptorProtoSchema, { name: `_${field.name}` }));
  } else if (field.proto3Optional) removeSynthetic(field, message);
}

function removeSynthetic(field: FieldDescriptorProto, message: DescriptorProto): void {
  const index = field.oneofIndex;
  clear(field, 'oneofIndex');
  clear(field, 'proto3Optional');
  removeOneof(index, message);
}

function removeOneof(index: number, message: DescriptorProto): void {
  message.oneofDecl.splice(index, 1);
  for (const other of message.field) {
    if (Object.hasOwn(other, 'oneofIndex') && other.oneofIndex > index) other.oneofIndex--;
  }
}

/** @param path as written in a .proto file */
function dropOption({ options }: FieldDescriptorProto, path: string): void {
  const owner = path.startsWith('features.') ? options?.features : options;
  const name = path.replace('features.', '').replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  if (owner !== undefined) clear(owner, name as keyof typeof owner);
}

/** Removes the own property. The prototype has the default. */
const clear = <T extends object>(owner: T, key: keyof T): void => {
  delete owner[key];
};

const optionsOf = (field: FieldDescriptorProto) => {
  field.options ??= create(FieldOptionsSchema);
  return field.options;
};

function featuresOf(field: FieldDescriptorProto): FeatureSet {
  const options = optionsOf(field);
  options.features ??= create(FeatureSetSchema);
  return options.features;
}

/**
 * Converts proto2 and proto3 to edition 2023 with the same meaning.
 * https://protobuf.dev/editions/features/#proto2-proto3-behavior
 */
function toEdition(file: FileDescriptorProto): void {
  if (file.syntax === 'editions') return;
  const isProto3 = file.syntax === 'proto3';
  file.syntax = 'editions';
  file.edition = Edition.EDITION_2023;
  file.options ??= create(FileOptionsSchema);
  file.options.features = create(
    FeatureSetSchema,
    isProto3
      ? { fieldPresence: FeatureSet_FieldPresence.IMPLICIT }
      : {
          enumType: FeatureSet_EnumType.CLOSED,
          repeatedFieldEncoding: FeatureSet_RepeatedFieldEncoding.EXPANDED,
          utf8Validation: FeatureSet_Utf8Validation.NONE,
          jsonFormat: FeatureSet_JsonFormat.LEGACY_BEST_EFFORT,
        },
  );
  const convert = (field: FieldDescriptorProto, message: DescriptorProto | undefined): void => {
    if (field.label === FieldDescriptorProto_Label.REQUIRED) {
      field.label = FieldDescriptorProto_Label.OPTIONAL;
      featuresOf(field).fieldPresence = FeatureSet_FieldPresence.LEGACY_REQUIRED;
    }
    if (field.proto3Optional && message !== undefined) {
      const isMessage = field.type === FieldDescriptorProto_Type.MESSAGE;
      removeSynthetic(field, message);
      if (!isMessage) featuresOf(field).fieldPresence = FeatureSet_FieldPresence.EXPLICIT;
    }
    if (field.type === FieldDescriptorProto_Type.GROUP) {
      field.type = FieldDescriptorProto_Type.MESSAGE;
      featuresOf(field).messageEncoding = FeatureSet_MessageEncoding.DELIMITED;
    }
    const { options } = field;
    if (options !== undefined && Object.hasOwn(options, 'packed')) {
      const isUsual = options.packed === isProto3;
      if (!isUsual) {
        featuresOf(field).repeatedFieldEncoding = options.packed
          ? FeatureSet_RepeatedFieldEncoding.PACKED
          : FeatureSet_RepeatedFieldEncoding.EXPANDED;
      }
      clear(options, 'packed');
    }
  };
  const walk = (message: DescriptorProto): void => {
    for (const field of message.field) convert(field, message);
    for (const field of message.extension) convert(field, undefined);
    for (const nested of message.nestedType) walk(nested);
  };
  for (const message of file.messageType) walk(message);
  for (const field of file.extension) convert(field, undefined);
}
