/**
 * Declarations to the registry, by protoc's rules: names resolved, presence, packing and encoding decided by features,
 * what protoc refuses reported at its place. What is refused is left out, what is right stays.
 *
 *   declare every name  →  link fields and methods  →  link extensions  →  read options
 */

import type {
  EnumDeclaration,
  FieldDeclaration,
  FileDeclaration,
  MessageDeclaration,
  RawOption,
  ServiceDeclaration,
  Visibility,
} from './declaration.ts';
import type {
  EnumDescriptor,
  EnumValueDescriptor,
  FieldDescriptor,
  FileDescriptor,
  MessageDescriptor,
  MethodDescriptor,
  OneofDescriptor,
  Registry,
  ServiceDescriptor,
} from './descriptor.ts';
import { declaredFeatures, defaultFeatures, type Features, inheritFeatures } from './features.ts';
import type { ImportGraph } from './imports.ts';
import { type FieldPlace, linkField } from './link-field.ts';
import { flagOf, NO_OPTIONS, type OptionsKind, type OptionsReader, optionsReader } from './link-options.ts';
import type { Report } from './report.ts';
import {
  checkEnum,
  checkExtension,
  checkField,
  checkMessage,
  checkMethodType,
  isIdentifier,
  numberRules,
} from './rules.ts';
import { qualify, type SchemaSymbol, Scope } from './scope.ts';
import { SchemaSymbols } from './symbols.ts';
import type { Span } from './tokens.ts';

export type Draft<T> = { -readonly [K in keyof T]: T[K] };

/** The registry, and where its names are written. */
export interface LinkedSchema {
  readonly registry: Registry;
  readonly symbols: SchemaSymbols;
}

export interface MessageDraft extends Draft<MessageDescriptor> {
  readonly fields: FieldDescriptor[];
  readonly byNumber: Map<number, FieldDescriptor>;
  extensions: Map<number, FieldDescriptor>;
  readonly oneofs: OneofDescriptor[];
  readonly messages: MessageDescriptor[];
  readonly enums: EnumDescriptor[];
}

interface MessageWork {
  readonly declaration: MessageDeclaration;
  readonly draft: MessageDraft;
  readonly file: FileDeclaration;
  readonly features: Features;
}

interface EnumWork {
  readonly declaration: EnumDeclaration;
  readonly fullName: string;
  readonly features: Features;
  readonly file: FileDeclaration;
}

interface ExtensionWork {
  readonly declaration: FieldDeclaration;
  /** Full name of the message or package it is declared in. */
  readonly scope: string;
  readonly file: FileDeclaration;
  readonly features: Features;
}

interface ServiceWork {
  readonly declaration: ServiceDeclaration;
  readonly fullName: string;
  readonly file: FileDeclaration;
}

/** Options wait until every extension is known. */
export type PendingOptions = (reader: OptionsReader) => void;

/**
 * Yields many times on the way, so that whoever drives it can turn to something else.
 * @param graph the files, and what each of them sees.
 * @param optionsMessage the built-in descriptor of google.protobuf.FieldOptions and its like, where no file brings one.
 */
