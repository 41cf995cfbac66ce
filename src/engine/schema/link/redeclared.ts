/**
 * Types that several files declare, as a descriptor set and the .proto that it was made from do, or a merged file beside
 * the files that it was merged from. The first one counts. The others are linked quietly and compared: declarations that
 * give the same bytes for the same values are accepted, although protoc refuses two texts.
 */
import type { EnumDescriptor, FieldDescriptor, MessageDescriptor, ServiceDescriptor } from '../descriptor.ts';

export type LinkedType = MessageDescriptor | EnumDescriptor | ServiceDescriptor;

/** Whether two declarations of one name have the same members, encoded in the same way. Comments may differ. */
export function isSameType(a: LinkedType | undefined, b: LinkedType): boolean {
  if (a?.kind === 'message' && b.kind === 'message') return isSameMessage(a, b);
  if (a?.kind === 'enum' && b.kind === 'enum') return isSameEnum(a, b);
  return a?.kind === 'service' && b.kind === 'service' && isSameService(a, b);
}

const isSameMessage = (a: MessageDescriptor, b: MessageDescriptor): boolean =>
  a.isMapEntry === b.isMapEntry &&
  nativeOptions(a) === nativeOptions(b) &&
  sameLists(a.fields, b.fields, isSameField) &&
  sameLists(byName(a.messages.filter(isOwn)), byName(b.messages.filter(isOwn)), isSameMessage) &&
  sameLists(byName(a.enums), byName(b.enums), isSameEnum);

/** Map entries are compared with the fields that have them. */
const isOwn = ({ isMapEntry }: MessageDescriptor): boolean => !isMapEntry;

/** Fields are compared in their order, because it is the order of native bytes. */
export const isSameField = (a: FieldDescriptor, b: FieldDescriptor): boolean =>
  factsOf(a) === factsOf(b) && nativeOptions(a) === nativeOptions(b);

const factsOf = (field: FieldDescriptor): string =>
  JSON.stringify([
    field.fullName,
    field.number,
    field.type,
    field.cardinality,
    field.presence,
    field.packed,
    field.jsonName,
    field.defaultValue ?? null,
    field.message && nameOf(field.message),
    field.enum?.fullName,
    field.oneof?.name,
  ]);

/** The name of a map entry is chosen by the compiler: protoc writes `LabelsEntry`, protobufjs `Labels`. */
const nameOf = ({ fullName, isMapEntry, fields }: MessageDescriptor): unknown =>
  isMapEntry
    ? fields.map(({ number, type, message, enum: of }) => [number, type, message?.fullName, of?.fullName])
    : fullName;

const isSameEnum = (a: EnumDescriptor, b: EnumDescriptor): boolean =>
  a.name === b.name &&
  a.closed === b.closed &&
  sameLists(a.values, b.values, (left, right) => left.name === right.name && left.number === right.number);

const isSameService = (a: ServiceDescriptor, b: ServiceDescriptor): boolean =>
  sameLists(
    a.methods,
    b.methods,
    (left, right) =>
      left.name === right.name &&
      left.input.fullName === right.input.fullName &&
      left.output.fullName === right.output.fullName &&
      left.clientStreaming === right.clientStreaming &&
      left.serverStreaming === right.serverStreaming,
  );

/** Other options do not change bytes. */
const nativeOptions = ({ options }: Pick<FieldDescriptor, 'options'>): string =>
  JSON.stringify(
    Object.entries(options)
      .filter(([name]) => name.startsWith('wirecost.native.'))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
    (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
  );

const byName = <T extends { readonly name: string }>(types: readonly T[]): readonly T[] =>
  [...types].sort((a, b) => (a.name < b.name ? -1 : 1));

const sameLists = <T>(a: readonly T[], b: readonly T[], isSame: (a: T, b: T) => boolean): boolean =>
  a.length === b.length && a.every((left, index) => isSame(left, b[index]!));
