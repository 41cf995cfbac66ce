/**
 * Two versions of a schema → the changes of each type, and whether each version can read the other's messages.
 * https://protobuf.dev/programming-guides/proto3/#updating
 *
 * Fields are matched by name, and the remaining ones by number: a field with a new number is renumbered, a field with a
 * new name is renamed. Types are matched by full name, and the remaining ones by their name in the package if that is
 * unambiguous.
 */

import type {
  EnumDescriptor,
  FieldDescriptor,
  MessageDescriptor,
  MethodDescriptor,
  Registry,
  ServiceDescriptor,
} from '../descriptor.ts';
import { MAX_ENUM_NUMBER, MAX_FIELD_NUMBER } from '../link/rules.ts';
import { rangeText } from '../range-text.ts';
import {
  compareField,
  compareNative,
  comparePlain,
  type FieldChange,
  hasNativeOptions,
  type PlainRule,
} from './compare-fields.ts';
import { compareFiles, type FileChange } from './compare-files.ts';
import type { SameType } from './compare-types.ts';
import type { CompatibilityLevel } from './type-verdicts.ts';
import {
  type CompatibilitySide,
  compatibilityOf,
  type DifferenceReason,
  EXCHANGED_SIDES,
  type SideVerdicts,
  sidesOf,
  worstOf,
  worstSides,
} from './verdicts.ts';

export interface ValueChange {
  readonly kind: 'added' | 'removed' | 'renamed' | 'renumbered';
  /** `NAME = 1` in each version; undefined: the version does not have it. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly verdict: CompatibilityLevel;
  readonly sides: SideVerdicts;
  readonly reasons: readonly DifferenceReason[];
}

export interface MethodChange {
  readonly kind: 'added' | 'removed' | 'changed';
  readonly name: string;
  /** `rpc (stream a.B) returns (c.D)`. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly verdict: CompatibilityLevel;
  readonly sides: SideVerdicts;
  readonly reasons: readonly DifferenceReason[];
}

export interface SymbolChange {
  readonly type: 'message' | 'enum' | 'service';
  readonly kind: 'added' | 'removed' | 'moved' | 'changed';
  /** Full names in each version; undefined: the version does not have the type. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Whether messages can be read: the worst verdict of all parts. */
  readonly verdict: CompatibilityLevel;
  readonly sides: SideVerdicts;
  /** Reasons about the type itself. */
  readonly reasons: readonly DifferenceReason[];
  readonly fields: readonly FieldChange[];
  readonly values: readonly ValueChange[];
  readonly methods: readonly MethodChange[];
}

export interface SchemaComparison {
  /** Whether messages can be read. */
  readonly verdict: CompatibilityLevel;
  readonly sides: SideVerdicts;
  readonly files: readonly FileChange[];
  /** Changed types in the order of the second version, then removed ones. */
  readonly types: readonly SymbolChange[];
  /** Number of unchanged types that both versions have. */
  readonly unchanged: number;
}

/** @param includes which types are compared, by file; default: all */
export function compareSchemas(
  before: Registry,
  after: Registry,
  includes: (file: string) => boolean = () => true,
): SchemaComparison {
  const types: SymbolChange[] = [];
  const gone: SymbolChange[] = [];
  let unchanged = 0;
  const kept = (type: Named) => includes(type.file) && !(type.kind === 'message' && type.isMapEntry);
  const pair = <T extends Named>(a: ReadonlyMap<string, T>, b: ReadonlyMap<string, T>) =>
    pairTypes(a, b, before, after, kept);
  const messages = pair(before.messages, after.messages);
  const enums = pair(before.enums, after.enums);
  const isSame: SameType = (a, b) =>
    a.fullName === b.fullName || (b.kind === 'message' ? messages.get(b) : enums.get(b)) === a;
  const compare = <T extends Named>(
    ours: ReadonlyMap<string, T>,
    theirs: ReadonlyMap<string, T>,
    pairs: ReadonlyMap<T, T>,
    change: (a: T, b: T) => SymbolChange | undefined,
  ) => {
    for (const type of theirs.values()) {
      if (!kept(type)) continue;
      const a = pairs.get(type);
      const found = a === undefined ? whole(type, 'added') : change(a, type);
      if (found === undefined) unchanged++;
      else types.push(found);
    }
    const paired = new Set(pairs.values());
    for (const type of ours.values()) if (kept(type) && !paired.has(type)) gone.push(whole(type, 'removed'));
  };
  compare(before.messages, after.messages, messages, (a, b) => compareMessages(a, b, isSame));
  compare(before.enums, after.enums, enums, compareEnums);
  compare(before.services, after.services, pair(before.services, after.services), compareServices);
  const extended = compareExtensions(before, after, includes, isSame);
  const all = [...types, ...gone].map((type) => withExtensions(type, extended));
  for (const [name, fields] of extended) all.push(extendedOnly(name, fields));
  const files = compareFiles(before, after, includes);
  return {
    verdict: worstOf([...all, ...files].map(({ verdict }) => verdict)),
    sides: worstSides([...all, ...files].map(({ sides }) => sides)),
    files,
    types: all,
    unchanged,
  };
}

