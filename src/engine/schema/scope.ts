/**
 * Names to what they stand for, as protoc looks them up: from the innermost scope outward, the first component of a
 * dotted name is found first, and the rest must then be inside of it.
 *
 *   A.B in p.M.f:  p.M.A?  p.A?  A?   — the first that can hold names decides, `.B` is looked for only there
 */

import type { FileDeclaration } from './declaration.ts';
import type { EnumDescriptor, FieldDescriptor, MessageDescriptor } from './descriptor.ts';
import type { Span } from './tokens.ts';

export interface SchemaSymbol {
  readonly kind: 'message' | 'enum' | 'value' | 'field' | 'oneof' | 'extension' | 'service' | 'method';
  readonly fullName: string;
  readonly file: FileDeclaration;
  readonly span: Span;
  readonly message?: MessageDescriptor;
  readonly enum?: EnumDescriptor;
  readonly extension?: FieldDescriptor;
  /** Not to be used by other files: edition 2024's `local`. */
  readonly isLocal?: boolean;
}

export type Found =
  | { readonly kind: 'symbol'; readonly symbol: SchemaSymbol }
  /** It exists, but its file is not imported. */
  | { readonly kind: 'not-imported'; readonly symbol: SchemaSymbol }
  /** The first component was found at `scope`, where the rest is not. */
  | { readonly kind: 'shadowed'; readonly fullName: string }
  | { readonly kind: 'nothing' };

export class Scope {
  readonly #symbols = new Map<string, SchemaSymbol>();
  /** The files that declare a package or one inside of it. */
  readonly #packages = new Map<string, Set<FileDeclaration>>();

  /** Gives the symbol that has the name already, if there is one. */
  declare(symbol: SchemaSymbol): SchemaSymbol | undefined {
    const known = this.#symbols.get(symbol.fullName);
    if (known === undefined) this.#symbols.set(symbol.fullName, symbol);
    return known;
  }

  declarePackage(file: FileDeclaration): void {
    for (let name = file.package; name !== ''; name = parentOf(name)) {
      const files = this.#packages.get(name);
      if (files === undefined) this.#packages.set(name, new Set([file]));
      else files.add(file);
    }
  }

  get(fullName: string): SchemaSymbol | undefined {
    return this.#symbols.get(fullName);
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
      const symbol = this.#symbols.get(fullName);
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
        // Only to tell where it would have been.
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
    const files = this.#packages.get(packageName);
    if (files === undefined) return false;
    const [few, many] = files.size < visible.size ? [files, visible] : [visible, files];
    for (const file of few) if (many.has(file)) return true;
    return false;
  }
}

const holdsNames = ({ kind }: SchemaSymbol): boolean => kind === 'message' || kind === 'enum' || kind === 'service';

/** `a.b.c` → `a.b`; `a` → empty. */
export const parentOf = (fullName: string): string => fullName.slice(0, Math.max(0, fullName.lastIndexOf('.')));

export const qualify = (scope: string, name: string): string => (scope === '' ? name : `${scope}.${name}`);
