/** The types of a registry as a picker offers them, the likeliest first. */
import type { Registry } from './descriptor.ts';

export interface TypeEntry {
  readonly fullName: string;
  readonly file: string;
  readonly fields: number;
  /** Declared inside of another message, or made for a map. */
  readonly nested: boolean;
}

/** Top-level types before nested ones, the schema's own before protobuf's; otherwise as declared. */
export function listTypes(registry: Registry): readonly TypeEntry[] {
  const packages = new Map(registry.files.map((file) => [file.path, file.package]));
  const entries: (TypeEntry & { readonly rank: number })[] = [];
  for (const { fullName, name, file, fields, isMapEntry } of registry.messages.values()) {
    const top = packages.get(file) === '' ? name : `${packages.get(file)}.${name}`;
    const nested = isMapEntry || fullName !== top;
    const rank = (file.startsWith('google/protobuf/') ? 4 : 0) + (isMapEntry ? 2 : 0) + (nested ? 1 : 0);
    entries.push({ fullName, file, fields: fields.length, nested, rank });
  }
  return entries.sort((a, b) => a.rank - b.rank).map(({ rank: _, ...entry }) => entry);
}