export function* link(
  graph: ImportGraph,
  optionsMessage: (name: string) => MessageDescriptor | undefined,
  report: Report,
): Generator<undefined, LinkedSchema> {
  const scope = new Scope();
  const symbols = new SchemaSymbols();
  const messages = new Map<string, MessageDescriptor>();
  const enums = new Map<string, EnumDescriptor>();
  const services = new Map<string, ServiceDescriptor>();
  const extensions = new Map<string, FieldDescriptor>();
  const messageWork: MessageWork[] = [];
  const enumWork: EnumWork[] = [];
  const extensionWork: ExtensionWork[] = [];
  const serviceWork: ServiceWork[] = [];
  const pending: PendingOptions[] = [];
  const files: FileDescriptor[] = [];

  const declare = (symbol: SchemaSymbol, extent: Span | undefined): boolean => {
    const { fullName, file, span } = symbol;
    const name = fullName.slice(fullName.lastIndexOf('.') + 1);
    if (!isIdentifier(name)) {
      report(file, span, 'schema/name', `"${name}" is no name: letters, digits and "_" only, no digit first.`);
      return false;
    }
    if (scope.isPackage(fullName)) {
      report(file, span, 'schema/duplicate-name', `"${fullName}" is the name of a package already.`);
      return false;
    }
    const known = scope.declare(symbol);
    if (known === undefined) {
      if (extent !== undefined) symbols.define(file, symbol, span, extent);
      return true;
    }
    const where = known.file === file ? '' : ` in "${known.file.path}"`;
    const hint =
      symbol.kind === 'value' && known.kind === 'value'
        ? ' The values of an enum are names of the scope around the enum, so two enums side by side cannot share one.'
        : '';
    report(file, span, 'schema/duplicate-name', `"${fullName}" is already defined${where}.${hint}`);
    return false;
  };

  const optionsLater = (
    kind: OptionsKind,
    raw: readonly RawOption[],
    place: { readonly file: FileDeclaration; readonly fullName: string },
    keep: (options: Readonly<Record<string, unknown>>) => void,
  ) => {
    if (raw.length > 0) pending.push((reader) => keep(reader(kind, raw, place.file, place.fullName)));
  };

  const declareEnum = (declaration: EnumDeclaration, parent: string, file: FileDeclaration, features: Features) => {
    const fullName = qualify(parent, declaration.name);
    const own = inheritFeatures(features, declaration.options);
    const values: EnumValueDescriptor[] = [];
    const descriptor: Draft<EnumDescriptor> = {
      kind: 'enum',
      name: declaration.name,
      fullName,
      file: file.path,
      closed: own.enum_type === 'CLOSED',
      values,
      reservedRanges: declaration.reservedRanges.map(({ start, end }) => ({ start, end: end + 1 })),
      reservedNames: declaration.reservedNames,
      deprecated: isDeprecated(declaration),
      options: NO_OPTIONS,
      comment: declaration.comment,
    };
    const isLocal = isLocalSymbol(declaration.visibility, file, parent);
    const { span, extent } = declaration;
    if (!declare({ kind: 'enum', fullName, file, span, enum: descriptor, isLocal }, extent)) return undefined;
    for (const value of declaration.values) {
      const place = { kind: 'value', fullName: qualify(parent, value.name), file, span: value.span } as const;
      if (!declare(place, value.extent)) continue;
      const { name, number, comment } = value;
      const draft: Draft<EnumValueDescriptor> = {
        name,
        number,
        deprecated: isDeprecated(value),
        options: NO_OPTIONS,
        comment,
      };
      values.push(draft);
      optionsLater('EnumValueOptions', value.options, place, keepIn(draft));
    }
    enums.set(fullName, descriptor);
    enumWork.push({ declaration, fullName, features: own, file });
    optionsLater('EnumOptions', declaration.options, { file, fullName }, keepIn(descriptor));
    return descriptor;
  };

  const declareMessage = (
    declaration: MessageDeclaration,
    parent: string,
    file: FileDeclaration,
    features: Features,
  ): MessageDescriptor | undefined => {
    const fullName = qualify(parent, declaration.name);
    const draft: MessageDraft = {
      kind: 'message',
      name: declaration.name,
      fullName,
      file: file.path,
      fields: [],
      byNumber: new Map(),
      extensions: NO_EXTENSIONS,
      oneofs: [],
      messages: [],
      enums: [],
      isMapEntry: declaration.isMapEntry,
      extensionRanges: declaration.extensionRanges.map(({ start, end }) => ({ start, end })),
      reservedRanges: declaration.reservedRanges.map(({ start, end }) => ({ start, end })),
      reservedNames: declaration.reservedNames,
      deprecated: isDeprecated(declaration),
      options: NO_OPTIONS,
      comment: declaration.comment,
    };
    const isLocal = isLocalSymbol(declaration.visibility, file, parent);
    const extent = declaration.isMapEntry ? undefined : declaration.extent;
    if (!declare({ kind: 'message', fullName, file, span: declaration.span, message: draft, isLocal }, extent)) {
      return undefined;
    }
    const own = inheritFeatures(features, declaration.options);
    messages.set(fullName, draft);
    messageWork.push({ declaration, draft, file, features: own });
    optionsLater('MessageOptions', declaration.options, { file, fullName }, keepIn(draft));
    // Map entries last: where a declared type has the same name, the fault is with the map.
    for (const nested of entriesLast(declaration.messages)) {
      const descriptor = declareMessage(nested, fullName, file, own);
      if (descriptor !== undefined) draft.messages.push(descriptor);
    }
    for (const nested of declaration.enums) {
      const descriptor = declareEnum(nested, fullName, file, own);
      if (descriptor !== undefined) draft.enums.push(descriptor);
    }
    for (const extension of declaration.extensions) {
      extensionWork.push({ declaration: extension, scope: fullName, file, features: own });
    }
    return draft;
  };

  for (const file of graph.files) scope.declarePackage(file);
  for (const file of graph.files) {
    yield;
    const features = inheritFeatures(defaultFeatures(file.syntax), file.options);
    if (declaredFeatures(file.options).field_presence === 'LEGACY_REQUIRED') {
      report(file, file.packageSpan, 'schema/feature', 'A whole file cannot be LEGACY_REQUIRED; single fields can.');
    }
    for (const message of file.messages) declareMessage(message, file.package, file, features);
    for (const enumeration of file.enums) declareEnum(enumeration, file.package, file, features);
    for (const extension of file.extensions) {
      extensionWork.push({ declaration: extension, scope: file.package, file, features });
    }
    for (const service of file.services) {
      const fullName = qualify(file.package, service.name);
      if (!declare({ kind: 'service', fullName, file, span: service.span }, service.extent)) continue;
      serviceWork.push({ declaration: service, fullName, file });
    }
    const draft: Draft<FileDescriptor> = {
      path: file.path,
      package: file.package,
      syntax: file.syntax,
      imports: file.imports.map((declared) => {
        const target = graph.targetOf(declared);
        if (target !== undefined) symbols.refer(file, { kind: 'file', fullName: target.path }, declared.span);
        return { path: declared.path, kind: declared.kind, file: target?.path };
      }),
      options: NO_OPTIONS,
    };
    files.push(draft);
    optionsLater('FileOptions', file.options, { file, fullName: qualify(file.package, 'file') }, keepIn(draft));
  }
  // Fields are names too: a type is looked for past one, so all are declared before the first is linked.
  const declared = new Set<FieldDeclaration>();
  for (const { declaration, draft, file } of messageWork) {
    yield;
    for (const field of declaration.fields) {
      const fullName = qualify(draft.fullName, field.name);
      const extent = declaration.isMapEntry ? undefined : field.extent;
      if (declare({ kind: 'field', fullName, file, span: field.span }, extent)) declared.add(field);
    }
  }

  const place: FieldPlace = { scope, graph, symbols, report };
  for (const { declaration, draft, file, features } of messageWork) {
    yield;
    const oneofFields = declaration.oneofs.map((): FieldDescriptor[] => []);
    const oneofs = declaration.oneofs.map((oneof, index): OneofDescriptor | undefined => {
      const fullName = qualify(draft.fullName, oneof.name);
      if (!declare({ kind: 'oneof', fullName, file, span: oneof.span }, oneof.extent)) return undefined;
      const { name, comment } = oneof;
      const fields = oneofFields[index]!;
      const descriptor: OneofDescriptor = { kind: 'oneof', name, fullName, fields, options: NO_OPTIONS, comment };
      optionsLater('OneofOptions', oneof.options, { file, fullName }, keepIn(descriptor));
      draft.oneofs.push(descriptor);
      return descriptor;
    });
    const rules = numberRules(declaration);
    for (const field of declaration.fields) {
      if (!declared.has(field) || !checkField(field, draft, rules, file, report)) continue;
      const oneof = field.oneof === undefined ? undefined : oneofs[field.oneof];
      const oneofOptions = field.oneof === undefined ? [] : (declaration.oneofs[field.oneof]?.options ?? []);
      const linked = linkField(field, draft, oneof, file, inheritFeatures(features, oneofOptions), place);
      if (linked === undefined) continue;
      draft.fields.push(linked);
      draft.byNumber.set(linked.number, linked);
      if (field.oneof !== undefined) oneofFields[field.oneof]?.push(linked);
      if (field.options.length === 0) continue;
      const keep = keepIn(linked);
      optionsLater('FieldOptions', field.options, { file, fullName: linked.fullName }, (options) => {
        keep(options);
        const content = options[NATIVE_CONTENT];
        if (typeof content !== 'string') return;
        const found = scope.resolve(content, linked.fullName, graph.visibleFrom(file), isType);
        (linked as Draft<FieldDescriptor>).content = found.kind === 'symbol' ? found.symbol.message : undefined;
      });
    }
    checkMessage(declaration, draft, file, features, report);
  }
  for (const { declaration, fullName, features, file } of enumWork) {
    const { values, closed } = enums.get(fullName)!;
    const isAliased = flagOf(declaration.options, 'allow_alias') === true;
    const kept = checkEnum(declaration, closed, isAliased, features, file, report);
    if (kept.size < values.length) {
      (enums.get(fullName) as Draft<EnumDescriptor>).values = values.filter(({ name }) => kept.has(name));
    }
  }
  for (const { declaration, scope: parent, file, features } of extensionWork) {
    const fullName = qualify(parent, declaration.name);
    if (!declare({ kind: 'extension', fullName, file, span: declaration.span }, declaration.extent)) continue;
    const extendee = place.scope.resolve(declaration.extendee ?? '', fullName, graph.visibleFrom(file), (symbol) =>
      Boolean(symbol.message ?? symbol.enum),
    );
    const target = checkExtension(declaration, extendee, file, report) as MessageDraft | undefined;
    if (target === undefined) continue;
    symbols.refer(file, target, declaration.extendeeSpan);
    const linked = linkField(declaration, target, undefined, file, features, place, fullName);
    if (linked === undefined) continue;
    if (target.extensions === NO_EXTENSIONS) target.extensions = new Map();
    target.extensions.set(linked.number, linked);
    extensions.set(fullName, linked);
    optionsLater('FieldOptions', declaration.options, { file, fullName }, keepIn(linked));
  }
  for (const { declaration, fullName, file } of serviceWork) {
    const methods: MethodDescriptor[] = [];
    for (const method of declaration.methods) {
      const methodName = qualify(fullName, method.name);
      if (!declare({ kind: 'method', fullName: methodName, file, span: method.span }, method.extent)) continue;
      const input = place.scope.resolve(method.input, methodName, graph.visibleFrom(file), isType);
      const output = place.scope.resolve(method.output, methodName, graph.visibleFrom(file), isType);
      const inputMessage = checkMethodType(input, method.input, method.inputSpan, file, report);
      const outputMessage = checkMethodType(output, method.output, method.outputSpan, file, report);
      if (inputMessage !== undefined) symbols.refer(file, inputMessage, method.inputSpan);
      if (outputMessage !== undefined) symbols.refer(file, outputMessage, method.outputSpan);
      if (inputMessage === undefined || outputMessage === undefined) continue;
      const draft: Draft<MethodDescriptor> = {
        name: method.name,
        fullName: methodName,
        input: inputMessage,
        output: outputMessage,
        clientStreaming: method.clientStreaming,
        serverStreaming: method.serverStreaming,
        deprecated: isDeprecated(method),
        options: NO_OPTIONS,
        comment: method.comment,
      };
      methods.push(draft);
      optionsLater('MethodOptions', method.options, { file, fullName: methodName }, keepIn(draft));
    }
    const draft: Draft<ServiceDescriptor> = {
      kind: 'service',
      name: declaration.name,
      fullName,
      file: file.path,
      methods,
      deprecated: isDeprecated(declaration),
      options: NO_OPTIONS,
      comment: declaration.comment,
    };
    services.set(fullName, draft);
    optionsLater('ServiceOptions', declaration.options, { file, fullName }, keepIn(draft));
  }

  const read = optionsReader({
    scope,
    graph,
    symbols,
    report,
    extensions,
    optionsMessage: (name) => messages.get(name) ?? optionsMessage(name),
  });
  for (const later of pending) {
    yield;
    later(read);
  }

  return { registry: { files, messages, enums, services, extensions }, symbols };
}