/** Extensions that changed, by the full name of the message that they extend. */
function compareExtensions(
  before: Registry,
  after: Registry,
  includes: (file: string) => boolean,
  isSame: SameType,
): Map<string, readonly FieldChange[]> {
  const changes = new Map<string, readonly FieldChange[]>();
  for (const name of new Set([...after.extensions.keys(), ...before.extensions.keys()])) {
    const [a, b] = [before.extensions.get(name), after.extensions.get(name)];
    if (!includes((b ?? a)!.file)) continue;
    const pairs = a && b && !isSame(a.parent, b.parent) ? [[a], [undefined, b]] : [[a, b]];
    for (const [was, is] of pairs) {
      const { fullName } = (is ?? was)!.parent;
      const [old, now] = [was?.parent ?? before.messages.get(fullName), is?.parent ?? after.messages.get(fullName)];
      const change = compareField(was, is, old, now, isSame);
      if (change !== undefined) changes.set(fullName, [...(changes.get(fullName) ?? []), change]);
    }
  }
  return changes;
}

/** Moves the type's extensions from `extended` to the type. */
function withExtensions(type: SymbolChange, extended: Map<string, readonly FieldChange[]>): SymbolChange {
  const fields = type.type === 'message' && type.after !== undefined ? extended.get(type.after) : undefined;
  if (fields === undefined) return type;
  extended.delete(type.after!);
  const all = [type, ...fields];
  return {
    ...type,
    fields: [...type.fields, ...fields],
    verdict: worstOf(all.map(({ verdict }) => verdict)),
    sides: worstSides(all.map(({ sides }) => sides)),
  };
}

const extendedOnly = (name: string, fields: readonly FieldChange[]): SymbolChange => ({
  type: 'message',
  kind: 'changed',
  before: name,
  after: name,
  verdict: worstOf(fields.map(({ verdict }) => verdict)),
  sides: worstSides(fields.map(({ sides }) => sides)),
  reasons: [],
  fields,
  values: [],
  methods: [],
});

/** Types of the second version, each with its match in the first. */
function pairTypes<T extends { readonly fullName: string; readonly file: string }>(
  ours: ReadonlyMap<string, T>,
  theirs: ReadonlyMap<string, T>,
  before: Registry,
  after: Registry,
  kept: (type: T) => boolean,
): ReadonlyMap<T, T> {
  const pairs = new Map<T, T>();
  for (const [name, b] of theirs) {
    const a = ours.get(name);
    if (a !== undefined && kept(a) && kept(b)) pairs.set(b, a);
  }
  const left = (types: ReadonlyMap<string, T>, others: ReadonlyMap<string, T>, registry: Registry) => {
    const packages = new Map(registry.files.map((file) => [file.path, file.package]));
    const byName = new Map<string, T | undefined>();
    for (const [fullName, type] of types) {
      if (others.has(fullName) || !kept(type)) continue;
      const prefix = packages.get(type.file);
      const name = prefix ? fullName.slice(prefix.length + 1) : fullName;
      byName.set(name, byName.has(name) ? undefined : type);
    }
    return byName;
  };
  const candidates = left(ours, theirs, before);
  for (const [name, b] of left(theirs, ours, after)) {
    const a = candidates.get(name);
    if (a !== undefined && b !== undefined) pairs.set(b, a);
  }
  return pairs;
}

type Named = MessageDescriptor | EnumDescriptor | ServiceDescriptor;

/** Affects the exchanged sides, unless others are given. */
const reason = (
  verdict: CompatibilityLevel,
  message: string,
  ...about: readonly CompatibilitySide[]
): DifferenceReason => ({
  verdict,
  message,
  about: about.length === 0 ? EXCHANGED_SIDES : about,
});

const UNCOMPILED = reason('unsafe', 'Code that uses it no longer compiles.', 'source');

