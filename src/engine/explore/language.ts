/**
 * Answers an editor's language features for a place in a file's text: the symbol, its declaration, its uses,
 * completions, and the outline of the file. Offsets are UTF-16 units of the compiled text.
 */

import { extensionCost, type FieldCost, schemaCost } from '../cost/schema-cost.ts';
import { plural } from '../model/count-text.ts';
import { SCALAR_TYPES } from '../schema/declaration.ts';
import type { EnumDescriptor, FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';
import { parentOf, shortNameOf } from '../schema/names.ts';
import {
  definitionOf,
  definitionsIn,
  referencesTo,
  type SymbolKind,
  type SymbolPlace,
  type SymbolUse,
  symbolAt,
} from '../schema/symbols.ts';
import type { Explored } from './describe.ts';
import { methodText, typeText } from './find-names.ts';

export interface Hover {
  readonly start: number;
  readonly end: number;
  /** `message shop.Order`, `repeated Line lines = 2`. */
  readonly title: string;
  /** Each is one sentence or figure. */
  readonly facts: readonly string[];
  readonly comment: string | null;
  /** Full name of its page; null: it has no page. */
  readonly page: string | null;
}

export interface OutlineEntry {
  readonly kind: SymbolKind;
  readonly name: string;
  /** The span of the name, and the span of the whole declaration. */
  readonly start: number;
  readonly end: number;
  readonly extentStart: number;
  readonly extentEnd: number;
}

export interface Completion {
  readonly label: string;
  readonly kind: 'message' | 'enum' | 'scalar' | 'option' | 'keyword' | 'file' | 'value';
  readonly detail: string;
}

type Words = Pick<Explored, 'registry' | 'symbols' | 'layoutOf'>;

/** The definition of a symbol, also at the definition itself. An import leads to the beginning of its file. */
export function definitionAt({ symbols }: Words, file: string, offset: number): SymbolPlace | null {
  const use = symbolAt(symbols, file, offset);
  return (use && definitionOf(symbols, use)?.place) ?? null;
}

/** The definition and all uses. */
export function referencesAt({ symbols }: Words, file: string, offset: number): readonly SymbolPlace[] {
  const use = symbolAt(symbols, file, offset);
  if (use === undefined) return [];
  const definition = definitionOf(symbols, use);
  return [...(definition && definition.kind !== 'file' ? [definition.place] : []), ...referencesTo(symbols, use)];
}

/** The file that declares the symbol, followed by up to `users` files that use it if it is a type. */
export function filesAround(
  { registry, symbols, graph }: Words & Pick<Explored, 'graph'>,
  file: string,
  offset: number,
  users: number,
): readonly string[] {
  const use = symbolAt(symbols, file, offset);
  if (use === undefined) return [];
  if (use.kind === 'file') return [use.fullName];
  const { messages, enums, services, extensions } = registry;
  const homeOf = (fullName: string): string | undefined =>
    (messages.get(fullName) ?? enums.get(fullName) ?? services.get(fullName) ?? extensions.get(fullName))?.file;
  const owner = parentOf(use.fullName);
  const files = new Set([homeOf(use.fullName) ?? homeOf(owner)]);
  const type = messages.get(use.fullName) ?? enums.get(use.fullName);
  for (const { by, owner: holder } of users > 0 && type ? graph.usedBy(type) : []) {
    if (files.size > users) break;
    files.add(homeOf(by) ?? homeOf(holder));
  }
  return [...files].filter((path) => path !== undefined);
}

export const outlineOf = ({ symbols }: Words, file: string): readonly OutlineEntry[] =>
  definitionsIn(symbols, file).map(({ kind, fullName, place, extent }) => ({
    kind,
    name: shortNameOf(fullName),
    start: place.start,
    end: place.end,
    extentStart: extent.start,
    extentEnd: extent.end,
  }));

export function hoverAt(words: Words, file: string, offset: number): Hover | null {
  const use = symbolAt(words.symbols, file, offset);
  if (use === undefined) return null;
  const { start, end } = use.place;
  const said = say(words, use);
  return said && { start, end, ...said };
}

function say({ registry, layoutOf }: Words, { kind, fullName }: SymbolUse): Omit<Hover, 'start' | 'end'> | null {
  const owner = parentOf(fullName);
  switch (kind) {
    case 'file': {
      const found = registry.files.find(({ path }) => path === fullName);
      if (!found) return null;
      return { title: `file ${fullName}`, facts: [`package ${found.package || '(none)'}`], comment: null, page: null };
    }
    case 'message': {
      const message = registry.messages.get(fullName);
      return message ? sayMessage(message, layoutOf) : null;
    }
    case 'enum': {
      const found = registry.enums.get(fullName);
      return found ? sayEnum(found) : null;
    }
    case 'field': {
      const field = registry.messages.get(owner)?.fields.find((candidate) => candidate.fullName === fullName);
      return field ? sayField(field, layoutOf) : null;
    }
    case 'extension': {
      const field = registry.extensions.get(fullName);
      return field ? sayField(field, layoutOf) : null;
    }
    case 'service': {
      const service = registry.services.get(fullName);
      if (!service) return null;
      const facts = [plural(service.methods.length, 'method')];
      return { title: `service ${fullName}`, facts, comment: service.comment ?? null, page: fullName };
    }
    case 'method': {
      const method = registry.services.get(owner)?.methods.find((candidate) => candidate.fullName === fullName);
      if (!method) return null;
      return { title: `rpc ${fullName}`, facts: [methodText(method)], comment: method.comment ?? null, page: fullName };
    }
    case 'value': {
      const name = fullName.slice(owner === '' ? 0 : owner.length + 1);
      for (const { fullName: of, values } of registry.enums.values()) {
        const value = values.find((candidate) => candidate.name === name);
        if (value === undefined || parentOf(of) !== owner) continue;
        const facts = [`value of ${of}`];
        return { title: `${name} = ${value.number}`, facts, comment: value.comment ?? null, page: of };
      }
      return null;
    }
    case 'oneof': {
      const oneof = registry.messages.get(owner)?.oneofs.find(({ name }) => `${owner}.${name}` === fullName);
      if (!oneof) return null;
      const facts = [`at most one of ${oneof.fields.map(({ name }) => name).join(', ')}`];
      return { title: `oneof ${fullName}`, facts, comment: oneof.comment ?? null, page: owner };
    }
  }
}

function sayMessage(message: MessageDescriptor, layoutOf: Words['layoutOf']): Omit<Hover, 'start' | 'end'> {
  const { leastProtobuf, leastNative, nativeFlags } = schemaCost(message, layoutOf);
  return {
    title: `message ${message.fullName}`,
    facts: [
      plural(message.fields.length, 'field'),
      `smallest: protobuf ${plural(leastProtobuf, 'byte')}, native ${plural(leastNative, 'byte')} with ${plural(nativeFlags, 'flag')}`,
    ],
    comment: message.comment ?? null,
    page: message.fullName,
  };
}

const sayEnum = ({ fullName, values, closed, comment }: EnumDescriptor): Omit<Hover, 'start' | 'end'> => ({
  title: `enum ${fullName}`,
  facts: [`${plural(values.length, 'value')}, ${closed ? 'closed' : 'open'}`],
  comment: comment ?? null,
  page: fullName,
});

function sayField(field: FieldDescriptor, layoutOf: Words['layoutOf']): Omit<Hover, 'start' | 'end'> {
  const cost = field.isExtension
    ? extensionCost(field)
    : schemaCost(field.parent, layoutOf).fields.find(({ fullName }) => fullName === field.fullName);
  const { presence, packed, number } = field;
  return {
    title: `${typeText(field)} ${field.name} = ${number}`,
    facts: [
      field.fullName,
      ...(presence === 'none' ? [packed ? 'packed' : 'one record for each element'] : [`${presence} presence`]),
      ...(cost ? costFacts(cost) : []),
    ],
    comment: field.comment ?? null,
    page: field.fullName,
  };
}

function costFacts({ tagBytes, width, protobuf, native }: FieldCost): readonly string[] {
  const widths = {
    fixed: 'of fixed width',
    varint: 'a varint, as wide as the number needs',
    'length-prefixed': 'behind its length',
    group: 'between two tags',
  };
  return [
    `tag ${plural(tagBytes, 'byte')}; the value ${widths[width]}`,
    `protobuf: absent ${protobuf.absent}, present ${range(protobuf)}`,
    ...(native ? [`native (${native.writer}): absent ${native.absent}, present ${range(native)}`] : []),
  ];
}

const range = ({ least, most }: { readonly least: number; readonly most: number | undefined }): string =>
  most === undefined ? `${least} bytes and more` : most === least ? plural(least, 'byte') : `${least} to ${most} bytes`;

const KEYWORDS = [
  'message',
  'enum',
  'service',
  'rpc',
  'oneof',
  'repeated',
  'optional',
  'required',
  'map',
  'reserved',
  'extensions',
  'extend',
  'option',
  'import',
  'package',
  'returns',
  'stream',
];

/** Maximum number of offered completions; further typing narrows them. */
const OFFERED = 300;

/**
 * Completions after `before`, which is the file's text up to the cursor: options, paths in an import, or else types and
 * keywords.
 */
export function completionsAt({ registry }: Words, before: string): readonly Completion[] {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  if (/^\s*import\s+(?:public\s+|weak\s+|option\s+)?["'][^"']*$/.test(line)) {
    return registry.files.slice(0, 5000).map(({ path }) => ({ label: path, kind: 'file', detail: '' }));
  }
  const kind = optionsKindAt(before, line);
  if (kind !== null) return optionsOf(registry, kind);
  const word = (/[\w.]*$/.exec(line)?.[0] ?? '').toLowerCase();
  const scope = /(?:^|[;}])\s*package\s+([\w.]+)\s*;/m.exec(before)?.[1];
  const types: Completion[] = [];
  for (const type of [...registry.messages.values(), ...registry.enums.values()]) {
    if (type.kind === 'message' && type.isMapEntry) continue;
    if (word !== '' && !type.fullName.toLowerCase().includes(word)) continue;
    const isNear = scope !== undefined && type.fullName.startsWith(`${scope}.`);
    const label = isNear && !word.includes('.') ? type.fullName.slice(scope.length + 1) : type.fullName;
    types.push({ label, kind: type.kind, detail: type.file });
    if (types.length >= OFFERED) break;
  }
  return [
    ...SCALAR_TYPES.map((label): Completion => ({ label, kind: 'scalar', detail: 'scalar' })),
    ...KEYWORDS.map((label): Completion => ({ label, kind: 'keyword', detail: '' })),
    ...types,
  ];
}

/**
 * The message of google/protobuf/descriptor.proto whose fields are the possible options; null: no option can be here.
 */
function optionsKindAt(before: string, line: string): string | null {
  const bracket = before.lastIndexOf('[');
  const isInBrackets = bracket >= 0 && !/[\];{}]/.test(before.slice(bracket));
  if (isInBrackets && /[[,]\s*\(?[\w.]*$/.test(before)) return 'FieldOptions';
  if (!/^\s*option\s+\(?[\w.]*$/.test(line)) return null;
  const opened: string[] = [];
  for (const [text, keyword] of before
    .replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\/|"[^"\n]*"/g, '')
    .matchAll(/\b(message|enum|service|rpc|oneof)\b[^{};]*\{|[{}]/g)) {
    if (text === '}') opened.pop();
    else opened.push(keyword ?? '');
  }
  const around: Readonly<Record<string, string>> = {
    message: 'MessageOptions',
    enum: 'EnumOptions',
    service: 'ServiceOptions',
    rpc: 'MethodOptions',
    oneof: 'OneofOptions',
  };
  return around[opened.at(-1) ?? ''] ?? 'FileOptions';
}

function optionsOf(registry: Words['registry'], kind: string): readonly Completion[] {
  const fullName = `google.protobuf.${kind}`;
  const plain = (registry.messages.get(fullName)?.fields ?? [])
    .filter(({ name }) => name !== 'uninterpreted_option')
    .map((field): Completion => ({ label: field.name, kind: 'option', detail: typeText(field) }));
  const usual =
    plain.length > 0
      ? plain
      : ['deprecated', ...(kind === 'FieldOptions' ? ['packed', 'json_name'] : [])].map(
          (label): Completion => ({ label, kind: 'option', detail: '' }),
        );
  const custom = [...registry.extensions.values()]
    .filter(({ parent }) => parent.fullName === fullName)
    .map((field): Completion => ({ label: `(${field.fullName})`, kind: 'option', detail: typeText(field) }));
  return [...usual, ...custom];
}
