/**
 * Kafka's own message definitions → schemas/kafka/messages.proto and the APIs that the transport knows. The definitions
 * are the JSON files under common/message/ of kafka-clients' jar.
 *
 *   tsx scripts/kafka-layouts.ts FOLDER OLDER_FOLDER
 *
 * A newer library no longer names the fields of versions that it dropped: those come from an older one.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Field {
  readonly name: string;
  readonly type: string;
  readonly versions: string;
  readonly nullableVersions?: string;
  readonly taggedVersions?: string;
  readonly tag?: number | string;
  readonly default?: string | number | boolean;
  readonly fields?: readonly Field[];
}

interface Definition {
  readonly name: string;
  readonly type: string;
  readonly apiKey?: number;
  readonly validVersions: string;
  readonly flexibleVersions?: string;
  readonly fields: readonly Field[];
  readonly commonStructs?: readonly { readonly name: string; readonly fields: readonly Field[] }[];
}

/** The first version, and the first one after the last. */
type Range = readonly [since: number, until: number];

const PROJECT = new URL('..', import.meta.url).pathname;

function rangeOf(text: string | undefined): Range {
  const [, first, dash, last] = /^(\d+)(?:(\+)|-(\d+))?$/.exec(text ?? '') ?? [];
  if (first === undefined) return [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  if (dash === '+') return [Number(first), Number.POSITIVE_INFINITY];
  return [Number(first), Number(last ?? first) + 1];
}

function readDefinitions(folder: string): Map<string, Definition> {
  const found = new Map<string, Definition>();
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const text = readFileSync(join(folder, file), 'utf8').replaceAll(/(^|\s)\/\/.*$/gm, '');
    const definition: Definition = JSON.parse(text);
    const isMessage = definition.type === 'request' || definition.type === 'response';
    if (isMessage && definition.validVersions !== 'none') found.set(definition.name, definition);
  }
  return found;
}

/** Fields of both. A field that only the older one has comes after its neighbour and ends at some version. */
function mergeFields(fields: readonly Field[], older: readonly Field[]): readonly Field[] {
  const merged = fields.map((field) => {
    const before = older.find(({ name }) => name === field.name);
    return field.fields === undefined || before?.fields === undefined
      ? field
      : { ...field, fields: mergeFields(field.fields, before.fields) };
  });
  for (const [index, field] of older.entries()) {
    const isGone = Number.isFinite(rangeOf(field.versions)[1]) && !merged.some(({ name }) => name === field.name);
    if (!isGone) continue;
    const neighbour = older[index - 1]?.name;
    merged.splice(merged.findIndex(({ name }) => name === neighbour) + 1, 0, field);
  }
  return merged;
}

function merge(definition: Definition, older: Definition | undefined): Definition {
  if (older === undefined) return definition;
  const [since] = rangeOf(older.validVersions);
  const last = Math.max(rangeOf(older.validVersions)[1], rangeOf(definition.validVersions)[1]) - 1;
  const commonStructs = (definition.commonStructs ?? []).map((struct) => {
    const before = older.commonStructs?.find(({ name }) => name === struct.name);
    return { ...struct, fields: mergeFields(struct.fields, before?.fields ?? []) };
  });
  const fields = mergeFields(definition.fields, older.fields);
  return { ...definition, validVersions: `${since}-${last}`, fields, commonStructs };
}

const snake = (name: string): string =>
  name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '_').toLowerCase();

/** Proto type and options; those of a number whose usual value is negative are zigzag in protobuf. */
function typeOf({ type, default: usual }: Field): readonly [type: string, options: readonly string[]] {
  const sign = String(usual ?? '').startsWith('-') ? 's' : '';
  switch (type) {
    case 'bool':
      return ['bool', []];
    case 'int8':
      return [`${sign}int32`, ['write = BYTE']];
    case 'int16':
      return [`${sign}int32`, ['write = SHORT']];
    case 'uint16':
      return ['uint32', ['write = SHORT']];
    case 'int32':
      return [`${sign}int32`, []];
    case 'uint32':
      return ['uint32', []];
    case 'int64':
      return [`${sign}int64`, []];
    case 'float64':
      return ['double', []];
    case 'string':
      return ['string', ['write = TEXT', 'write_length = SHORT']];
    case 'bytes':
      return ['bytes', ['write_length = INT']];
    case 'records':
      return ['RecordSet', ['write_length = INT']];
    case 'uuid':
      return ['bytes', ['sized_by = "16"']];
    default:
      return [type, []];
  }
}

