/**
 * Checks extension declarations in the options of a message's ranges: each declaration must be valid, and each
 * extension must match its declaration. https://protobuf.dev/programming-guides/extension_declarations/
 */
import {
  type ExtensionRangeDeclaration,
  type FileDeclaration,
  type RawOption,
  type RawValue,
  SCALAR_TYPES,
} from '../declaration.ts';
import type { FieldDescriptor } from '../descriptor.ts';
import { optionNamed, wordOf } from '../options/raw-options.ts';
import type { ReportFinding } from '../report.ts';
import { integerOf } from '../text/literal.ts';
import type { Span } from '../text/tokens.ts';

interface DeclaredExtension {
  readonly number: number;
  readonly fullName: string | undefined;
  readonly type: string | undefined;
  readonly isRepeated: boolean;
  readonly isReserved: boolean;
}

/** Declared types that have no leading dot. */
const PLAIN_TYPES: ReadonlySet<string> = new Set([...SCALAR_TYPES, 'enum']);

function declaredIn(options: readonly RawOption[]): readonly DeclaredExtension[] {
  return options.flatMap((option) => {
    if (option.kind !== 'text' || option.name.length !== 1 || option.name[0]!.text !== 'declaration') return [];
    if (option.name[0]!.isExtension || option.value.kind !== 'aggregate') return [];
    const { fields } = option.value;
    const memberOf = (wanted: string): RawValue | undefined => fields.find(({ name }) => name.text === wanted)?.value;
    const textOf = (wanted: string) => {
      const value = memberOf(wanted);
      return value?.kind === 'string' ? new TextDecoder().decode(value.bytes) : undefined;
    };
    const isTrue = (wanted: string) => {
      const value = memberOf(wanted);
      return (
        (value?.kind === 'identifier' && /^(t|T)/.test(value.text)) || (value?.kind === 'number' && value.text === '1')
      );
    };
    const number = memberOf('number');
    return {
      number: Number((number && integerOf(number, 'int32')) ?? 0),
      fullName: textOf('full_name'),
      type: textOf('type'),
      isRepeated: isTrue('repeated'),
      isReserved: isTrue('reserved'),
    };
  });
}

/** Checks the declarations of one message. */
export function checkDeclarations(
  ranges: readonly ExtensionRangeDeclaration[],
  file: FileDeclaration,
  report: ReportFinding,
): void {
  const names = new Set<string>();
  for (const { start, end, span, options } of ranges) {
    const declared = declaredIn(options);
    if (declared.length === 0) continue;
    const place: Span = optionNamed(options, 'declaration')?.span ?? span;
    const refuse = (text: string) => report(file, place, 'schema/extension-declaration', text);
    if (wordOf(options, 'verification') === 'UNVERIFIED') {
      refuse('A range that declares its extensions is not UNVERIFIED.');
    }
    const numbers = new Set<number>();
    for (const { number, fullName, type, isReserved } of declared) {
      if (number < start || number >= end) refuse(`Number ${number} is declared outside of its range.`);
      if (numbers.has(number)) refuse(`Number ${number} is declared twice.`);
      numbers.add(number);
      if (fullName === undefined || type === undefined) {
        if (fullName !== type || !isReserved)
          refuse(`Extension ${number} is declared with full_name and type, or neither.`);
        continue;
      }
      if (names.has(fullName)) refuse(`The extension "${fullName}" is declared twice.`);
      names.add(fullName);
      for (const name of PLAIN_TYPES.has(type) ? [fullName] : [fullName, type]) {
        if (!name.startsWith('.')) refuse(`"${name}" is declared without the dot that a full name begins with.`);
        else if (!/^(\.[A-Za-z0-9_]+)+$/.test(name)) refuse(`"${name}" is not a full name.`);
      }
    }
  }
}

/** Checks an extension against the declaration in its range. */
export function checkDeclared(
  extension: FieldDescriptor,
  ranges: readonly ExtensionRangeDeclaration[],
  place: Span,
  file: FileDeclaration,
  report: ReportFinding,
): void {
  const { number, parent, fullName } = extension;
  // protoc has a separate list for these.
  if (parent.fullName.startsWith('google.protobuf.')) return;
  const range = ranges.find(({ start, end }) => number >= start && number < end);
  if (range === undefined || range.options.length === 0) return;
  const refuse = (text: string) => report(file, place, 'schema/extension-declaration', text);
  const all = declaredIn(range.options);
  const declared = all.find((candidate) => candidate.number === number);
  if (declared === undefined) {
    if (all.length === 0 && wordOf(range.options, 'verification') !== 'DECLARATION') return;
    refuse(`"${parent.fullName}" declares the extensions of this range, but none of number ${number}.`);
    return;
  }
  if (declared.isReserved) {
    refuse(`"${parent.fullName}" declares number ${number} to be reserved.`);
    return;
  }
  const type = extension.message ?? extension.enum;
  const ownType = type === undefined ? extension.type : `.${type.fullName}`;
  if (declared.type !== undefined && declared.type !== '' && declared.type !== ownType) {
    refuse(`"${parent.fullName}" declares number ${number} as ${declared.type}, not ${ownType}.`);
  }
  if (declared.fullName !== undefined && declared.fullName !== '' && declared.fullName !== `.${fullName}`) {
    refuse(`"${parent.fullName}" declares number ${number} as "${declared.fullName}", not ".${fullName}".`);
  }
  if (declared.isRepeated !== (extension.cardinality !== 'singular')) {
    refuse(`"${parent.fullName}" declares number ${number} ${declared.isRepeated ? 'repeated' : 'not repeated'}.`);
  }
}
