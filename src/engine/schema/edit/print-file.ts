/** A FileDescriptorProto → the .proto text that compiles to it, without custom options and comments. */
import { type DescEnum, type DescMessage, isFieldSet, type Message } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import {
  type DescriptorProto,
  Edition,
  type EnumDescriptorProto,
  EnumOptionsSchema,
  EnumValueOptionsSchema,
  type FieldDescriptorProto,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FieldOptionsSchema,
  type FileDescriptorProto,
  FileOptionsSchema,
  MessageOptionsSchema,
  MethodOptionsSchema,
  OneofOptionsSchema,
  type ServiceDescriptorProto,
  ServiceOptionsSchema,
} from '@bufbuild/protobuf/wkt';
import { MAX_ENUM_NUMBER, MAX_FIELD_NUMBER } from '../link/rules.ts';
import { jsonNameOf } from '../names.ts';
import { rangeText } from '../range-text.ts';

export function printProto(file: FileDescriptorProto): string {
  return new Printer(file).print();
}

const EDITIONS: Readonly<Record<number, string>> = {
  [Edition.EDITION_2023]: '2023',
  [Edition.EDITION_2024]: '2024',
};

class Printer {
  readonly #file: FileDescriptorProto;
  readonly #lines: string[] = [];

  constructor(file: FileDescriptorProto) {
    this.#file = file;
  }

  print(): string {
    const file = this.#file;
    const isEdition = file.syntax === 'editions';
    this.#line(
      0,
      isEdition ? `edition = "${EDITIONS[file.edition] ?? '2023'}";` : `syntax = "${file.syntax || 'proto2'}";`,
    );
    if (file.package !== '') this.#line(0, '', `package ${file.package};`);
    if (file.dependency.length > 0) this.#line(0, '');
    file.dependency.forEach((path, at) => {
      this.#line(0, `import ${file.publicDependency.includes(at) ? 'public ' : ''}"${path}";`);
    });
    const options = optionsIn(FileOptionsSchema, file.options);
    if (options.length > 0) this.#line(0, '', ...options.map((option) => `option ${option};`));
    for (const named of file.enumType) this.#enum(0, named);
    for (const message of file.messageType) this.#message(0, message);
    this.#extensions(0, file.extension, file.messageType);
    for (const service of file.service) this.#service(service);
    return `${this.#lines.join('\n')}\n`;
  }

  #line(depth: number, ...lines: readonly string[]): void {
    for (const line of lines) this.#lines.push(line === '' ? '' : '  '.repeat(depth) + line);
  }

  #message(depth: number, message: DescriptorProto): void {
    this.#line(0, '');
    this.#line(depth, `message ${message.name} {`);
    this.#body(depth + 1, message);
    this.#line(depth, '}');
  }

  #body(depth: number, message: DescriptorProto): void {
    const options = optionsIn(MessageOptionsSchema, message.options, ['map_entry']);
    this.#line(depth, ...options.map((option) => `option ${option};`));
    const ranges = message.reservedRange.map((range) => rangeText(range, MAX_FIELD_NUMBER));
    if (ranges.length > 0) this.#line(depth, `reserved ${ranges.join(', ')};`);
    const isEdition = this.#file.syntax === 'editions';
    const names = message.reservedName.map((name) => (isEdition ? name : `"${name}"`));
    if (names.length > 0) this.#line(depth, `reserved ${names.join(', ')};`);
    for (const { start, end } of message.extensionRange) {
      this.#line(depth, `extensions ${rangeText({ start, end }, MAX_FIELD_NUMBER)};`);
    }
    const groups = new Set<DescriptorProto>();
    const real = message.oneofDecl.map((_, index) =>
      message.field.some((field) => inOneof(field, index) && !field.proto3Optional),
    );
    const done = new Set<number>();
    for (const field of message.field) {
      const index = Object.hasOwn(field, 'oneofIndex') && real[field.oneofIndex] ? field.oneofIndex : -1;
      if (index < 0) this.#field(depth, field, message.nestedType, groups);
      else if (!done.has(index)) {
        done.add(index);
        const oneof = message.oneofDecl[index]!;
        this.#line(depth, `oneof ${oneof.name} {`);
        this.#line(depth + 1, ...optionsIn(OneofOptionsSchema, oneof.options).map((option) => `option ${option};`));
        for (const member of message.field) {
          if (inOneof(member, index)) this.#field(depth + 1, member, message.nestedType, groups, true);
        }
        this.#line(depth, '}');
      }
    }
    this.#extensions(depth, message.extension, message.nestedType, groups);
    for (const named of message.enumType) this.#enum(depth, named);
    for (const nested of message.nestedType) {
      if (!nested.options?.mapEntry && !groups.has(nested)) this.#message(depth, nested);
    }
  }

  #extensions(
    depth: number,
    fields: readonly FieldDescriptorProto[],
    nested: readonly DescriptorProto[],
    groups = new Set<DescriptorProto>(),
  ): void {
    for (const field of fields) {
      this.#line(depth, `extend ${field.extendee} {`);
      this.#field(depth + 1, field, nested, groups);
      this.#line(depth, '}');
    }
  }

  #field(
    depth: number,
    field: FieldDescriptorProto,
    nested: readonly DescriptorProto[],
    groups: Set<DescriptorProto>,
    isMember = false,
  ): void {
    const inner = nested.find(({ name }) => field.typeName.endsWith(`.${name}`));
    const options = this.#optionsOf(field);
    const tail = ` = ${field.number}${options.length > 0 ? ` [${options.join(', ')}]` : ''}`;
    const label = isMember ? '' : this.#labelOf(field);
    if (field.type === FieldDescriptorProto_Type.GROUP && inner !== undefined && this.#file.syntax !== 'editions') {
      groups.add(inner);
      this.#line(depth, `${label}group ${inner.name}${tail} {`);
      this.#body(depth + 1, inner);
      this.#line(depth, '}');
      return;
    }
    const entry = inner?.options?.mapEntry === true && field.label === FieldDescriptorProto_Label.REPEATED;
    const type = entry
      ? `map<${typeOf(inner.field.find(({ number }) => number === 1)!)}, ${typeOf(inner.field.find(({ number }) => number === 2)!)}>`
      : typeOf(field);
    this.#line(depth, `${entry ? '' : label}${type} ${field.name}${tail};`);
  }

  #labelOf(field: FieldDescriptorProto): string {
    if (field.label === FieldDescriptorProto_Label.REPEATED) return 'repeated ';
    if (this.#file.syntax === 'editions') return '';
    if (field.label === FieldDescriptorProto_Label.REQUIRED) return 'required ';
    if (this.#file.syntax === 'proto3') return field.proto3Optional ? 'optional ' : '';
    return 'optional ';
  }

  #optionsOf(field: FieldDescriptorProto): readonly string[] {
    const options = [...optionsIn(FieldOptionsSchema, field.options)];
    if (Object.hasOwn(field, 'defaultValue')) options.unshift(`default = ${defaultText(field)}`);
    const isOwnName = field.jsonName !== '' && field.jsonName !== jsonNameOf(field.name) && field.extendee === '';
    if (isOwnName) options.push(`json_name = ${JSON.stringify(field.jsonName)}`);
    return options;
  }

  #enum(depth: number, named: EnumDescriptorProto): void {
    this.#line(0, '');
    this.#line(depth, `enum ${named.name} {`);
    this.#line(depth + 1, ...optionsIn(EnumOptionsSchema, named.options).map((option) => `option ${option};`));
    const ranges = named.reservedRange.map(({ start, end }) => rangeText({ start, end: end + 1 }, MAX_ENUM_NUMBER));
    if (ranges.length > 0) this.#line(depth + 1, `reserved ${ranges.join(', ')};`);
    const isEdition = this.#file.syntax === 'editions';
    const names = named.reservedName.map((name) => (isEdition ? name : `"${name}"`));
    if (names.length > 0) this.#line(depth + 1, `reserved ${names.join(', ')};`);
    for (const { name, number, options } of named.value) {
      const list = optionsIn(EnumValueOptionsSchema, options);
      this.#line(depth + 1, `${name} = ${number}${list.length > 0 ? ` [${list.join(', ')}]` : ''};`);
    }
    this.#line(depth, '}');
  }

  #service({ name, method, options }: ServiceDescriptorProto): void {
    this.#line(0, '', `service ${name} {`);
    this.#line(1, ...optionsIn(ServiceOptionsSchema, options).map((option) => `option ${option};`));
    for (const one of method) {
      const input = `${one.clientStreaming ? 'stream ' : ''}${one.inputType}`;
      const output = `${one.serverStreaming ? 'stream ' : ''}${one.outputType}`;
      const list = optionsIn(MethodOptionsSchema, one.options);
      const tail = list.length > 0 ? ` { ${list.map((option) => `option ${option};`).join(' ')} }` : ';';
      this.#line(1, `rpc ${one.name}(${input}) returns (${output})${tail}`);
    }
    this.#line(0, '}');
  }
}