const optionsText = (options: readonly string[]): string =>
  options.length === 0
    ? ''
    : ` [${options.map((option) => `(wirecost.native.${option.replace(' =', ') =')}`).join(', ')}]`;

/** The options that say in which versions a field is, of those that its message has. */
function versionOptions([since, until]: Range, [first, end]: Range): readonly string[] {
  return [...(since > first ? [`since = "${since}"`] : []), ...(until < end ? [`until = "${until}"`] : [])];
}

const overlaps = ([since, until]: Range, [first, end]: Range): boolean => since < end && until > first;

class Printer {
  readonly lines: string[] = [];
  /** Versions of the message that is printed, and those that are flexible. */
  #valid: Range = [0, 0];
  #flexible: Range = [0, 0];

  definition({ name, validVersions, flexibleVersions, fields, commonStructs = [] }: Definition): void {
    this.#valid = rangeOf(validVersions);
    this.#flexible = rangeOf(flexibleVersions);
    this.#message(name, fields, '', commonStructs);
  }

  #message(name: string, fields: readonly Field[], indent: string, structs: Definition['commonStructs'] = []): void {
    const { lines } = this;
    const inner = `${indent}  `;
    const isFlexible = overlaps(this.#flexible, this.#valid);
    const written = fields.filter(({ versions }) => overlaps(rangeOf(versions), this.#valid));
    const tagged = written.filter(({ tag }) => tag !== undefined);
    if (indent === '') lines.push('');
    if (written.length === 0 && !isFlexible) {
      lines.push(`${indent}message ${name} {}`);
      return;
    }
    lines.push(`${indent}message ${name} {`);
    for (const { type, fields: own } of written) {
      if (own !== undefined) this.#message(type.replace('[]', ''), own, inner);
    }
    for (const struct of structs) this.#message(struct.name, struct.fields, inner);
    if (isFlexible) lines.push(`${inner}option (wirecost.native.compact_since) = "${this.#flexible[0]}";`);
    let number = 0;
    for (const field of written.filter(({ tag }) => tag === undefined)) this.#field(field, ++number, inner);
    if (isFlexible) this.#tags(tagged, ++number, inner);
    lines.push(`${indent}}`);
  }

  #field(field: Field, number: number, indent: string): void {
    const isList = field.type.startsWith('[]');
    const element = { ...field, type: field.type.replace('[]', '') };
    // The size of an element is not an option of a list.
    const [type, options] = isList && element.type === 'uuid' ? (['Uuid', []] as const) : typeOf(element);
    const isStruct = /^[A-Z]/.test(element.type);
    const isNullable = overlaps(rangeOf(field.nullableVersions), this.#valid) || field.type === 'records';
    const all = [
      ...options,
      ...(isList ? ['count = FIXED'] : []),
      ...(isNullable ? [`absent = ${isStruct && !isList ? 'MINUS_ONE' : 'SENTINEL'}`] : []),
      ...(isStruct && !isList && !isNullable ? ['absent = DEFAULT'] : []),
      ...versionOptions(rangeOf(field.versions), this.#valid),
    ];
    const isMarked = isNullable && !isStruct && !isList && type !== 'RecordSet';
    const label = isList ? 'repeated ' : isMarked ? 'optional ' : '';
    this.lines.push(`${indent}${label}${type} ${snake(field.name)} = ${number}${optionsText(all)};`);
  }

  /** The tagged fields after the fields of a flexible version: their count, then each with its number. */
  #tags(tagged: readonly Field[], number: number, indent: string): void {
    const { lines } = this;
    const options = optionsText(versionOptions(this.#flexible, this.#valid));
    if (tagged.length === 0) {
      lines.push(`${indent}repeated UnknownTag tagged_fields = ${number}${options};`);
      return;
    }
    lines.push(`${indent}message Tag {`);
    const members = tagged.map((field) => {
      if (/^[A-Z]/.test(field.type)) return field.type;
      const name = `${field.name}Tag`;
      lines.push(`${indent}  message ${name} {`);
      lines.push(`${indent}    option (wirecost.native.compact_since) = "${this.#flexible[0]}";`);
      this.#field({ ...field, versions: '0+' }, 1, `${indent}    `);
      lines.push(`${indent}  }`);
      return name;
    });
    lines.push(`${indent}  oneof field {`, `${indent}    option (wirecost.native.chosen_by) = BY_VINT;`);
    for (const [index, type] of members.entries()) {
      const { name, tag } = tagged[index]!;
      const own = optionsText([`type = ${tag}`, 'write_length = VINT']);
      lines.push(`${indent}    ${type} ${snake(name)} = ${index + 1}${own};`);
    }
    const rest = optionsText(['any_type = true', 'native_only = true']);
    lines.push(`${indent}    bytes unknown = ${members.length + 1}${rest};`, `${indent}  }`, `${indent}}`);
    lines.push(`${indent}repeated Tag tagged_fields = ${number}${options};`);
  }
}

const HEAD = `// Kafka: the requests and responses of its protocol, in all versions from Kafka 0.8 to 4.4. Written by
// scripts/kafka-layouts.ts from the definitions that kafka-clients itself is made from.
syntax = "proto3";

package org.apache.kafka;

import "native/options.proto";
import "kafka/records.proto";

// Each API's name is what the transport calls it: its number stands in the header of a request.
service KafkaApis {
`;

function main([folder, older]: readonly string[]): void {
  if (folder === undefined || older === undefined)
    throw new Error('usage: tsx scripts/kafka-layouts.ts FOLDER OLDER_FOLDER');
  const newest = readDefinitions(folder);
  const before = readDefinitions(older);
  const all = new Map([...before, ...[...newest].map(([name, one]) => [name, merge(one, before.get(name))] as const)]);
  const requests = [...all.values()].filter(({ type }) => type === 'request').sort((a, b) => a.apiKey! - b.apiKey!);
  const printer = new Printer();
  const apis: string[] = [];
  const services: string[] = [];
  for (const request of requests) {
    const api = request.name.replace(/Request$/, '');
    services.push(
      `  rpc ${api}(${request.name}) returns (${api}Response) {\n    option (wirecost.native.action) = "${api}";\n  }`,
    );
    printer.definition(request);
    printer.definition(all.get(`${api}Response`)!);
    const [first, end] = rangeOf(request.validVersions);
    const [flexible] = rangeOf(request.flexibleVersions);
    apis[request.apiKey!] = [api, first, end - 1, Number.isFinite(flexible) ? flexible : ''].join(' ').trim();
  }
  const unknown = [
    '',
    'message Uuid {',
    '  bytes value = 1 [(wirecost.native.sized_by) = "16"];',
    '}',
    '',
    '// A tagged field that no version up to Kafka 4.4 has.',
    'message UnknownTag {',
    '  uint32 tag = 1 [(wirecost.native.write) = VINT];',
    '  bytes value = 2 [(wirecost.native.write) = BYTES];',
    '}',
  ];
  const text = `${HEAD}${services.join('\n')}\n}\n${[...printer.lines, ...unknown].join('\n')}\n`;
  writeFileSync(join(PROJECT, 'schemas/kafka/messages.proto'), text);
  const lines = Array.from(apis, (api) => api ?? '').join('\n');
  writeFileSync(
    join(PROJECT, 'src/engine/frame/transport/kafka-apis.ts'),
    `/**
 * Kafka's APIs in the order of their numbers, one a line: name, first and last known version, first flexible version.
 * Written by scripts/kafka-layouts.ts.
 */
export const KAFKA_APIS = \`${lines}\`.split('\\n');
`,
  );
}

main(process.argv.slice(2));
