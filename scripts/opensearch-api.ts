/**
 * The descriptors of OpenSearch's published protobufs → schemas/opensearch-api/. scripts/opensearch-api/generate.sh
 * writes the set from the jar on Maven Central.
 *
 *   tsx scripts/opensearch-api.ts SET VERSION
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  createFileRegistry,
  type DescEnum,
  type DescField,
  type DescFile,
  type DescMessage,
  type DescService,
  fromBinary,
  ScalarType,
} from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

const FOLDER = join(import.meta.dirname, '../schemas/opensearch-api');

/** The folder of the files of this set. */
const pathOf = (name: string): string => `opensearch-api/${basename(name)}`;

class Printer {
  readonly lines: string[] = [];
  #indent = '';

  print(...lines: readonly string[]): void {
    this.lines.push(...lines.map((line) => (line === '' ? '' : this.#indent + line)));
  }

  block(head: string, body: () => void): void {
    this.print(`${head} {`);
    const outer = this.#indent;
    this.#indent += '  ';
    body();
    this.#indent = outer;
    this.print('}');
  }

  message(message: DescMessage): void {
    this.block(`message ${message.name}`, () => {
      for (const { start, end } of message.proto.reservedRange) {
        this.print(end - start === 1 ? `reserved ${start};` : `reserved ${start} to ${end - 1};`);
      }
      if (message.proto.reservedName.length > 0) {
        this.print(`reserved ${message.proto.reservedName.map((name) => JSON.stringify(name)).join(', ')};`);
      }
      for (const nested of message.nestedMessages) this.message(nested);
      for (const nested of message.nestedEnums) this.enumeration(nested);
      for (const member of message.members) {
        if (member.kind === 'field') this.print(fieldText(member, message));
        else
          this.block(`oneof ${member.name}`, () => {
            for (const field of member.fields) this.print(fieldText(field, message));
          });
      }
    });
  }

  enumeration({ name, values }: DescEnum): void {
    this.block(`enum ${name}`, () => {
      for (const value of values) this.print(`${value.name} = ${value.number}${deprecation(value)};`);
    });
  }

  service({ name, methods }: DescService): void {
    this.block(`service ${name}`, () => {
      for (const { name: method, proto, input, output } of methods) {
        const [up, down] = [proto.clientStreaming ? 'stream ' : '', proto.serverStreaming ? 'stream ' : ''];
        this.print(`rpc ${method}(${up}${input.typeName}) returns (${down}${output.typeName});`);
      }
    });
  }
}

const deprecation = ({ deprecated }: { readonly deprecated: boolean }): string =>
  deprecated ? ' [deprecated = true]' : '';

function fieldText(field: DescField, within: DescMessage): string {
  const label = field.fieldKind === 'list' ? 'repeated ' : field.proto.proto3Optional ? 'optional ' : '';
  const scalar = (type: ScalarType): string => ScalarType[type].toLowerCase();
  const value =
    field.message !== undefined
      ? nameIn(field.message.typeName, within)
      : field.enum !== undefined
        ? nameIn(field.enum.typeName, within)
        : scalar(field.scalar!);
  const type = field.fieldKind === 'map' ? `map<${scalar(field.mapKey)}, ${value}>` : value;
  return `${label}${type} ${field.name} = ${field.number}${deprecation(field)};`;
}

/** Without the package where it is the same. */
function nameIn(typeName: string, { file }: DescMessage): string {
  const own = `${file.proto.package}.`;
  return typeName.startsWith(own) ? typeName.slice(own.length) : typeName;
}

function printFile(file: DescFile, version: string): string {
  const printer = new Printer();
  const imports = file.dependencies.filter(({ proto }) => !proto.name.startsWith('google/protobuf/descriptor'));
  printer.print(
    `// Names, numbers and types of opensearch-protobufs ${version}, written by scripts/opensearch-api.ts.`,
    'syntax = "proto3";',
    '',
    `package ${file.proto.package};`,
    ...(imports.length > 0 ? ['', ...imports.map(({ proto }) => `import "${pathOf(proto.name)}";`)] : []),
  );
  const declare = <T>(all: readonly T[], print: (one: T) => void): void => {
    for (const one of all) {
      printer.print('');
      print(one);
    }
  };
  declare(file.services, (one) => printer.service(one));
  declare(file.messages, (one) => printer.message(one));
  declare(file.enums, (one) => printer.enumeration(one));
  return `${printer.lines.join('\n')}\n`;
}

function main([set, version]: readonly string[]): void {
  if (set === undefined || version === undefined) throw new Error('usage: tsx scripts/opensearch-api.ts SET VERSION');
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(set)));
  mkdirSync(FOLDER, { recursive: true });
  for (const file of registry.files) {
    if (file.proto.package.startsWith('google.')) continue;
    writeFileSync(join(FOLDER, basename(file.proto.name)), printFile(file, version));
  }
}

main(process.argv.slice(2));
