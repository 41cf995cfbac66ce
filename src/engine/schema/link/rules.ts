/** Protoc's rules besides name resolution: numbers, ranges, conflicts of names, wrong kinds. */
import type {
  EnumBody,
  EnumDeclaration,
  FieldDeclaration,
  FileDeclaration,
  MessageBody,
  MessageDeclaration,
} from '../declaration.ts';
import type { FieldDescriptor, MessageDescriptor } from '../descriptor.ts';
import type { ImportGraph } from '../imports.ts';
import { enumValueKey, jsonNameOf } from '../names.ts';
import { flagOf } from '../options/raw-options.ts';
import type { ReportFinding } from '../report.ts';
import type { Span } from '../text/tokens.ts';
import type { Features } from './features.ts';
import { isLite } from './file-rules.ts';
import type { Found, SchemaSymbol } from './scope.ts';

/** 2²⁹ − 1: the largest number that fits a five-byte tag together with its wire type. */
export const MAX_FIELD_NUMBER = 536_870_911;
export const MAX_ENUM_NUMBER = 2_147_483_647;
/** protoc stores lengths of names in two bytes. */
export const MAX_NAME = 65_535;
const FIRST_RESERVED = 19_000;
const LAST_RESERVED = 19_999;

/** Message sets allow extension numbers beyond the largest field number. */
export const isMessageSet = ({ extensionRanges }: Pick<MessageDescriptor, 'extensionRanges'>): boolean =>
  extensionRanges.some(({ end }) => end > MAX_FIELD_NUMBER + 1);

const IDENTIFIER = /[A-Za-z_][A-Za-z0-9_]*$/y;

/** Whether the text from an offset to its end is a single identifier. */
export function isIdentifier(text: string, from: number): boolean {
  IDENTIFIER.lastIndex = from;
  return IDENTIFIER.test(text);
}

/** The reason why a type name cannot be resolved: a code and a sentence. */
export function explainUnresolved(
  name: string,
  found: Found,
  file: FileDeclaration,
  graph: ImportGraph,
): readonly [string, string] {
  if (found.kind === 'symbol') {
    return ['schema/not-a-type', `"${found.symbol.fullName}" is a ${found.symbol.kind}, not a message or enum.`];
  }
  if (found.kind === 'not-imported') {
    const { fullName, file: other } = found.symbol;
    return [
      'schema/not-imported',
      `"${fullName}" is defined in "${other.path}", which "${file.path}" does not import.`,
    ];
  }
  const hint = graph.isIncomplete(file) ? ' It may be in the import that is missing.' : '';
  if (found.kind === 'shadowed' && found.fullName !== name) {
    const first = name.slice(0, name.indexOf('.'));
    const text = `"${name}" means "${found.fullName}" here, because the innermost "${first}" counts, and that does not exist; begin with a dot for the outermost.`;
    return ['schema/unresolved-type', text + hint];
  }
  return ['schema/unresolved-type', `"${name}" is defined nowhere.${hint}`];
}

/** Looks up whether the fields of a message may use a number. */
export type NumberRules = (number: number) => 'reserved' | 'extension' | undefined;

const NO_RULES: NumberRules = () => undefined;

export function numberRules({
  reservedRanges,
  extensionRanges,
}: Pick<MessageBody, 'reservedRanges' | 'extensionRanges'>): NumberRules {
  if (reservedRanges.length + extensionRanges.length === 0) return NO_RULES;
  const ranges = [
    ...reservedRanges.map(({ start, end }) => ({ start, end, what: 'reserved' as const })),
    ...extensionRanges.map(({ start, end }) => ({ start, end, what: 'extension' as const })),
  ].sort((a, b) => a.start - b.start);
  return (number) => {
    let low = 0;
    let high = ranges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ranges[middle]!.start <= number) low = middle + 1;
      else high = middle;
    }
    const range = ranges[low - 1];
    return range !== undefined && number < range.end ? range.what : undefined;
  };
}

