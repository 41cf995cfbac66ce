/** A name or path in a registry → its page. */
import { varintWidth } from '../bytes/varint.ts';
import { nestingFindings } from '../cost/cost-findings.ts';
import { extensionCost, type FieldCost, schemaCost } from '../cost/schema-cost.ts';
import type { LayoutOf } from '../native/layout.ts';
import type {
  EnumDescriptor,
  FieldDescriptor,
  MessageDescriptor,
  Registry,
  ServiceDescriptor,
} from '../schema/descriptor.ts';
import { MAX_ENUM_NUMBER, MAX_FIELD_NUMBER } from '../schema/link/rules.ts';
import { parentOf, shortNameOf } from '../schema/names.ts';
import { rangeText } from '../schema/range-text.ts';
import { definitionOf, type SchemaSymbols } from '../schema/symbols.ts';
import { type TypeGraph, type TypeUse, valueTypeOf } from '../schema/type-graph.ts';
import type { Catalog, CatalogNode } from './catalog.ts';
import { methodText, typeText } from './find-names.ts';
import { optionTexts } from './option-texts.ts';
import type {
  EnumPage,
  ExtensionPage,
  FieldEntry,
  FilePage,
  MessagePage,
  PackagePage,
  ServicePage,
  SymbolPage,
  UseEntry,
  WholeFile,
} from './pages.ts';

/** Maximum number of fields and uses in a page; the rest is counted. */
const LISTED_FIELDS = 2000;
const LISTED_USES = 500;

export interface Explored {
  readonly registry: Registry;
  readonly symbols: SchemaSymbols;
  readonly catalog: Catalog;
  readonly graph: TypeGraph;
  readonly layoutOf: LayoutOf;
}

/** `name`: of a message, enum, service or extension, or of a member of one. null: nothing has the name. */
export function describeSymbol(explored: Explored, name: string): SymbolPage | null {
  const { messages, enums, services, extensions } = explored.registry;
  const message = messages.get(name);
  if (message) return describeMessage(explored, message);
  const enumeration = enums.get(name);
  if (enumeration) return describeEnum(explored, enumeration);
  const service = services.get(name);
  if (service) return describeService(explored, service);
  const extension = extensions.get(name);
  return extension ? describeExtension(explored, extension) : describeOwner(explored, name);
}

const describeEnum = (explored: Explored, enumeration: EnumDescriptor): EnumPage => ({
  ...baseOf(explored, enumeration),
  kind: 'enum',
  file: enumeration.file,
  package: packageOf(explored.registry, enumeration.file),
  closed: enumeration.closed,
  values: enumeration.values.map(({ name, number, deprecated, options, comment }) => ({
    name,
    number,
    valueBytes: number < 0 ? 10 : varintWidth(number, 0),
    deprecated,
    options: optionTexts(explored.registry, options),
    comment: comment ?? null,
  })),
  reserved: reservedTexts(enumeration),
});

const describeService = (explored: Explored, service: ServiceDescriptor): ServicePage => ({
  ...baseOf(explored, service),
  kind: 'service',
  file: service.file,
  package: packageOf(explored.registry, service.file),
  methods: service.methods.map((method) => ({
    name: method.name,
    path: `/${service.fullName}/${method.name}`,
    input: method.input.fullName,
    output: method.output.fullName,
    clientStreaming: method.clientStreaming,
    serverStreaming: method.serverStreaming,
    deprecated: method.deprecated,
    options: optionTexts(explored.registry, method.options),
    comment: method.comment ?? null,
  })),
});

function describeExtension(explored: Explored, extension: FieldDescriptor): ExtensionPage {
  const base = baseOf(explored, extension);
  let scope = parentOf(extension.fullName);
  while (explored.registry.messages.has(scope)) scope = parentOf(scope);
  return {
    ...base,
    kind: 'extension',
    package: scope,
    extended: extension.parent.fullName,
    field: describeField(explored, extension, extensionCost(extension)),
  };
}

/** The page that describes a field, method or enum value. */
function describeOwner(explored: Explored, name: string): SymbolPage | null {
  const { registry } = explored;
  const owner = parentOf(name);
  if (owner === '') {
    const byValue = [...registry.enums.values()].find(
      ({ fullName, values }) => !fullName.includes('.') && values.some((value) => value.name === name),
    );
    return byValue ? describeSymbol(explored, byValue.fullName) : null;
  }
  const member = name.slice(owner.length + 1);
  const message = registry.messages.get(owner);
  if (message?.fields.some((field) => field.name === member)) return describeMessage(explored, message);
  if (registry.services.get(owner)?.methods.some((method) => method.name === member))
    return describeSymbol(explored, owner);
  // The names of enum values belong to the scope around the enum.
  for (const { fullName, values } of registry.enums.values()) {
    if (parentOf(fullName) === owner && values.some((value) => value.name === member))
      return describeSymbol(explored, fullName);
  }
  return null;
}

