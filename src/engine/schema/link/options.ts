/**
 * Raw options → values, by the types of google.protobuf.FieldOptions and similar messages, and of their extensions.
 * Custom options are stored under the full name of their extension, in the same form for text and for descriptor sets.
 */
import { type FileDeclaration, type NamePart, NOWHERE, type RawOption } from '../declaration.ts';
import type { EnumValueDescriptor, FieldDescriptor, MessageDescriptor } from '../descriptor.ts';
import type { ImportGraph } from '../imports.ts';
import type { OptionsKind } from '../options/raw-options.ts';
import { OptionTypeMismatch, readOptionValue, type ValueReading } from '../options/read-value.ts';
import { readRecordOf } from '../options/records.ts';
import { misuse } from '../options/usage.ts';
import { keyOf, merge, noValues, type Values } from '../options/values.ts';
import type { ReportFinding } from '../report.ts';
import type { SchemaSymbols } from '../symbols.ts';
import type { Span } from '../text/tokens.ts';
import { isMessageSet } from './rules.ts';
import type { NameScope, SchemaSymbol } from './scope.ts';

/** Frozen and without a prototype, so that `constructor` is not an option. */
export const NO_OPTIONS: Readonly<Record<string, unknown>> = Object.freeze(Object.create(null));

export type OptionsReader = (
  kind: OptionsKind,
  raw: readonly RawOption[],
  file: FileDeclaration,
  fullName: string,
) => Readonly<Record<string, unknown>>;

/** The schema that names of options are looked up in. */
export interface OptionTypes {
  readonly scope: NameScope;
  readonly graph: ImportGraph;
  readonly extensions: ReadonlyMap<string, FieldDescriptor>;
  readonly optionsMessage: (name: string) => MessageDescriptor | undefined;
}

type TextOption = Extract<RawOption, { kind: 'text' }>;

/** The element that an option is set on. */
interface Element {
  readonly kind: OptionsKind;
  readonly file: FileDeclaration;
  readonly fullName: string;
}

const FEATURE_SET = 'google.protobuf.FeatureSet';

export function optionsReader(
  { scope, graph, extensions, optionsMessage }: OptionTypes,
  symbols: Pick<SchemaSymbols, 'refer'>,
  report: ReportFinding,
): OptionsReader {
  const isExtension = (symbol: SchemaSymbol) => symbol.kind === 'extension';

  /** Finds the field of one part of a name; undefined: not found, which is reported. */
  const findPart = (
    part: NamePart,
    target: MessageDescriptor,
    { file, fullName }: Element,
  ): FieldDescriptor | undefined => {
    const span: Span = part;
    if (!part.isExtension) {
      const field = target.fields.find(({ name }) => name === part.text);
      // An option of a descriptor set is bytes, which an older descriptor.proto beside it need not know.
      if (field === undefined && part.end !== NOWHERE.end) {
        report(
          file,
          span,
          'schema/unknown-option',
          `"${part.text}" is not an option here: "${target.fullName}" does not have it.`,
        );
      }
      return field;
    }
    const found = scope.resolve(part.text, fullName, graph.optionsFrom(file), isExtension);
    const extension = found.kind === 'symbol' ? extensions.get(found.symbol.fullName) : undefined;
    if (extension === undefined) {
      // The missing import is already reported.
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

  /** The context for reading the values of one option. All its fields must be allowed on this element. */
  const readingFor = (option: TextOption, { kind, file }: Element): ValueReading => ({
    extension(name, of) {
      const found = scope.resolve(name, of.fullName, graph.optionsFrom(file), () => true);
      if (found.kind !== 'symbol') return undefined;
      const { fullName, message } = found.symbol;
      const extension = extensions.get(fullName);
      if (extension !== undefined) return extension.parent.fullName === of.fullName ? extension : undefined;
      if (message === undefined || !isMessageSet(of)) return undefined;
      return [...of.extensions.values()].find((known) => known.message?.fullName === message.fullName);
    },
    message(name) {
      const symbol = scope.get(name);
      return symbol !== undefined && graph.optionsFrom(file).has(symbol.file) ? symbol.message : undefined;
    },
    use(used, isTargeted) {
      const text = misuse(used, kind, file, isTargeted);
      if (text !== undefined) report(file, option.span, isFeature(option) ? 'schema/feature' : 'schema/option', text);
    },
  });

  const readText = (option: TextOption, target: MessageDescriptor, values: Values, element: Element) => {
    const { file } = element;
    const reading = readingFor(option, element);
    let message = target;
    let into = values;
    for (const [index, part] of option.name.entries()) {
      const field = findPart(part, message, element);
      if (field === undefined) return;
      symbols.refer(file, nameOf(field), part);
      const key = keyOf(field);
      if (field.isExtension && message.fullName === FEATURE_SET && field.file === file.path) {
        const text = `"(${part.text})" is a feature of this very file; only other files can set it.`;
        report(file, part, 'schema/feature', text);
        return;
      }
      if (index < option.name.length - 1) {
        if (field.message === undefined || field.cardinality !== 'singular') {
          report(
            file,
            part,
            'schema/option',
            `"${part.text}" is not a single message, so none of its fields can be set.`,
          );
          return;
        }
        reading.use(field, true);
        message = field.message;
        into[key] ??= noValues();
        into = into[key] as Values;
        continue;
      }
      try {
        const value = readOptionValue(field, option.value, reading);
        if (message.fullName === FEATURE_SET && isUnknown(field, value)) {
          report(file, option.span, 'schema/feature', `"features.${part.text}" needs a value that means something.`);
        }
        if (field.cardinality === 'singular' && key in into) {
          report(file, option.span, 'schema/option', `The option "${part.text}" is set twice.`);
        } else merge(into, field, value);
      } catch (misfit) {
        if (!(misfit instanceof OptionTypeMismatch)) throw misfit;
        report(file, option.span, 'schema/option', `The option "${part.text}" must be ${misfit.message}.`);
      }
    }
  };

  return (kind, raw, file, fullName) => {
    const target = optionsMessage(`google.protobuf.${kind}`);
    if (target === undefined || raw.length === 0) return NO_OPTIONS;
    const values = noValues();
    for (const option of raw) {
      if (option.kind === 'wire') readRecordOf(option, target, values);
      else if (isFeature(option) && file.syntax.startsWith('proto')) {
        report(file, option.span, 'schema/feature', 'Features exist since editions; this file is older.');
      } else if (option.name[0]!.text === 'uninterpreted_option' && !option.name[0]!.isExtension) {
        report(file, option.span, 'schema/option', '"uninterpreted_option" is for the compiler, not to be set.');
      } else readText(option, target, values, { kind, file, fullName });
    }
    const custom = noValues();
    for (const [key, value] of Object.entries(values))
      if (key.includes('.') || extensions.has(key)) custom[key] = value;
    return Object.freeze(custom);
  };
}

const isFeature = ({ name: [first] }: TextOption): boolean => first!.text === 'features' && !first!.isExtension;

/** Whether the value is number 0, which is invalid for features. */
const isUnknown = (field: FieldDescriptor, value: unknown): boolean =>
  field.enum?.values.find(({ name }: EnumValueDescriptor) => name === value)?.number === 0;

const nameOf = ({ isExtension, fullName }: FieldDescriptor) =>
  ({ kind: isExtension ? 'extension' : 'field', fullName }) as const;