const REMOVED: Readonly<Record<Named['kind'], DifferenceReason>> = {
  message: reason('conditional', 'Programs that still read or write this message need the old version.'),
  enum: reason('conditional', 'Fields of this type must have found another one.'),
  service: reason('unsafe', 'The service was removed: calls to it fail.'),
};

function whole(type: Named, kind: 'added' | 'removed'): SymbolChange {
  const reasons = kind === 'removed' ? [REMOVED[type.kind], UNCOMPILED] : [];
  return {
    type: type.kind,
    kind,
    before: kind === 'removed' ? type.fullName : undefined,
    after: kind === 'added' ? type.fullName : undefined,
    verdict: compatibilityOf(reasons),
    sides: sidesOf(reasons),
    reasons,
    fields: [],
    values: [],
    methods: [],
  };
}

/** undefined: nothing changed. */
function changeOf(
  a: Named,
  b: Named,
  reasons: readonly DifferenceReason[],
  { fields = [], values = [], methods = [] }: Partial<Pick<SymbolChange, 'fields' | 'values' | 'methods'>>,
): SymbolChange | undefined {
  const isMoved = a.fullName !== b.fullName;
  const moved = reason(
    b.kind === 'service' ? 'unsafe' : 'conditional',
    b.kind === 'service'
      ? 'The path of every call holds the full name.'
      : 'Messages do not hold names, but an Any and JSON of an Any do.',
  );
  const all = isMoved
    ? [moved, reason('unsafe', 'Generated code has another name or package for it.', 'source'), ...reasons]
    : reasons;
  if (all.length + fields.length + values.length + methods.length === 0) return undefined;
  return {
    type: b.kind,
    kind: isMoved ? 'moved' : 'changed',
    before: a.fullName,
    after: b.fullName,
    verdict: worstOf([compatibilityOf(all), ...[...fields, ...values, ...methods].map(({ verdict }) => verdict)]),
    sides: worstSides([sidesOf(all), ...[...fields, ...values, ...methods].map(({ sides }) => sides)]),
    reasons: all,
    fields,
    values,
    methods,
  };
}

function compareMessages(a: MessageDescriptor, b: MessageDescriptor, isSame: SameType): SymbolChange | undefined {
  const fields: FieldChange[] = [];
  const oldNames = new Map(a.fields.map((field) => [field.name, field]));
  const newNames = new Map(b.fields.map((field) => [field.name, field]));
  const paired = new Set<FieldDescriptor>();
  const add = (before: FieldDescriptor | undefined, after: FieldDescriptor | undefined) => {
    if (before !== undefined) paired.add(before);
    const change = compareField(before, after, a, b, isSame);
    if (change !== undefined) fields.push(change);
  };
  for (const field of b.fields) {
    const sameName = oldNames.get(field.name);
    const sameNumber = a.byNumber.get(field.number);
    if (sameName !== undefined) add(sameName, field);
    else add(sameNumber !== undefined && !newNames.has(sameNumber.name) ? sameNumber : undefined, field);
  }
  for (const field of a.fields) if (!paired.has(field)) add(field, undefined);
  return changeOf(a, b, [...compareReserved(a, b, MAX_FIELD_NUMBER), ...compareBodies(a, b)], { fields });
}

interface Reserving {
  readonly reservedRanges: readonly { readonly start: number; readonly end: number }[];
  readonly reservedNames: readonly string[];
}

/** Numbers and names that were reserved and no longer are, independent of how ranges are divided. */
function compareReserved(a: Reserving, b: Reserving, max: number): readonly DifferenceReason[] {
  const reasons: DifferenceReason[] = [];
  const freed = a.reservedRanges.flatMap((range) => without(range, b.reservedRanges));
  if (freed.length > 0) {
    const text = `Numbers are no longer reserved: ${freed.map((range) => rangeText(range, max)).join(', ')}. Old messages may still hold them.`;
    reasons.push(reason('conditional', text, 'binary'));
  }
  const names = a.reservedNames.filter((name) => !b.reservedNames.includes(name));
  if (names.length > 0) {
    const text = `Names are no longer reserved: ${names.join(', ')}. Old JSON and text may still hold them.`;
    reasons.push(reason('conditional', text, 'json'));
  }
  return reasons;
}