function describeMessage(explored: Explored, message: MessageDescriptor): MessagePage {
  const { registry, catalog, graph, layoutOf } = explored;
  const listed = message.fields.slice(0, LISTED_FIELDS);
  const { fields: costs, ...cost } = schemaCost(message, layoutOf);
  const depth = graph.depth(message);
  return {
    ...baseOf(explored, message),
    kind: 'message',
    cost,
    file: message.file,
    package: packageOf(registry, message.file),
    syntax: registry.files.find(({ path }) => path === message.file)?.syntax ?? '',
    fields: listed.map((field, index) => describeField(explored, field, costs[index]!)),
    moreFields: message.fields.length - listed.length,
    oneofs: message.oneofs.map(({ name, options, comment }) => ({
      name,
      options: optionTexts(registry, options),
      comment: comment ?? null,
    })),
    extensions: [...message.extensions.values()]
      .slice(0, LISTED_FIELDS)
      .map((field) => describeField(explored, field, extensionCost(field))),
    nested: catalog.children('package', `message:${message.fullName}`),
    uses: graph.uses(message),
    depth: Number.isFinite(depth) ? depth : null,
    cycle: (graph.cycle(message) ?? []).map((field) => shortNameOf(field)),
    reserved: reservedTexts(message),
    extensionRanges: message.extensionRanges.map((range) => rangeText(range, MAX_FIELD_NUMBER)),
  };
}

function describeField({ registry, graph }: Explored, field: FieldDescriptor, cost: FieldCost): FieldEntry {
  return {
    name: field.name,
    fullName: field.fullName,
    jsonName: field.jsonName,
    number: field.number,
    type: { text: typeText(field), leadsTo: valueTypeOf(field)?.fullName ?? null },
    presence: field.presence,
    packed: field.packed,
    oneof: field.oneof?.name ?? null,
    isExtension: field.isExtension,
    deprecated: field.deprecated,
    defaultValue: field.defaultValue ?? null,
    options: optionTexts(registry, field.options),
    comment: field.comment ?? null,
    tagBytes: varintWidth(field.number << 3, 0),
    cost: { ...cost, findings: [...cost.findings, ...nestingFindings(field, graph)] },
  };
}

export function describeFile({ registry, catalog }: Explored, path: string): FilePage | null {
  const file = registry.files.find((candidate) => candidate.path === path);
  if (!file) return null;
  return {
    kind: 'file',
    path,
    package: file.package,
    syntax: file.syntax,
    options: optionTexts(registry, file.options),
    imports: file.imports.map(({ path: imported, kind, file: found }) => ({
      path: imported,
      kind,
      file: found ?? null,
    })),
    importedBy: registry.files
      .filter(({ imports }) => imports.some((imported) => imported.file === path))
      .map((other) => other.path),
    declares: catalog.children('file', `file:${path}`),
  };
}

/** A file, and every symbol in it. */
export function describeWhole(explored: Explored, path: string): WholeFile | null {
  const file = describeFile(explored, path);
  if (file === null) return null;
  const symbols: SymbolPage[] = [];
  const add = ({ name }: CatalogNode): void => {
    const page = describeSymbol(explored, name);
    if (page === null) return;
    symbols.push(page);
    if (page.kind === 'message') page.nested.forEach(add);
  };
  file.declares.forEach(add);
  return { file, symbols };
}

export function describeGroup({ catalog }: Explored, kind: 'package' | 'folder', name: string): PackagePage | null {
  const contents = catalog.children(kind === 'package' ? 'package' : 'file', `${kind}:${name}`);
  return contents.length === 0 ? null : { kind, name, contents };
}

type Described = Pick<MessageDescriptor, 'name' | 'fullName' | 'deprecated' | 'options' | 'comment'>;

function baseOf({ registry, symbols, graph }: Explored, described: Described) {
  const { name, fullName, deprecated, options, comment } = described;
  const type = registry.messages.get(fullName) ?? registry.enums.get(fullName);
  const users = type === undefined ? [] : onePerUser(graph.usedBy(type));
  const parent = parentOf(fullName);
  const place = definitionOf(symbols, { kind: 'message', fullName })?.place;
  return {
    fullName,
    name,
    parent: registry.messages.has(parent) ? parent : null,
    place: place ? { file: place.file, line: place.line, column: place.column } : null,
    deprecated,
    comment: comment ?? null,
    options: optionTexts(registry, options),
    usedBy: users.slice(0, LISTED_USES).map((use) => describeUse(registry, use)),
    moreUses: Math.max(0, users.length - LISTED_USES),
  };
}

/** Removes duplicates: a method may have the same request and response type. */
const onePerUser = (uses: readonly TypeUse[]): readonly TypeUse[] =>
  uses.filter(({ by }, index) => by !== uses[index - 1]?.by);

function describeUse(registry: Registry, { role, by, owner }: TypeUse): UseEntry {
  const member = shortNameOf(by);
  const holder = shortNameOf(owner);
  switch (role) {
    case 'field': {
      const field = registry.messages.get(owner)?.fields.find(({ fullName }) => fullName === by);
      return { kind: 'field', fullName: by, label: `${holder}.${member}`, type: field ? typeText(field) : '' };
    }
    case 'extension':
      return { kind: 'extension', fullName: by, label: by, type: `extends ${holder}` };
    case 'extendee':
      return { kind: 'extension', fullName: by, label: by, type: 'extends it' };
    default: {
      const method = registry.services.get(owner)?.methods.find(({ fullName }) => fullName === by);
      return { kind: 'method', fullName: by, label: `${holder}.${member}`, type: method ? methodText(method) : '' };
    }
  }
}

const packageOf = (registry: Registry, path: string): string =>
  registry.files.find((file) => file.path === path)?.package ?? '';

const reservedTexts = (type: MessageDescriptor | EnumDescriptor) => [
  ...type.reservedRanges.map((range) => rangeText(range, type.kind === 'enum' ? MAX_ENUM_NUMBER : MAX_FIELD_NUMBER)),
  ...type.reservedNames.map((name) => JSON.stringify(name)),
];