const inOneof = (field: FieldDescriptorProto, index: number): boolean =>
  Object.hasOwn(field, 'oneofIndex') && field.oneofIndex === index;

const typeOf = (field: FieldDescriptorProto): string =>
  field.typeName !== '' ? field.typeName : FieldDescriptorProto_Type[field.type].toLowerCase();

function defaultText({ type, defaultValue }: FieldDescriptorProto): string {
  if (type === FieldDescriptorProto_Type.BYTES) return `"${defaultValue}"`;
  return type === FieldDescriptorProto_Type.STRING ? JSON.stringify(defaultValue) : defaultValue;
}

/** Standard options that are set, as `name = value`; one entry for each feature. */
function optionsIn(
  schema: DescMessage,
  message: Message | undefined,
  without: readonly string[] = [],
): readonly string[] {
  if (message === undefined) return [];
  const view = reflect(schema, message);
  return schema.fields.flatMap((field): string[] => {
    if (!isFieldSet(message, field) || without.includes(field.name)) return [];
    if (field.fieldKind === 'message' && field.name === 'features') {
      return optionsIn(field.message, view.get(field).message).map((option) => `features.${option}`);
    }
    if (field.fieldKind === 'enum') return [`${field.name} = ${enumName(field.enum, view.get(field))}`];
    if (field.fieldKind !== 'scalar') return [];
    const value: unknown = view.get(field);
    return [`${field.name} = ${typeof value === 'string' ? JSON.stringify(value) : String(value)}`];
  });
}

const enumName = (named: DescEnum, number: number): string =>
  named.values.find((value) => value.number === number)?.name ?? String(number);
