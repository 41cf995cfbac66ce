/**
 * Options to values, by the type that google.protobuf.FieldOptions and its like, or an extension of them, give each.
 * Custom ones are kept under the full name of their extension, from text and from a descriptor set in the same form:
 * 64-bit integers as bigint, enum values by name, messages as objects by field name, repeated ones as lists.
 */
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import type { FileDeclaration, NamePart, RawOption, RawValue } from './declaration.ts';
import type { FieldDescriptor, MessageDescriptor } from './descriptor.ts';
import { laterFeatures, misplacedFeatures } from './features.ts';
import type { ImportGraph } from './imports.ts';
import { integerOf, numberOf } from './literal.ts';
import type { Report } from './report.ts';
import type { SchemaSymbol, Scope } from './scope.ts';
import type { SchemaSymbols } from './symbols.ts';
import type { Span } from './tokens.ts';

export const OPTIONS_KINDS = [
  'FileOptions',
  'MessageOptions',
  'FieldOptions',
  'OneofOptions',
  'EnumOptions',
  'EnumValueOptions',
  'ServiceOptions',
  'MethodOptions',
] as const;
export type OptionsKind = (typeof OPTIONS_KINDS)[number];

/** Frozen and without a prototype: `constructor` is no option. */
export const NO_OPTIONS: Readonly<Record<string, unknown>> = Object.freeze(Object.create(null));

export type OptionsReader = (
  kind: OptionsKind,
  raw: readonly RawOption[],
  file: FileDeclaration,
  fullName: string,
) => Readonly<Record<string, unknown>>;

/** A plain option that is true or false, where it is given. */
export function flagOf(options: readonly RawOption[], name: string): boolean | undefined {
  for (const option of options) {
    if (option.kind !== 'text' || option.name.length !== 1 || option.value.kind !== 'identifier') continue;
    const [only] = option.name;
    if (only?.text === name && !only.isExtension) return option.value.text === 'true';
  }
  return undefined;
}

interface Schema {
  readonly scope: Scope;
  readonly graph: ImportGraph;
  readonly symbols: SchemaSymbols;
  readonly report: Report;
  readonly extensions: ReadonlyMap<string, FieldDescriptor>;
  readonly optionsMessage: (name: string) => MessageDescriptor | undefined;
}

/** A value of an option that its type does not hold. */
class Misfit extends Error {}

type Values = Record<string, unknown>;

const noValues = (): Values => Object.create(null) as Values;

