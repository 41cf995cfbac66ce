/**
 * Keeps types whose name another file has declared, and compares them when everything is linked. Nothing refers to them;
 * only the extensions that they declare count.
 */
import type { EnumDeclaration, MessageDeclaration, ServiceDeclaration, WaitingDeclaration } from '../declaration.ts';
import type { ReportFinding } from '../report.ts';
import { definitionOf, type SchemaSymbols } from '../symbols.ts';
import type { Span } from '../text/tokens.ts';
import type { Around, DeclaredTypes } from './declared-types.ts';
import { LinkedEnum } from './enum.ts';
import { featuresOf } from './features.ts';
import type { Linking } from './linking.ts';
import { LinkedMessage } from './message.ts';
import { isSameType, type LinkedType } from './redeclared.ts';
import { type NameScope, qualify, type SchemaSymbol } from './scope.ts';
import { LinkedService } from './service.ts';

interface Redeclared {
  readonly type: LinkedType;
  readonly file: Around['file'];
  readonly span: Span;
  readonly known: SchemaSymbol;
}

export class RedeclaredTypes {
  readonly #kept: Redeclared[] = [];
  readonly #types: DeclaredTypes;
  readonly #scope: NameScope;
  readonly #quietly: () => Linking;

  constructor(types: DeclaredTypes, scope: NameScope, quietly: () => Linking) {
    this.#types = types;
    this.#scope = scope;
    this.#quietly = quietly;
  }

  /** Keeps the message if another file has declared its name. */
  keepsMessage(declaration: MessageDeclaration, around: Around): boolean {
    return this.#keeps('message', declaration, around, () => this.#message(declaration, around));
  }

  keepsEnum(declaration: EnumDeclaration, around: Around): boolean {
    return this.#keeps('enum', declaration, around, () => this.#enum(declaration, around));
  }

  keepsService(declaration: ServiceDeclaration, around: Around): boolean {
    return this.#keeps('service', declaration, around, () => this.#service(declaration, around));
  }

  keepsWaiting(outermost: WaitingDeclaration, around: Around): boolean {
    if (outermost.kind === 'message') return this.keepsMessage(outermost.readMessage(), around);
    if (outermost.kind === 'enum') return this.keepsEnum(outermost.readEnum(), around);
    return this.keepsService(outermost.readService(), around);
  }

  /** Compares each with the first one of its name. */
  *compare(symbols: SchemaSymbols, report: ReportFinding): Generator<undefined, void> {
    for (const { type, file, span, known } of this.#kept) {
      yield;
      const { fullName } = type;
      if (isSameType(this.#types.get(fullName), type)) continue;
      const line = definitionOf(symbols, known)?.place.line;
      const place = `"${known.file.path}"${line === undefined ? '' : `, line ${line}`}`;
      const text = `"${fullName}" is already defined in ${place}, with other contents; the first one counts.`;
      report(file, span, 'schema/duplicate-name', text);
    }
  }

  #keeps(
    kind: LinkedType['kind'],
    { name, span }: { readonly name: string; readonly span: Span },
    { file, scope }: Around,
    make: () => LinkedType,
  ): boolean {
    const known = this.#scope.get(qualify(scope, name));
    if (known === undefined || known.kind !== kind || known.file === file) return false;
    this.#kept.push({ type: make(), file, span, known });
    return true;
  }

  #message(declaration: MessageDeclaration, { file, scope, features: around }: Around): LinkedMessage {
    const fullName = qualify(scope, declaration.name);
    this.#scope.declareAlsoIn(file, fullName);
    const features = featuresOf(around, declaration, file);
    const message = new LinkedMessage(declaration, fullName, file, features, this.#quietly);
    const inside = { file, scope: fullName, features };
    message.messages = declaration.messages.map((nested) => this.#message(nested, inside));
    message.enums = declaration.enums.map((nested) => this.#enum(nested, inside));
    this.#types.addExtensions(declaration.extensions, inside);
    return message;
  }

  #enum(declaration: EnumDeclaration, { file, scope, features }: Around): LinkedEnum {
    const fullName = qualify(scope, declaration.name);
    this.#scope.declareAlsoIn(file, fullName);
    return new LinkedEnum(declaration, fullName, file, featuresOf(features, declaration, file), this.#quietly);
  }

  #service(declaration: ServiceDeclaration, { file, scope }: Around): LinkedService {
    return new LinkedService(declaration, qualify(scope, declaration.name), file, this.#quietly);
  }
}
