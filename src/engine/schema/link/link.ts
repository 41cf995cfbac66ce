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

import type { FieldDeclaration } from '../declaration.ts';
import type { FieldDescriptor, FileDescriptor, MessageDescriptor, Registry } from '../descriptor.ts';
import type { ImportGraph } from '../imports.ts';
import type { ReportFinding } from '../report.ts';
import { SchemaSymbols } from '../symbols.ts';
import { LinkingContexts, type Places, type ReportingLinking, UNKEPT } from './contexts.ts';
import { aroundTypesOf, DeclaredTypes } from './declared-types.ts';
import { linkExtension } from './extension.ts';
import { LinkedFile } from './file.ts';
import { checkFile } from './file-rules.ts';
import { declareOutsideScope, declareWith, type Linking } from './linking.ts';
import { type LinkedMessage, NONE_REFUSED } from './message.ts';
import { checkNamingStyle } from './naming-style.ts';
import { RedeclaredTypes } from './redeclared-types.ts';
import { NameScope, qualify } from './scope.ts';

/** The registry, and the places of its names. */
export interface LinkedSchema {
  readonly registry: Registry;
  readonly symbols: SchemaSymbols;
  /** Links the remaining declarations in small steps, and reports errors. */
  readonly check: (report: ReportFinding) => Generator<undefined, void>;
  /** The number of those steps. */
  readonly unchecked: number;
}

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
  const extensions = new Map<string, FieldDescriptor>();
  const scope = new NameScope((name) => types.awaken(name));
  const contexts = new LinkingContexts({
    scope,
    graph,
    extensions,
    optionsMessage: (name) => types.messages.get(name) ?? optionsMessage(name),
  });
  const { quietly } = contexts;
  const declare = declareWith((symbol) => scope.declare(symbol), scope, symbols, report);
  const linking = contexts.reporting(report, symbols, declare);
  const types: DeclaredTypes = new DeclaredTypes(symbols, linking, quietly);
  const redeclared = new RedeclaredTypes(types, scope, quietly);

  const files = yield* declareFiles(types, redeclared, linking);
  yield* linkTypes(types, linking);
  for (const extension of types.toLink.extensions) linkExtension(extension, types, extensions, linking, quietly);
  for (const service of types.toLink.services) service.link(linking);
  yield* contexts.readOptions();
  yield* redeclared.compare(symbols, report);

  const { messages, enums, services } = types;
  const registry = { files, messages, enums, services, extensions };
  return { registry, symbols, check: checkerOf(types, linking, contexts, symbols), unchecked: types.waiting };
}

/** Declares the names of all files. */
function* declareFiles(
  types: DeclaredTypes,
  redeclared: RedeclaredTypes,
  linking: ReportingLinking,
): Generator<undefined, readonly FileDescriptor[]> {
  const { scope, graph, symbols, report } = linking;
  const files: FileDescriptor[] = [];
  for (const file of graph.files) scope.declarePackage(file);
  for (const file of graph.files) {
    yield;
    checkFile(file, graph, report);
    checkNamingStyle(file, report);
    const around = aroundTypesOf(file);
    if (file.outline !== undefined) types.nameTypes(file, file.outline, redeclared);
    for (const message of file.messages) {
      if (!redeclared.keepsMessage(message, around)) types.addMessage(message, around);
    }
    for (const enumeration of file.enums) {
      if (!redeclared.keepsEnum(enumeration, around)) types.addEnum(enumeration, around);
    }
    types.addExtensions(file.extensions, around);
    for (const service of file.services) {
      if (!redeclared.keepsService(service, around)) types.addService(service, around);
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
  return files;
}

/** Links the enums and messages of texts. */
function* linkTypes({ toLink }: DeclaredTypes, linking: ReportingLinking): Generator<undefined, void> {
  // The names of fields can hide types, so all fields are declared before the first one is linked.
  const refused = new Map<LinkedMessage, ReadonlySet<FieldDeclaration>>();
  for (const descriptor of toLink.messages) {
    yield;
    const names = descriptor.nameFields(linking);
    if (names.size > 0) refused.set(descriptor, names);
  }
  for (const [descriptor, names] of toLink.enums) descriptor.link(linking, names);
  for (const descriptor of toLink.messages) {
    yield;
    descriptor.link(linking, refused.get(descriptor) ?? NONE_REFUSED);
    // Two members that are made on demand take a tenth of the memory of linked ones.
    if (descriptor.isMapEntry) descriptor.forget();
  }
}

/** Links the types of descriptor sets and sound texts again, with findings. */
function checkerOf(
  { messages, enums, services }: DeclaredTypes,
  { scope, graph }: Linking,
  contexts: LinkingContexts,
  symbols: SchemaSymbols,
): LinkedSchema['check'] {
  const outlined = new Set(graph.files.filter(({ outline }) => outline !== undefined).map(({ path }) => path));
  /** Types whose names have their places. */
  const placed = new WeakSet<object>();
  return function* check(report) {
    const taken = declareOutsideScope(scope);
    const linkingTo = (places: Places) => contexts.reporting(report, places, declareWith(taken, scope, places, report));
    const first = linkingTo(symbols);
    const again = linkingTo(UNKEPT);
    for (const types of [messages, enums, services]) {
      for (const descriptor of types.values()) {
        if (!outlined.has(descriptor.file)) continue;
        yield;
        const linking = placed.has(descriptor) ? again : first;
        placed.add(descriptor);
        linking.beforeOptions(() => descriptor.link(linking));
      }
    }
  };
}
