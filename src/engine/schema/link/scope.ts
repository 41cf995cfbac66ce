/**
 * Names to what they stand for, as protoc looks them up: from the innermost scope outward, the first component of a
 * dotted name is found first, and the rest must then be inside of it.
 *
 *   A.B in p.M.f:  p.M.A?  p.A?  A?   — the first that can hold names decides, `.B` is looked for only there
 */

import type { FileDeclaration } from '../declaration.ts';
import type { EnumDescriptor, FieldDescriptor, MessageDescriptor } from '../descriptor.ts';
import type { Span } from '../text/tokens.ts';

export interface SchemaSymbol {
  readonly kind: 'message' | 'enum' | 'value' | 'field' | 'oneof' | 'extension' | 'service' | 'method';
  readonly fullName: string;
  readonly file: FileDeclaration;
  readonly span: Span;
  readonly message?: MessageDescriptor;
  readonly enum?: EnumDescriptor;
  readonly extension?: FieldDescriptor;
  /** Other files cannot use it: `local` of edition 2024. */
  readonly isLocal?: boolean;
}

export type Found =
  | { readonly kind: 'symbol'; readonly symbol: SchemaSymbol }
  /** It exists, but its file is not imported. */
  | { readonly kind: 'not-imported'; readonly symbol: SchemaSymbol }
  /** The first component was found at `scope`, where the rest is not. */
  | { readonly kind: 'shadowed'; readonly fullName: string }
  | { readonly kind: 'nothing' };

export class NameScope {
  readonly #symbols = new Map<string, SchemaSymbol>();
  readonly #awaken: (fullName: string) => boolean;
  readonly #packages = new Set<string>();
  /** By what a file sees: the packages of those files, and those around them. */
  readonly #seen = new WeakMap<ReadonlySet<FileDeclaration>, ReadonlySet<string>>();

  /** @param awaken adds the symbol of a type that waits to be asked for, if one of that name does. */
  constructor(awaken: (fullName: string) => boolean) {
    this.#awaken = awaken;
  }

  /** Gives the symbol that has the name already, if there is one. */
  declare(symbol: SchemaSymbol): SchemaSymbol | undefined {
    const known = this.get(symbol.fullName);
    if (known === undefined) this.#symbols.set(symbol.fullName, symbol);
    return known;
  }

  /** Adds a type that was waiting under its name. */
  add(symbol: SchemaSymbol): void {
    this.#symbols.set(symbol.fullName, symbol);
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
   * @param from full name of what uses the name: the search begins in the scope around it.
   * @param fits what a name without dots must be to end the search; others are looked past.
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
        // Only for a message that names the place where it would have been.
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

/** With those around it: where one is known, so are they. */
function addPackage(packages: Set<string>, name: string): void {
  for (let at = name; at !== '' && !packages.has(at); at = parentOf(at)) packages.add(at);
}

const holdsNames = ({ kind }: SchemaSymbol): boolean => kind === 'message' || kind === 'enum' || kind === 'service';

export const isType = ({ kind }: SchemaSymbol): boolean => kind === 'message' || kind === 'enum';

/** `a.b.c` → `a.b`; `a` → empty. */
export const parentOf = (fullName: string): string => fullName.slice(0, Math.max(0, fullName.lastIndexOf('.')));

export const qualify = (scope: string, name: string): string => (scope === '' ? name : `${scope}.${name}`);
