/**
 * Resolves names as protoc does. The search goes from the innermost scope outward. The first component of a dotted name
 * decides the scope, and the rest must be inside it.
 *
 *   A.B in p.M.f:  p.M.A?  p.A?  A?   — the first one that can contain names decides, `.B` is only looked for there
 */

import type { FileDeclaration } from '../declaration.ts';
import type { EnumDescriptor, FieldDescriptor, MessageDescriptor } from '../descriptor.ts';
import { parentOf } from '../names.ts';

export interface SchemaSymbol {
  readonly kind: 'message' | 'enum' | 'value' | 'field' | 'oneof' | 'extension' | 'service' | 'method';
  readonly fullName: string;
  readonly file: FileDeclaration;
  readonly message?: MessageDescriptor;
  readonly enum?: EnumDescriptor;
  readonly extension?: FieldDescriptor;
  /** Other files cannot use it: `local` of edition 2024. */
  readonly isLocal?: boolean;
}

export type Found =
  | { readonly kind: 'symbol'; readonly symbol: SchemaSymbol }
  /** The symbol exists, but its file is not imported. */
  | { readonly kind: 'not-imported'; readonly symbol: SchemaSymbol }
  /** The first component was found, but it does not contain the rest. */
  | { readonly kind: 'shadowed'; readonly fullName: string }
  | { readonly kind: 'nothing' };

export class NameScope {
  readonly #symbols = new Map<string, SchemaSymbol>();
  readonly #awaken: (fullName: string) => boolean;
  /** By full name: further files that declare the same type. */
  readonly #alsoIn = new Map<string, Set<FileDeclaration>>();
  readonly #packages = new Set<string>();
  /** By the files that a file sees: their packages and parent packages. */
  readonly #seen = new WeakMap<ReadonlySet<FileDeclaration>, ReadonlySet<string>>();

  /** @param awaken adds the symbol of a type that is linked on demand, if there is one with the name */
  constructor(awaken: (fullName: string) => boolean) {
    this.#awaken = awaken;
  }

  /** Adds a symbol, or returns the symbol that already has the name. */
  declare(symbol: SchemaSymbol): SchemaSymbol | undefined {
    const known = this.get(symbol.fullName);
    if (known === undefined) this.#symbols.set(symbol.fullName, symbol);
    return known;
  }

  /** Adds the symbol of a type that was linked on demand. */
  add(symbol: SchemaSymbol): void {
    this.#symbols.set(symbol.fullName, symbol);
  }

  /** Another file declares the type too, so files that import that one can use it. */
  declareAlsoIn(file: FileDeclaration, fullName: string): void {
    const files = this.#alsoIn.get(fullName);
    if (files === undefined) this.#alsoIn.set(fullName, new Set([file]));
    else files.add(file);
  }

  declarePackage(file: FileDeclaration): void {
    addPackage(this.#packages, file.package);
  }

  get(fullName: string): SchemaSymbol | undefined {
    const known = this.#symbols.get(fullName);
    return known === undefined && this.#awaken(fullName) ? this.#symbols.get(fullName) : known;
  }

  isPackage(name: string): boolean {
    return this.#packages.has(name);
  }

  /**
   * @param from full name of the element that uses the name; the search begins in the scope around it
   * @param fits whether a symbol ends the search for a name without dots; others are skipped
   */
  resolve(
    name: string,
    from: string,
    visible: ReadonlySet<FileDeclaration>,
    fits: (symbol: SchemaSymbol) => boolean,
  ): Found {
    let hidden: SchemaSymbol | undefined;
    const find = (fullName: string): SchemaSymbol | undefined => {
      const symbol = this.get(fullName);
      if (symbol === undefined || visible.has(symbol.file)) return symbol;
      for (const file of this.#alsoIn.get(fullName) ?? []) if (visible.has(file)) return symbol;
      if (fits(symbol)) hidden ??= symbol;
      return undefined;
    };
    if (name.startsWith('.')) {
      const symbol = find(name.slice(1));
      if (symbol !== undefined) return { kind: 'symbol', symbol };
      return hidden ? { kind: 'not-imported', symbol: hidden } : { kind: 'nothing' };
    }
    const dot = name.indexOf('.');
    const first = dot < 0 ? name : name.slice(0, dot);
    for (let scope = from; scope !== ''; ) {
      scope = parentOf(scope);
      const candidate = scope === '' ? first : `${scope}.${first}`;
      const symbol = find(candidate);
      if (dot < 0) {
        if (symbol !== undefined && fits(symbol)) return { kind: 'symbol', symbol };
        continue;
      }
      const fullName = candidate + name.slice(dot);
      if (!(symbol === undefined ? this.#sees(candidate, visible) : holdsNames(symbol))) {
        // Creates the symbol, so that the finding can refer to it.
        find(fullName);
        continue;
      }
      const inner = find(fullName);
      if (inner !== undefined) return { kind: 'symbol', symbol: inner };
      if (hidden !== undefined) return { kind: 'not-imported', symbol: hidden };
      return { kind: 'shadowed', fullName };
    }
    return hidden ? { kind: 'not-imported', symbol: hidden } : { kind: 'nothing' };
  }

  #sees(packageName: string, visible: ReadonlySet<FileDeclaration>): boolean {
    if (!this.#packages.has(packageName)) return false;
    let seen = this.#seen.get(visible);
    if (seen === undefined) {
      const packages = new Set<string>();
      for (const file of visible) addPackage(packages, file.package);
      this.#seen.set(visible, packages);
      seen = packages;
    }
    return seen.has(packageName);
  }
}

/** Adds a package and its parents. If one is known, its parents are known too. */
function addPackage(packages: Set<string>, name: string): void {
  for (let at = name; at !== '' && !packages.has(at); at = parentOf(at)) packages.add(at);
}

const holdsNames = ({ kind }: SchemaSymbol): boolean => kind === 'message' || kind === 'enum' || kind === 'service';

export const isType = ({ kind }: SchemaSymbol): boolean => kind === 'message' || kind === 'enum';

export const qualify = (scope: string, name: string): string => (scope === '' ? name : `${scope}.${name}`);