export function optionsReader({ scope, graph, symbols, report, extensions, optionsMessage }: Schema): OptionsReader {
  const isExtension = (symbol: SchemaSymbol) => symbol.kind === 'extension';

  /** Finds the field that one part of a name means; undefined after a report. */
  const findPart = (
    part: NamePart,
    target: MessageDescriptor,
    file: FileDeclaration,
    fullName: string,
  ): FieldDescriptor | undefined => {
    const span: Span = part;
    if (!part.isExtension) {
      const field = target.fields.find(({ name }) => name === part.text);
      if (field === undefined) {
        report(
          file,
          span,
          'schema/unknown-option',
          `"${part.text}" is no option here: "${target.fullName}" does not have it.`,
        );
      }
      return field;
    }
    const found = scope.resolve(part.text, fullName, graph.optionsFrom(file), isExtension);
    const extension = found.kind === 'symbol' ? extensions.get(found.symbol.fullName) : undefined;
    if (extension === undefined) {
      // The import that is missing is reported already.
      if (!graph.isIncomplete(file) && !file.isPartial) {
        const text = `The option "(${part.text})" is not defined, or its file is not imported.`;
        report(file, span, 'schema/unknown-option', text);
      }
      return undefined;
    }
    if (extension.parent.fullName !== target.fullName) {
      const text = `"(${part.text})" extends "${extension.parent.fullName}", not "${target.fullName}".`;
      report(file, span, 'schema/unknown-option', text);
      return undefined;
    }
    return extension;
  };

  const readText = (
    option: Extract<RawOption, { kind: 'text' }>,
    target: MessageDescriptor,
    values: Values,
    file: FileDeclaration,
    fullName: string,
  ) => {
    let message = target;
    let into = values;
    for (const [index, part] of option.name.entries()) {
      // Features of a language's generator: nothing that changes bytes.
      if (part.isExtension && message.fullName === 'google.protobuf.FeatureSet') return;
      const field = findPart(part, message, file, fullName);
      if (field === undefined) return;
      symbols.refer(file, nameOf(field), part);
      const key = field.isExtension ? field.fullName : field.name;
      if (index < option.name.length - 1) {
        if (field.message === undefined || field.cardinality !== 'singular') {
          report(file, part, 'schema/option', `"${part.text}" is no single message, so nothing of it can be set.`);
          return;
        }
        message = field.message;
        into[key] ??= noValues();
        into = into[key] as Values;
        continue;
      }
      try {
        const value = readValue(field, option.value, 0);
        if (field.cardinality === 'singular' && key in into) {
          report(file, option.span, 'schema/option', `The option "${part.text}" is set twice.`);
        } else merge(into, key, field, value);
      } catch (misfit) {
        if (!(misfit instanceof Misfit)) throw misfit;
        report(file, option.span, 'schema/option', `The option "${part.text}" must be ${misfit.message}.`);
      }
    }
  };

  const readAggregate = (message: MessageDescriptor, value: RawValue, depth: number): Values => {
    if (value.kind !== 'aggregate') throw new Misfit(`a message in braces, ${message.fullName}`);
    const values = noValues();
    for (const { name, value: inner } of value.fields) {
      // The contents of an Any: kept out, as their bytes would be.
      if (name.isExtension && name.text.includes('/')) continue;
      const field = name.isExtension
        ? (extensions.get(name.text) ??
          [...message.extensions.values()].find(({ fullName }) => fullName.endsWith(`.${name.text}`)))
        : message.fields.find(
            (known) => known.name === name.text || (known.type === 'group' && known.message?.name === name.text),
          );
      if (field === undefined) throw new Misfit(`a ${message.fullName}, which has no "${name.text}"`);
      merge(values, field.isExtension ? field.fullName : field.name, field, readValue(field, inner, depth + 1));
    }
    return values;
  };

  const readValue = (field: FieldDescriptor, value: RawValue, depth: number): unknown => {
    if (value.kind === 'list') {
      if (field.cardinality === 'singular') throw new Misfit('one value, not a list');
      return value.values.map((inner) => readOne(field, inner, depth));
    }
    return field.cardinality === 'singular' ? readOne(field, value, depth) : [readOne(field, value, depth)];
  };

  const readOne = (field: FieldDescriptor, value: RawValue, depth: number): unknown => {
    const { type } = field;
    switch (type) {
      case 'message':
      case 'group':
        return readAggregate(field.message!, value, depth);
      case 'enum': {
        const known = field.enum!.values.find(({ name, number }) =>
          value.kind === 'identifier'
            ? name === value.text
            : depth > 0 && value.kind === 'number' && integerOf(value, 'int32') === BigInt(number),
        );
        if (known === undefined) throw new Misfit(`a value of the enum ${field.enum!.fullName}`);
        return known.name;
      }
      case 'bool':
        if (value.kind === 'identifier' && /^(true|false)$/.test(value.text)) return value.text === 'true';
        if (depth > 0 && value.kind === 'identifier' && /^(True|t|False|f)$/.test(value.text))
          return /^[Tt]/.test(value.text);
        if (depth > 0 && value.kind === 'number' && /^[01]$/.test(value.text)) return value.text === '1';
        throw new Misfit('true or false');
      case 'string':
      case 'bytes':
        if (value.kind !== 'string') throw new Misfit('text in quotes');
        return type === 'string' ? new TextDecoder().decode(value.bytes) : value.bytes;
      case 'float':
      case 'double': {
        const number = numberOf(value);
        if (number === undefined) throw new Misfit('a number');
        return type === 'float' ? Math.fround(number) : number;
      }
      default: {
        const integer = integerOf(value, type);
        if (integer === undefined) throw new Misfit(`a whole number that ${type} holds`);
        return type.endsWith('64') ? integer : Number(integer);
      }
    }
  };

  return (kind, raw, file, fullName) => {
    const target = optionsMessage(`google.protobuf.${kind}`);
    if (target === undefined || raw.length === 0) return NO_OPTIONS;
    const values = noValues();
    for (const option of raw) {
      if (option.kind === 'wire') readWire(option, target, values);
      else if (option.name[0]!.text === 'features' && !option.name[0]!.isExtension && file.syntax.startsWith('proto')) {
        report(file, option.span, 'schema/feature', 'Features came with editions; this file is older.');
      } else {
        for (const feature of misplacedFeatures(kind, option)) {
          report(file, option.span, 'schema/feature', `"features.${feature}" is set on other things than this one.`);
        }
        for (const feature of laterFeatures(option, file)) {
          report(file, option.span, 'schema/feature', `"features.${feature}" came with edition 2024.`);
        }
        readText(option, target, values, file, fullName);
      }
    }
    const custom = noValues();
    for (const [key, value] of Object.entries(values))
      if (key.includes('.') || extensions.has(key)) custom[key] = value;
    return Object.freeze(custom);
  };
}

