/**
 * Links declarations into the registry, by protoc's rules. It resolves names, and decides presence, packing and
 * encoding by features. Everything that protoc rejects is reported at its place. Rejected declarations are left out,
 * and the others stay.
 *
 *   declare every name  →  link enums, messages  →  link extensions, services  →  read options
 *
 * For texts, all of this is done at once. For descriptor sets and texts without faults, only types and extensions are
 * declared. A type is made and linked on demand, and `check` links all types to report faults.
 */

import type {
  EnumDeclaration,
  FieldDeclaration,
  FileDeclaration,
  MessageDeclaration,
  Outline,
  ServiceDeclaration,
  WaitingDeclaration,
} from '../declaration.ts';
import type { FieldDescriptor, FileDescriptor, MessageDescriptor, Registry } from '../descriptor.ts';
import type { ImportGraph } from '../imports.ts';
import { ANY, parentOf } from '../names.ts';
import { plainWords } from '../options/raw-options.ts';
import type { ReportFinding } from '../report.ts';
import { definitionOf, SchemaSymbols } from '../symbols.ts';
import type { Span } from '../text/tokens.ts';
import { LinkedEnum } from './enum.ts';
import { checkDeclared } from './extension-declarations.ts';
import { defaultFeatures, type Features, featuresOf, isLocalSymbol } from './features.ts';
import { linkField } from './field.ts';
import { checkFile } from './file-rules.ts';
import { LazyMap } from './lazy-map.ts';
import { type Declare, declareOutsideScope, declareQuietly, declareWith, type Linking, silent } from './linking.ts';
import { LinkedMessage, NONE_REFUSED } from './message.ts';
import { checkNamingStyle } from './naming-style.ts';
import { NO_OPTIONS, type OptionsReader, optionsReader } from './options.ts';
import { isSameField, isSameType, type LinkedType } from './redeclared.ts';
import { checkExtension, isIdentifier, MAX_NAME } from './rules.ts';
import { isType, NameScope, qualify, type SchemaSymbol } from './scope.ts';
import { LinkedService } from './service.ts';

/** The registry, and the places of its names. */
export interface LinkedSchema {
  readonly registry: Registry;
  readonly symbols: SchemaSymbols;
  /** Links the remaining declarations in small steps, and reports errors. */
  readonly check: (report: ReportFinding) => Generator<undefined, void>;
  /** The number of those steps. */
  readonly unchecked: number;
}

interface ExtensionWork {
  readonly declaration: FieldDeclaration;
  /** Full name of the message or package it is declared in. */
  readonly scope: string;
  readonly file: FileDeclaration;
  readonly features: Features;
}

/** The place that a type is declared in. */
interface Around {
  readonly file: FileDeclaration;
  /** Full name of the message or package. */
  readonly scope: string;
  readonly features: Features;
}

/** A type of a name that another file has declared. */
interface Redeclared {
  readonly symbol: SchemaSymbol;
  readonly known: SchemaSymbol;
  readonly span: Span;
  readonly type: LinkedType;
}

/** Registers a name; false: the name is taken. */
type Take = Declare;

/** Places are kept when a text is linked, and not again when contents are linked on demand. */
type Places = Pick<SchemaSymbols, 'refer' | 'define'>;
const UNKEPT: Places = { refer: () => {}, define: () => {} };

const isWaiting = (entry: object): entry is WaitingDeclaration => 'readMessage' in entry;

/**
 * Yields often, so that its caller can do other work.
 * @param graph the files, and the files that each of them sees
 * @param optionsMessage the built-in descriptor of google.protobuf.FieldOptions and similar messages, if no file has it
 */