const isDeprecated = ({ options }: { readonly options: readonly RawOption[] }): boolean =>
  options.length > 0 && flagOf(options, 'deprecated') === true;

const keepIn = (descriptor: { readonly options: Readonly<Record<string, unknown>> }) => {
  const draft: Draft<typeof descriptor> = descriptor;
  return (options: Readonly<Record<string, unknown>>) => {
    draft.options = options;
  };
};

/** Names the message whose native form a bytes field holds (schemas/native/options.proto). */
const NATIVE_CONTENT = 'wirecost.native.content';

/** Shared by all messages that nothing extends: most. */
const NO_EXTENSIONS = new Map<number, FieldDescriptor>();

const entriesLast = (messages: readonly MessageDeclaration[]): readonly MessageDeclaration[] =>
  messages.length < 2 || !messages.some(({ isMapEntry }) => isMapEntry)
    ? messages
    : [...messages.filter(({ isMapEntry }) => !isMapEntry), ...messages.filter(({ isMapEntry }) => isMapEntry)];

const isType = (symbol: SchemaSymbol): boolean => symbol.kind === 'message' || symbol.kind === 'enum';

/** Edition 2024: what is not exported cannot be used by other files. */
function isLocalSymbol(visibility: Visibility | undefined, file: FileDeclaration, parent: string): boolean {
  if (visibility !== undefined) return visibility === 'local';
  // Older files export everything.
  if (file.syntax.startsWith('proto') || file.syntax === '2023') return false;
  const { default_symbol_visibility: rule } = inheritFeatures(defaultFeatures(file.syntax), file.options);
  if (rule === 'EXPORT_ALL') return false;
  return rule === 'EXPORT_TOP_LEVEL' ? parent !== file.package : true;
}