function merge(into: Values, key: string, field: FieldDescriptor, value: unknown): void {
  const known = into[key];
  if (Array.isArray(known) && Array.isArray(value)) known.push(...value);
  else if (isValues(known) && isValues(value) && field.message !== undefined) {
    for (const [name, inner] of Object.entries(value)) {
      const member = field.message.fields.find((candidate) => candidate.name === name);
      if (member === undefined) known[name] = inner;
      else merge(known, name, member, inner);
    }
  } else into[key] = value;
}

const nameOf = ({ isExtension, fullName }: FieldDescriptor) =>
  ({ kind: isExtension ? 'extension' : 'field', fullName }) as const;

const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);

/** One record of an options message, by the extensions the registry knows. What is no such record is left out. */
function readWire(option: Extract<RawOption, { kind: 'wire' }>, target: MessageDescriptor, values: Values): void {
  const field = target.extensions.get(option.number);
  if (field === undefined) return;
  try {
    readRecord(new BinaryReader(option.data), option.wireType, field, values, 0);
  } catch {
    // Bytes that do not fit the extension: as good as unknown.
  }
}

const MAX_DEPTH = 60;

function readRecord(reader: BinaryReader, wireType: number, field: FieldDescriptor, into: Values, depth: number): void {
  if (depth > MAX_DEPTH) throw new RangeError('too deep');
  const key = field.isExtension ? field.fullName : field.name;
  const isPackedRun = wireType === WireType.LengthDelimited && isNumeric(field);
  if (isPackedRun && field.cardinality !== 'singular') {
    const end = reader.uint32() + reader.pos;
    const run: unknown[] = [];
    while (reader.pos < end) run.push(readScalar(reader, field));
    merge(into, key, field, run);
    return;
  }
  if (wireType !== wireTypeOf(field)) {
    reader.skip(wireType);
    return;
  }
  const value = field.message ? readMessageValue(reader, field, depth) : readScalar(reader, field);
  merge(into, key, field, field.cardinality === 'singular' ? value : [value]);
}

function readMessageValue(reader: BinaryReader, field: FieldDescriptor, depth: number): Values {
  const values = noValues();
  const message = field.message!;
  const end = field.type === 'group' ? reader.len : reader.uint32() + reader.pos;
  while (reader.pos < end) {
    const [number, wireType] = reader.tag();
    if (wireType === WireType.EndGroup) break;
    const member = message.byNumber.get(number) ?? message.extensions.get(number);
    if (member === undefined) reader.skip(wireType, number);
    else readRecord(reader, wireType, member, values, depth + 1);
  }
  return values;
}

const isNumeric = ({ type }: FieldDescriptor): boolean =>
  type !== 'string' && type !== 'bytes' && type !== 'message' && type !== 'group';

function wireTypeOf({ type }: FieldDescriptor): WireType {
  switch (type) {
    case 'group':
      return WireType.StartGroup;
    case 'message':
    case 'string':
    case 'bytes':
      return WireType.LengthDelimited;
    case 'double':
    case 'fixed64':
    case 'sfixed64':
      return WireType.Bit64;
    case 'float':
    case 'fixed32':
    case 'sfixed32':
      return WireType.Bit32;
    default:
      return WireType.Varint;
  }
}

function readScalar(reader: BinaryReader, field: FieldDescriptor): unknown {
  const { type } = field;
  if (type === 'enum') {
    const number = reader.int32();
    return field.enum!.values.find((value) => value.number === number)?.name ?? number;
  }
  if (type === 'message' || type === 'group') return undefined;
  const value = reader[type]();
  return type.endsWith('64') ? BigInt(value as bigint | string) : value;
}