/** Whether the field may be part of its message. */
export function checkField(
  { name, number, numberSpan }: FieldDeclaration,
  message: string,
  byNumber: ReadonlyMap<number, FieldDescriptor>,
  rules: NumberRules,
  file: FileDeclaration,
  report: ReportFinding,
): boolean {
  const refuse = (code: string, text: string) => {
    report(file, numberSpan, code, text);
    return false;
  };
  if (!isFieldNumber(number)) return refuse('schema/field-number', numberText(number));
  const taken = byNumber.get(number);
  if (taken !== undefined) {
    return refuse('schema/duplicate-number', `Number ${number} is taken by "${taken.name}" in "${message}".`);
  }
  const rule = rules(number);
  if (rule === 'reserved') return refuse('schema/reserved', `Number ${number} of "${name}" is reserved.`);
  if (rule === 'extension') return refuse('schema/reserved', `Number ${number} of "${name}" is kept for extensions.`);
  return true;
}

const isFieldNumber = (number: number): boolean =>
  number >= 1 && number <= MAX_FIELD_NUMBER && (number < FIRST_RESERVED || number > LAST_RESERVED);

const numberText = (number: number): string =>
  number >= FIRST_RESERVED && number <= LAST_RESERVED
    ? `Numbers ${FIRST_RESERVED} to ${LAST_RESERVED} belong to protobuf itself.`
    : `A field number lies between 1 and ${MAX_FIELD_NUMBER}; ${number} does not.`;

const KEY_TYPES = new Set(
  'int32 int64 uint32 uint64 sint32 sint64 fixed32 fixed64 sfixed32 sfixed64 bool string'.split(' '),
);

export function checkMessage(
  { span, options, isMapEntry }: MessageDeclaration,
  body: MessageBody,
  fullName: string,
  file: FileDeclaration,
  features: Features,
  report: ReportFinding,
): void {
  const { fields, reservedRanges, extensionRanges } = body;
  if (body.reservedNames.length > 0) checkReservedNames(body.reservedNames, fields, span, file, report);
  if (reservedRanges.length + extensionRanges.length > 0) {
    // Reserved numbers, and extensions of a message set, may exceed the largest field number.
    const beyond = 2 ** 31 - 1;
    const isSet = flagOf(options, 'message_set_wire_format') === true;
    const ranges = [
      ...reservedRanges.map((range) => ({ ...range, limit: beyond })),
      ...extensionRanges.map((range) => ({ ...range, limit: isSet ? beyond : MAX_FIELD_NUMBER + 1 })),
    ];
    checkRanges(ranges, 1, file, report);
  }
  if (isMapEntry) {
    const key = fields[0];
    if (key !== undefined && !KEY_TYPES.has(key.type ?? '')) {
      const text = 'The key of a map is a whole number, a bool or a string.';
      report(file, key.typeSpan, 'schema/map', text);
    }
  }
  if (options.length > 0 && flagOf(options, 'message_set_wire_format') === true) {
    const [first] = fields;
    if (first !== undefined) report(file, first.span, 'schema/message-set', 'A message set has extensions, no fields.');
    if (file.syntax === 'proto3') report(file, span, 'schema/message-set', 'proto3 has no message sets.');
  }
  if (flagOf(options, 'deprecated_legacy_json_field_conflicts') !== true) {
    checkJsonNames(fields, fullName, features, file, report);
  }
}

function checkReservedNames(
  names: readonly string[],
  members: readonly { readonly name: string; readonly span: Span }[],
  place: Span,
  file: FileDeclaration,
  report: ReportFinding,
): void {
  const reserved = new Set<string>();
  for (const name of names) {
    if (reserved.has(name)) report(file, place, 'schema/reserved', `The name "${name}" is reserved twice.`);
    if (name.length > MAX_NAME) report(file, place, 'schema/name', `A name has ${MAX_NAME} letters at most.`);
    reserved.add(name);
  }
  for (const { name, span } of members) {
    if (reserved.has(name)) report(file, span, 'schema/reserved', `The name "${name}" is reserved.`);
  }
}

