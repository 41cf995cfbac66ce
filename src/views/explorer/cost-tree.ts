/**
 * Costs of types, by their declarations or in the messages → the tree of the overview: package, type, types in it.
 */
import type { IcicleNode } from '#charts/icicle-geometry.ts';
import { segmentsOf } from '#engine/cost/ledger-segments.ts';
import { cellsIn, type Profile } from '#engine/cost/profile.ts';
import type { Category } from '#engine/model/annotation.ts';
import { parentOf, shortNameOf } from '#engine/schema/names.ts';
import type { TypeCost } from '#state/explore.ts';

type Own = IcicleNode['own'];

/** Own bytes of a type by category. */
export interface CostOfType {
  readonly fullName: string;
  readonly own: Own;
}

export const declaredCosts = (types: readonly TypeCost[]): readonly CostOfType[] =>
  types.map(({ fullName, tag, length, value, groupEnd }) => ({
    fullName,
    own: (
      [
        ['tag', tag],
        ['length', length],
        ['value', value],
        ['group-end', groupEnd],
      ] as const
    ).map(([category, bytes]) => ({ category, bytes })),
  }));

/** The bytes of their fields as captured, at all places of the type; without fields that no type declares. */
export function measuredCosts(profiles: readonly Profile[]): readonly CostOfType[] {
  const byType = new Map<string, Map<Category, number>>();
  for (const { fields, pair } of profiles) {
    for (const field of fields) {
      if (field.declared === null) continue;
      const { fullName } = field.declared;
      const type = parentOf(fullName);
      const known = byType.get(type) ?? new Map<Category, number>();
      byType.set(type, known);
      for (const { category, bytes } of segmentsOf(cellsIn(field, pair[0]))) {
        known.set(category, (known.get(category) ?? 0) + bytes);
      }
    }
  }
  return [...byType].map(([fullName, own]) => ({
    fullName,
    own: [...own].map(([category, bytes]) => ({ category, bytes })),
  }));
}

export const bytesOf = (own: Own): number => own.reduce((sum, { bytes }) => sum + bytes, 0);

const PACKAGE = 'package ';

/** The package that a path of the tree names; null: it names a type. */
export const packageAt = (path: string): string | null =>
  path.startsWith(PACKAGE) ? path.slice(PACKAGE.length) : null;

/** @param known all types of the schema, for their packages and enclosing types */
export function costTree(costs: readonly CostOfType[], known: readonly TypeCost[]): IcicleNode {
  const packages = new Map(known.map((type) => [type.fullName, type.package]));
  const own = new Map(costs.map((cost) => [cost.fullName, cost.own]));
  const inside = new Map<string, string[]>();
  const add = (parent: string, name: string): void => {
    const siblings = inside.get(parent);
    if (siblings === undefined) inside.set(parent, [name]);
    else siblings.push(name);
  };
  const placed = new Set<string>();
  const place = (fullName: string): void => {
    if (placed.has(fullName)) return;
    placed.add(fullName);
    const around = parentOf(fullName);
    const packageName = packages.get(fullName);
    if (packageName === undefined ? packages.has(around) : around !== packageName) {
      add(around, fullName);
      place(around);
    } else add(PACKAGE + (packageName ?? around), fullName);
  };
  for (const { fullName } of costs) place(fullName);
  const nodeOf = (path: string): IcicleNode => {
    const children = (inside.get(path) ?? []).map(nodeOf);
    const mine = own.get(path) ?? [];
    const name = packageAt(path) ?? shortNameOf(path);
    return { path, name: name || 'no package', bytes: bytesOf(mine) + sumOf(children), own: mine, children };
  };
  const children = [...inside.keys()].filter((path) => packageAt(path) !== null).map(nodeOf);
  return { path: '', name: 'all types', bytes: sumOf(children), own: [], children };
}

const sumOf = (nodes: readonly IcicleNode[]): number => nodes.reduce((sum, { bytes }) => sum + bytes, 0);