/** The parts of a range that no other range covers. */
function without(range: Reserving['reservedRanges'][number], others: Reserving['reservedRanges']) {
  let left = [range];
  for (const { start, end } of others) {
    left = left.flatMap((one) =>
      start >= one.end || end <= one.start
        ? [one]
        : [
            { start: one.start, end: Math.max(one.start, start) },
            { start: Math.min(one.end, end), end: one.end },
          ].filter((part) => part.start < part.end),
    );
  }
  return left;
}

const JSON_FORMAT: PlainRule = ['', 'conditional', 'Only one of the versions promises that JSON can be read.', 'json'];

const MESSAGE_OPTIONS: Readonly<Record<string, PlainRule>> = {
  message_set_wire_format: ['false', 'unsafe', 'Extensions of a message set are written in another form.', 'binary'],
  no_standard_descriptor_accessor: ['false', 'unsafe', 'C++ and Java code has another accessor.', 'source'],
  'features.json_format': JSON_FORMAT,
};

/** Compares a message without its fields: oneofs, extension ranges, options, and the order of a native layout. */
function compareBodies(a: MessageDescriptor, b: MessageDescriptor): readonly DifferenceReason[] {
  const reasons: DifferenceReason[] = [];
  const add = (verdict: CompatibilityLevel, message: string, ...about: readonly CompatibilitySide[]) =>
    reasons.push(reason(verdict, message, ...about));
  const gone = a.oneofs.filter(({ name }) => !b.oneofs.some((other) => other.name === name));
  for (const { name } of gone)
    add('unsafe', `The oneof "${name}" is gone: code that asks for it no longer compiles.`, 'source');
  for (const oneof of b.oneofs) {
    const before = a.oneofs.find(({ name }) => name === oneof.name);
    if (before !== undefined) compareNative(`Of the oneof "${oneof.name}" the`, before, oneof, add);
  }
  const ranges = a.extensionRanges.flatMap((range) => without(range, b.extensionRanges));
  if (ranges.length > 0) {
    const list = ranges.map((range) => rangeText(range, MAX_FIELD_NUMBER)).join(', ');
    add('conditional', `Numbers are no longer for extensions: ${list}.`, 'binary', 'source');
  }
  comparePlain(a.plain, b.plain, MESSAGE_OPTIONS, add);
  compareNative('Its', a, b, add);
  const isNative = [a, b].some((message) => hasNativeOptions(message) || message.fields.some(hasNativeOptions));
  const order = (one: MessageDescriptor, other: MessageDescriptor): string =>
    one.fields
      .filter(({ name }) => other.fields.some((field) => field.name === name))
      .map(({ name }) => name)
      .join();
  if (isNative && order(a, b) !== order(b, a)) {
    add('unsafe', 'The order of its fields changed: native layouts write them in that order.', 'binary');
  }
  return reasons;
}

function compareEnums(a: EnumDescriptor, b: EnumDescriptor): SymbolChange | undefined {
  const values: ValueChange[] = [];
  const add = (
    kind: ValueChange['kind'],
    before: { readonly name: string; readonly number: number } | undefined,
    after: { readonly name: string; readonly number: number } | undefined,
    ...found: readonly DifferenceReason[]
  ) =>
    values.push({
      kind,
      before: before && `${before.name} = ${before.number}`,
      after: after && `${after.name} = ${after.number}`,
      verdict: compatibilityOf(found),
      sides: sidesOf(found),
      reasons: found,
    });
  const oldNames = new Map(a.values.map((value) => [value.name, value]));
  const newNames = new Map(b.values.map((value) => [value.name, value]));
  const newNumbers = new Map(b.values.map((value) => [value.number, value]));
  const renamed = new Set<string>();
  for (const value of a.values) {
    const same = newNames.get(value.name);
    if (same !== undefined) {
      if (same.number !== value.number) {
        const text = `Old messages mean "${value.name}" by ${value.number}.`;
        add('renumbered', value, same, reason('unsafe', text, 'binary'));
      }
      continue;
    }
    const other = newNumbers.get(value.number);
    if (other === undefined) {
      const text = b.closed
        ? 'Readers put the number among the unknown fields, as if the field were absent.'
        : 'Readers keep the number, but have no name for it.';
      const isReserved = b.reservedRanges.some(({ start, end }) => value.number >= start && value.number < end);
      const isNameReserved = b.reservedNames.includes(value.name);
      add(
        'removed',
        value,
        undefined,
        reason('conditional', isReserved ? text : `${text} It is not reserved either.`, 'binary'),
        reason(
          'conditional',
          `JSON with the name is refused.${isNameReserved ? '' : ' The name is not reserved.'}`,
          'json',
        ),
        UNCOMPILED,
      );
    } else if (!oldNames.has(other.name) && !renamed.has(other.name)) {
      renamed.add(other.name);
      add(
        'renamed',
        value,
        other,
        reason('conditional', 'The same number on the wire; JSON and text hold the name.', 'json'),
        UNCOMPILED,
      );
    } else {
      const text = `Its number has the name "${other.name}" still. JSON with this name is refused.`;
      add('removed', value, undefined, reason('conditional', text, 'json'), UNCOMPILED);
    }
  }
  for (const value of b.values) {
    if (oldNames.has(value.name) || renamed.has(value.name)) continue;
    const isAlias = a.values.some(({ number }) => number === value.number);
    const text = a.closed
      ? 'Old readers put a number they do not know among the unknown fields, as if the field were absent.'
      : 'Old readers keep the number, but have no name for it.';
    add('added', undefined, value, isAlias ? reason('safe', 'Another name of a known number.') : reason('safe', text));
  }
  const reasons: DifferenceReason[] = [...compareReserved(a, b, MAX_ENUM_NUMBER)];
  comparePlain(a.plain, b.plain, { 'features.json_format': JSON_FORMAT }, (...found) => reasons.push(reason(...found)));
  if (a.closed !== b.closed) {
    const text = `It was ${a.closed ? 'closed' : 'open'} and is ${b.closed ? 'closed' : 'open'}: readers treat numbers without a name differently.`;
    reasons.push(reason('conditional', text, ...EXCHANGED_SIDES, 'source'));
  }
  const [first, other] = [a.values[0]?.number, b.values[0]?.number];
  if (first !== other && first !== undefined && other !== undefined) {
    reasons.push(
      reason('conditional', `The default was ${first} and is ${other}: an absent field means another value.`),
    );
  }
  return changeOf(a, b, reasons, { values });
}