/** Checks that no two fields have the same JSON name: once with default names, once with declared names. */
function checkJsonNames(
  fields: readonly FieldDeclaration[],
  message: string,
  features: Features,
  file: FileDeclaration,
  report: ReportFinding,
): void {
  if (fields.length < 2) return;
  const isGiven = ({ name, jsonName }: FieldDeclaration) => jsonName !== undefined && jsonName !== jsonNameOf(name);
  const refuse = (field: FieldDeclaration, rival: FieldDeclaration, isMeant: boolean) => {
    const text = `"${field.name}" and "${rival.name}" of "${message}" have the same name in JSON.`;
    const severity = features.json_format === 'ALLOW' || isMeant ? 'error' : 'warning';
    report(file, field.span, 'schema/json-name', text, severity);
  };
  const derived = new Map<string, FieldDeclaration>();
  for (const field of fields) {
    const name = jsonNameOf(field.name);
    const rival = derived.get(name);
    if (rival === undefined) derived.set(name, field);
    else if (rival.name !== field.name) refuse(field, rival, false);
  }
  if (!fields.some(isGiven)) return;
  const given = new Map<string, FieldDeclaration>();
  for (const field of fields) {
    const name = field.jsonName ?? jsonNameOf(field.name);
    const rival = given.get(name);
    if (rival === undefined) given.set(name, field);
    else if (rival.name !== field.name && (isGiven(field) || isGiven(rival))) {
      refuse(field, rival, isGiven(field) && isGiven(rival));
    }
  }
}

/** Half-open ranges from `low` on. They must not overlap. */
function checkRanges(
  ranges: readonly { readonly start: number; readonly end: number; readonly limit: number; readonly span: Span }[],
  low: number,
  file: FileDeclaration,
  report: ReportFinding,
): void {
  let previous = Number.NEGATIVE_INFINITY;
  for (const { start, end, limit, span } of [...ranges].sort((a, b) => a.start - b.start)) {
    if (start < low || end > limit || start >= end) {
      report(file, span, 'schema/range', `${start} to ${end - 1} is not a range of numbers here.`);
    } else if (start < previous) {
      report(file, span, 'schema/range', `The range ${start} to ${end - 1} overlaps another one.`);
    }
    previous = Math.max(previous, end);
  }
}

/** Returns the names of the valid values. */
export function checkEnum(
  { name, span, options }: EnumDeclaration,
  body: EnumBody,
  closed: boolean,
  allowsAlias: boolean,
  file: FileDeclaration,
  report: ReportFinding,
): ReadonlySet<string> {
  const { values } = body;
  const kept = new Set<string>();
  const first = values[0];
  // A faulty value is not among them.
  const isWhole = !file.isPartial;
  if (first === undefined) {
    if (isWhole) report(file, span, 'schema/empty-enum', `The enum "${name}" needs a value.`);
  } else if (isWhole && !closed && first.number !== 0) {
    report(file, first.numberSpan, 'schema/enum-zero', `The first value of an open enum is 0; "${first.name}" is not.`);
  }
  checkRanges(
    body.reservedRanges.map((range) => ({ ...range, end: range.end + 1, limit: 2 ** 31 })),
    -(2 ** 31),
    file,
    report,
  );
  if (body.reservedNames.length > 0) checkReservedNames(body.reservedNames, values, span, file, report);
  const byNumber = new Map<number, string>();
  const byKey = new Map<string, { readonly name: string; readonly number: number }>();
  const isReserved = numberRules({
    reservedRanges: body.reservedRanges.map((range) => ({ ...range, end: range.end + 1 })),
    extensionRanges: [],
  });
  for (const value of values) {
    if (!Number.isInteger(value.number) || value.number < -(2 ** 31) || value.number >= 2 ** 31) {
      report(file, value.numberSpan, 'schema/enum-number', `The number of "${value.name}" does not fit 32 bits.`);
      continue;
    }
    const taken = byNumber.get(value.number);
    if (taken !== undefined && !allowsAlias) {
      const text = `"${value.name}" has the number of "${taken}"; if that is meant, set allow_alias.`;
      report(file, value.numberSpan, 'schema/enum-alias', text);
    }
    byNumber.set(value.number, taken ?? value.name);
    if (isReserved(value.number) !== undefined) {
      report(file, value.numberSpan, 'schema/reserved', `Number ${value.number} of "${value.name}" is reserved.`);
    }
    const key = enumValueKey(name, value.name);
    const rival = byKey.get(key);
    if (rival !== undefined && rival.name !== value.name && rival.number !== value.number) {
      const text = `"${value.name}" and "${rival.name}" are one name without case and the enum's prefix.`;
      report(file, value.span, 'schema/enum-name', text);
    }
    byKey.set(key, value);
    kept.add(value.name);
  }
  if (flagOf(options, 'allow_alias') === false) {
    report(
      file,
      span,
      'schema/enum-alias',
      `"${name}" sets "allow_alias = false", which is the default; remove the option.`,
    );
  }
  if (allowsAlias && byNumber.size === values.length) {
    report(file, span, 'schema/enum-alias', `"${name}" allows aliases, but has none.`);
  }
  return kept;
}