export function* link(
  graph: ImportGraph,
  optionsMessage: (name: string) => MessageDescriptor | undefined,
  report: ReportFinding,
): Generator<undefined, LinkedSchema> {
  const symbols = new SchemaSymbols();
  /** Every outermost declaration that is linked on demand, with its file. */
  const waiting = new Map<WaitingDeclaration, FileDeclaration>();
  const make = (declaration: WaitingDeclaration): void => {
    const file = waiting.get(declaration)!;
    const around = { file, scope: file.package, features: featuresOf(defaultFeatures(file.syntax), file, file) };
    // The declaration owns only the names that the declare step assigned to it.
    const take: Take = (symbol, span, extent) => {
      const map = symbol.kind === 'message' ? messages : symbol.kind === 'enum' ? enums : services;
      if (map.peek(symbol.fullName) !== declaration) return false;
      scope.add(symbol);
      if (extent !== undefined) symbols.define(file, symbol, span, extent);
      return true;
    };
    if (declaration.kind === 'message') addMessage(declaration.readMessage(), around, take);
    else if (declaration.kind === 'enum') addEnum(declaration.readEnum(), around, take);
    else addService(declaration.readService(), around, take);
  };
  const messages = new LazyMap<LinkedMessage, WaitingDeclaration>(isWaiting, make);
  const enums = new LazyMap<LinkedEnum, WaitingDeclaration>(isWaiting, make);
  const services = new LazyMap<LinkedService, WaitingDeclaration>(isWaiting, make);
  const extensions = new Map<string, FieldDescriptor>();
  const waits = (name: string): WaitingDeclaration | undefined => {
    const entry = messages.peek(name) ?? enums.peek(name) ?? services.peek(name);
    return entry !== undefined && isWaiting(entry) ? entry : undefined;
  };
  const scope = new NameScope((name) => {
    const declaration = waits(name);
    if (declaration !== undefined) make(declaration);
    return declaration !== undefined;
  });

  const enumWork: (readonly [LinkedEnum, refused: ReturnType<LinkedEnum['nameValues']>])[] = [];
  const messageWork: LinkedMessage[] = [];
  const serviceWork: LinkedService[] = [];
  const extensionWork: ExtensionWork[] = [];
  const files: FileDescriptor[] = [];

  const pending: (() => void)[] = [];
  let areExtensionsLinked = false;
  /** Declarations that are being linked on demand, within one another, and the options that wait for the outermost. */
  let onDemand = 0;
  const waitingOptions: (() => void)[] = [];
  const readerFor = (reported: ReportFinding, places: Places): OptionsReader =>
    optionsReader({
      scope,
      graph,
      symbols: places,
      report: reported,
      extensions,
      optionsMessage: (name) => messages.get(name) ?? optionsMessage(name),
    });
  const linkingWith = (
    reported: ReportFinding | undefined,
    places: Places,
    reader: OptionsReader,
    declare: Linking['declare'],
  ): Linking => ({
    scope,
    graph,
    symbols: places,
    report: reported,
    declare,
    withOptions: (read) => {
      if (areExtensionsLinked && onDemand === 0) read(reader);
      else (areExtensionsLinked ? waitingOptions : pending).push(() => read(reader));
    },
    beforeOptions: (link) => {
      onDemand++;
      link();
      onDemand--;
      if (onDemand === 0) for (const read of waitingOptions.splice(0)) read();
    },
  });
  const quietReader = readerFor(silent, UNKEPT);
  const quietly = () => linkingWith(undefined, UNKEPT, quietReader, declareQuietly());
  const named = declareWith((symbol) => scope.declare(symbol), scope, symbols, report);
  const linking = linkingWith(report, symbols, readerFor(report, symbols), named);
  const { declare } = linking;

  const addEnum = (declaration: EnumDeclaration, { file, scope: parent, features }: Around, take: Take) => {
    const fullName = qualify(parent, declaration.name);
    const descriptor = new LinkedEnum(declaration, fullName, file, featuresOf(features, declaration, file), quietly);
    const isLocal = isLocalSymbol(declaration.visibility, file, parent);
    const { span, extent } = declaration;
    if (!take({ kind: 'enum', fullName, file, enum: descriptor, isLocal }, span, extent)) return undefined;
    enums.set(fullName, descriptor);
    if (file.outline === undefined) enumWork.push([descriptor, descriptor.nameValues(linking)]);
    return descriptor;
  };

  const addMessage = (
    declaration: MessageDeclaration,
    { file, scope: parent, features: around }: Around,
    take: Take,
  ): MessageDescriptor | undefined => {
    const fullName = qualify(parent, declaration.name);
    const features = featuresOf(around, declaration, file);
    const descriptor = new LinkedMessage(declaration, fullName, file, features, quietly);
    const isLocal = isLocalSymbol(declaration.visibility, file, parent);
    const extent = declaration.isMapEntry ? undefined : declaration.extent;
    if (!take({ kind: 'message', fullName, file, message: descriptor, isLocal }, declaration.span, extent)) {
      return undefined;
    }
    if (fullName === ANY) descriptor.namedTypes = messages;
    messages.set(fullName, descriptor);
    if (file.outline === undefined) messageWork.push(descriptor);
    const inside = { file, scope: fullName, features };
    // Map entries are added last, so that a conflict with a declared type is reported at the map.
    if (declaration.messages.length > 0) {
      descriptor.messages = entriesLast(declaration.messages).flatMap(
        (nested) => addMessage(nested, inside, take) ?? [],
      );
    }
    if (declaration.enums.length > 0) {
      descriptor.enums = declaration.enums.flatMap((nested) => addEnum(nested, inside, take) ?? []);
    }
    for (const extension of declaration.extensions) extensionWork.push({ declaration: extension, ...inside });
    return descriptor;
  };

  const addService = (declaration: ServiceDeclaration, { file, scope: parent }: Around, take: Take): void => {
    const fullName = qualify(parent, declaration.name);
    const { span, extent } = declaration;
    if (!take({ kind: 'service', fullName, file }, span, extent)) return;
    const descriptor = new LinkedService(declaration, fullName, file, quietly);
    services.set(fullName, descriptor);
    if (file.outline === undefined) serviceWork.push(descriptor);
  };

  const redeclared: Redeclared[] = [];
  const redeclaredMessage = (declaration: MessageDeclaration, around: Around): LinkedMessage => {
    const { file } = around;
    const fullName = qualify(around.scope, declaration.name);
    scope.declareAlsoIn(file, fullName);
    const features = featuresOf(around.features, declaration, file);
    const message = new LinkedMessage(declaration, fullName, file, features, quietly);
    const inside = { file, scope: fullName, features };
    message.messages = declaration.messages.map((nested) => redeclaredMessage(nested, inside));
    message.enums = declaration.enums.map((nested) => redeclaredEnum(nested, inside));
    for (const extension of declaration.extensions) extensionWork.push({ declaration: extension, ...inside });
    return message;
  };
  const redeclaredEnum = (declaration: EnumDeclaration, { file, scope: parent, features }: Around): LinkedEnum => {
    const fullName = qualify(parent, declaration.name);
    scope.declareAlsoIn(file, fullName);
    return new LinkedEnum(declaration, fullName, file, featuresOf(features, declaration, file), quietly);
  };
  const redeclaredService = (declaration: ServiceDeclaration, { file, scope: parent }: Around): LinkedService =>
    new LinkedService(declaration, qualify(parent, declaration.name), file, quietly);

  /** Keeps a type for comparison if another file has declared its name. */
  const isRedeclared = <D extends { readonly name: string; readonly span: Span }>(
    kind: LinkedType['kind'],
    declaration: D,
    around: Around,
    make: (declaration: D, around: Around) => LinkedType,
  ): boolean => {
    const { file } = around;
    const fullName = qualify(around.scope, declaration.name);
    const known = scope.get(fullName);
    if (known === undefined || known.kind !== kind || known.file === file) return false;
    const symbol = { kind, fullName, file };
    redeclared.push({ symbol, known, span: declaration.span, type: make(declaration, around) });
    return true;
  };

  /** Registers type names of a descriptor set, without symbols. */
  const nameTypes = (file: FileDeclaration, outline: Outline): void => {
    const withExtensions = new Set<WaitingDeclaration>();
    const taken: (readonly [SchemaSymbol, WaitingDeclaration])[] = [];
    const isSound = outline.visit(file.package, {
      name(fullName, kind, outermost) {
        const symbol = { kind, fullName, file };
        // To report the conflict, the owner of the name is linked. That requires the names of everything in it.
        if (isTaken(fullName)) {
          taken.push([symbol, outermost]);
          return false;
        }
        // `declare` reports the conflict.
        if (!isFree(fullName) && !declare(symbol, file.packageSpan)) return false;
        waiting.set(outermost, file);
        (kind === 'message' ? messages : kind === 'enum' ? enums : services).set(fullName, outermost);
        return true;
      },
      extensions: (outermost) => withExtensions.add(outermost),
    });
    if (!isSound) {
      const text = 'This descriptor is damaged; undamaged types are read.';
      report(file, file.packageSpan, 'schema/not-a-set', text);
    }
    const around = { file, scope: file.package, features: featuresOf(defaultFeatures(file.syntax), file, file) };
    for (const [symbol, outermost] of taken) {
      if (!isRedeclaredInSet(symbol, outermost, around)) declare(symbol, file.packageSpan);
    }
    for (const declaration of withExtensions) make(declaration);
  };
  const isRedeclaredInSet = ({ fullName }: SchemaSymbol, outermost: WaitingDeclaration, around: Around): boolean => {
    // A conflict inside of a type, whose own name was free.
    if (waiting.has(outermost) || parentOf(fullName) !== around.scope) return false;
    if (outermost.kind === 'message')
      return isRedeclared('message', outermost.readMessage(), around, redeclaredMessage);
    if (outermost.kind === 'enum') return isRedeclared('enum', outermost.readEnum(), around, redeclaredEnum);
    return isRedeclared('service', outermost.readService(), around, redeclaredService);
  };
  const isTaken = (fullName: string): boolean =>
    messages.has(fullName) || enums.has(fullName) || services.has(fullName);
  const isFree = (fullName: string): boolean =>
    fullName.length <= MAX_NAME &&
    isIdentifier(fullName, fullName.lastIndexOf('.') + 1) &&
    !scope.isPackage(fullName) &&
    scope.get(fullName) === undefined;

  for (const file of graph.files) scope.declarePackage(file);
  for (const file of graph.files) {
    yield;
    const features = featuresOf(defaultFeatures(file.syntax), file, file);
    checkFile(file, graph, report);
    checkNamingStyle(file, report);
    const around = { file, scope: file.package, features };
    if (file.outline !== undefined) nameTypes(file, file.outline);
    for (const message of file.messages) {
      if (!isRedeclared('message', message, around, redeclaredMessage)) addMessage(message, around, declare);
    }
    for (const enumeration of file.enums) {
      if (!isRedeclared('enum', enumeration, around, redeclaredEnum)) addEnum(enumeration, around, declare);
    }
    for (const extension of file.extensions) extensionWork.push({ declaration: extension, ...around });
    for (const service of file.services) {
      if (!isRedeclared('service', service, around, redeclaredService)) addService(service, around, declare);
    }
    file.release?.();
    const descriptor = new LinkedFile(file, graph);
    files.push(descriptor);
    for (const declared of file.lines === undefined ? [] : file.imports) {
      const target = graph.targetOf(declared);
      if (target !== undefined) symbols.refer(file, { kind: 'file', fullName: target.path }, declared.span);
    }
    if (file.options.length > 0) {
      linking.withOptions((read) => {
        descriptor.options = read('FileOptions', file.options, file, qualify(file.package, 'file'));
      });
    }
  }

  // The names of fields can hide types, so all fields are declared before the first one is linked.
  const refused = new Map<LinkedMessage, ReadonlySet<FieldDeclaration>>();
  for (const descriptor of messageWork) {
    yield;
    const names = descriptor.nameFields(linking);
    if (names.size > 0) refused.set(descriptor, names);
  }
  for (const [descriptor, names] of enumWork) descriptor.link(linking, names);
  for (const descriptor of messageWork) {
    yield;
    descriptor.link(linking, refused.get(descriptor) ?? NONE_REFUSED);
    // Two members that are made on demand take a tenth of the memory of linked ones.
    if (descriptor.isMapEntry) descriptor.forget();
  }
  for (const { declaration, scope: parent, file, features } of extensionWork) {
    const fullName = qualify(parent, declaration.name);
    const found = scope.resolve(declaration.extendee ?? '', fullName, graph.visibleFrom(file), isType);
    const first = extensions.get(fullName);
    if (first !== undefined && first.file !== file.path && found.kind === 'symbol') {
      const again = linkField(declaration, first.parent, undefined, file, features, quietly(), fullName);
      if (again !== undefined && found.symbol.message === first.parent && isSameField(first, again)) {
        scope.declareAlsoIn(file, fullName);
        continue;
      }
    }
    if (!declare({ kind: 'extension', fullName, file }, declaration.span, declaration.extent)) continue;
    const extended = checkExtension(declaration, found, file, report);
    const target = extended && messages.get(extended.fullName);
    if (target === undefined) continue;
    symbols.refer(file, target, declaration.extendeeSpan);
    const linked = linkField(declaration, target, undefined, file, features, linking, fullName);
    if (linked === undefined) continue;
    target.extend(linked);
    extensions.set(fullName, linked);
    checkDeclared(linked, target.declaredRanges, declaration.numberSpan, file, report);
    if (declaration.options.length > 0) {
      linking.withOptions((read) => {
        linked.options = read('FieldOptions', declaration.options, file, fullName);
      });
    }
  }
  for (const descriptor of serviceWork) descriptor.link(linking);
  areExtensionsLinked = true;
  for (const read of pending) {
    yield;
    read();
  }
  for (const { symbol, known, span, type } of redeclared) {
    yield;
    const { fullName } = symbol;
    const first = messages.get(fullName) ?? enums.get(fullName) ?? services.get(fullName);
    if (isSameType(first, type)) continue;
    const line = definitionOf(symbols, known)?.place.line;
    const place = `"${known.file.path}"${line === undefined ? '' : `, line ${line}`}`;
    const text = `"${fullName}" is already defined in ${place}, with other contents; the first one counts.`;
    report(symbol.file, span, 'schema/duplicate-name', text);
  }

  const outlined = new Set(graph.files.filter(({ outline }) => outline !== undefined).map(({ path }) => path));
  /** Types whose names have their places. */
  const placed = new WeakSet<object>();
  function* check(reported: ReportFinding): Generator<undefined, void> {
    const taken = declareOutsideScope(scope);
    const linkingTo = (places: Places): Linking =>
      linkingWith(reported, places, readerFor(reported, places), declareWith(taken, scope, places, reported));
    const first = linkingTo(symbols);
    const again = linkingTo(UNKEPT);
    for (const types of [messages, enums, services]) {
      for (const descriptor of types.values()) {
        if (!outlined.has(descriptor.file)) continue;
        yield;
        const aloud = placed.has(descriptor) ? again : first;
        placed.add(descriptor);
        aloud.beforeOptions(() => descriptor.link(aloud));
      }
    }
  }
  return { registry: { files, messages, enums, services, extensions }, symbols, check, unchecked: waiting.size };
}

class LinkedFile implements FileDescriptor {
  readonly path: string;
  readonly package: string;
  readonly syntax: FileDescriptor['syntax'];
  options: FileDescriptor['options'] = NO_OPTIONS;
  readonly plain: Readonly<Record<string, string>>;
  readonly #graph: ImportGraph;
  readonly #declared: FileDeclaration['imports'];

  constructor({ path, package: name, syntax, imports, options }: FileDeclaration, graph: ImportGraph) {
    this.path = path;
    this.package = name;
    this.syntax = syntax;
    this.plain = plainWords(options);
    this.#graph = graph;
    this.#declared = imports;
  }

  get imports(): FileDescriptor['imports'] {
    return this.#declared.map((declared) => {
      return { path: declared.path, kind: declared.kind, file: this.#graph.targetOf(declared)?.path };
    });
  }
}

const entriesLast = (messages: readonly MessageDeclaration[]): readonly MessageDeclaration[] =>
  messages.length < 2 || !messages.some(({ isMapEntry }) => isMapEntry)
    ? messages
    : [...messages.filter(({ isMapEntry }) => !isMapEntry), ...messages.filter(({ isMapEntry }) => isMapEntry)];