const signature = ({ input, output, clientStreaming, serverStreaming }: MethodDescriptor): string =>
  `rpc (${clientStreaming ? 'stream ' : ''}${input.fullName}) returns (${serverStreaming ? 'stream ' : ''}${output.fullName})`;

const METHOD_OPTIONS: Readonly<Record<string, PlainRule>> = {
  idempotency_level: [
    'IDEMPOTENCY_UNKNOWN',
    'conditional',
    'Callers may retry a call, or send it as GET, that must not be.',
    'binary',
    'json',
  ],
};

function compareServices(a: ServiceDescriptor, b: ServiceDescriptor): SymbolChange | undefined {
  const methods: MethodChange[] = [];
  const old = new Map(a.methods.map((method) => [method.name, method]));
  for (const method of b.methods) {
    const before = old.get(method.name);
    old.delete(method.name);
    const after = signature(method);
    if (before === undefined) {
      methods.push({
        kind: 'added',
        name: method.name,
        before: undefined,
        after,
        verdict: 'safe',
        sides: sidesOf([]),
        reasons: [],
      });
      continue;
    }
    const was = signature(before);
    const level: DifferenceReason[] = [];
    const add = (...found: Parameters<typeof reason>) => level.push(reason(...found));
    comparePlain(before.plain, method.plain, METHOD_OPTIONS, add);
    compareNative('Its', before, method, add);
    if (was === after && level.length === 0) continue;
    if (was === after) {
      const name = { kind: 'changed', name: method.name, before: was, after } as const;
      methods.push({ ...name, verdict: compatibilityOf(level), sides: sidesOf(level), reasons: level });
      continue;
    }
    const isStreamChanged =
      before.clientStreaming !== method.clientStreaming || before.serverStreaming !== method.serverStreaming;
    const found = isStreamChanged
      ? reason('unsafe', 'One message and a stream of messages are called differently.')
      : reason('conditional', 'Messages hold no type names; what the one writes, the other must be able to read.');
    const change = { kind: 'changed', name: method.name, before: was, after } as const;
    const all = [found, reason('unsafe', 'Code that calls or answers it no longer compiles.', 'source'), ...level];
    methods.push({ ...change, verdict: compatibilityOf(all), sides: sidesOf(all), reasons: all });
  }
  for (const method of old.values()) {
    const found = reason('unsafe', 'The method was removed: calls to it fail.');
    const change = { kind: 'removed', name: method.name, before: signature(method), after: undefined } as const;
    const all = [found, UNCOMPILED];
    methods.push({ ...change, verdict: compatibilityOf(all), sides: sidesOf(all), reasons: all });
  }
  return changeOf(a, b, [], { methods });
}