/** Reports a type that is local to another file. The type is used anyway. */
export function refuseLocal(
  { isLocal, fullName, file: home }: SchemaSymbol,
  file: FileDeclaration,
  span: Span,
  report: ReportFinding,
) {
  if (!isLocal || home === file) return;
  const message = `"${fullName}" is local to "${home.path}"; write "export" before it to use it here.`;
  report(file, span, 'schema/not-exported', message);
}

/** Proto3 files may only extend options. */
const isOptionsMessage = (fullName: string): boolean => /^google\.protobuf\.[A-Za-z]+Options$/.test(fullName);

/** The message that an extension extends, if that is allowed. */
export function checkExtension(
  { name, number, numberSpan, extendee, extendeeSpan }: FieldDeclaration,
  found: Found,
  file: FileDeclaration,
  graph: ImportGraph,
  report: ReportFinding,
): MessageDescriptor | undefined {
  if (found.kind !== 'symbol' || found.symbol.message === undefined) {
    const [code, message] = explainUnresolved(extendee ?? '', found, file, graph);
    report(file, extendeeSpan, code, message);
    return undefined;
  }
  const target = found.symbol.message;
  refuseLocal(found.symbol, file, extendeeSpan, report);
  const refuse = (code: string, text: string) => {
    report(file, numberSpan, code, text);
    return undefined;
  };
  if (number >= FIRST_RESERVED && number <= LAST_RESERVED) return refuse('schema/field-number', numberText(number));
  if (!target.extensionRanges.some(({ start, end }) => number >= start && number < end)) {
    return refuse(
      'schema/extension-range',
      `"${target.fullName}" keeps no number ${number} for extensions such as "${name}".`,
    );
  }
  if (file.syntax === 'proto3' && !isOptionsMessage(target.fullName)) {
    return refuse('schema/proto3', 'proto3 files can only extend options.');
  }
  const taken = target.extensions.get(number);
  if (taken !== undefined) {
    const text = `Number ${number} of "${target.fullName}" is taken by "${taken.fullName}".`;
    if (taken.file === file.path) return refuse('schema/duplicate-number', text);
    // Two files that are not used in the same program may use the same number.
    report(file, numberSpan, 'schema/duplicate-number', text, 'warning');
  }
  if (isLite(file) && !isLite(found.symbol.file)) {
    return refuse('schema/lite', `"${target.fullName}" is not for the lite runtime, so this file cannot extend it.`);
  }
  return target;
}

export function checkMethodType(
  found: Found,
  name: string,
  span: Span,
  file: FileDeclaration,
  graph: ImportGraph,
  report: ReportFinding,
): MessageDescriptor | undefined {
  if (found.kind === 'symbol' && found.symbol.message !== undefined) {
    refuseLocal(found.symbol, file, span, report);
    return found.symbol.message;
  }
  if (found.kind === 'symbol')
    report(file, span, 'schema/not-a-type', `A method takes and returns messages; "${name}" is not a message.`);
  else report(file, span, ...explainUnresolved(name, found, file, graph));
  return undefined;
}
