/**
 * The messages, enums and services of all files by full name. Types of texts are added at once. Types of descriptor sets
 * wait: only their names are known, and an outermost declaration is read when one of its types is looked up.
 */
import type {
  EnumDeclaration,
  FieldDeclaration,
  FileDeclaration,
  MessageDeclaration,
  Outline,
  ServiceDeclaration,
  WaitingDeclaration,
} from '../declaration.ts';
import type { MessageDescriptor } from '../descriptor.ts';
import { ANY, parentOf } from '../names.ts';
import type { SchemaSymbols } from '../symbols.ts';
import type { ReportingLinking } from './contexts.ts';
import { LinkedEnum } from './enum.ts';
import { type Features, featuresOf, fileFeatures, isLocalSymbol } from './features.ts';
import { LazyMap } from './lazy-map.ts';
import type { Declare, Linking } from './linking.ts';
import { LinkedMessage } from './message.ts';
import { isIdentifier, MAX_NAME } from './rules.ts';
import { qualify, type SchemaSymbol } from './scope.ts';
import { LinkedService } from './service.ts';

/** The place that a declaration stands in. */
export interface Around {
  readonly file: FileDeclaration;
  /** Full name of the message or package. */
  readonly scope: string;
  readonly features: Features;
}

export const aroundTypesOf = (file: FileDeclaration): Around => ({
  file,
  scope: file.package,
  features: fileFeatures(file),
});

export interface PlacedExtension extends Around {
  readonly declaration: FieldDeclaration;
}

const isWaiting = (entry: object): entry is WaitingDeclaration => 'readMessage' in entry;

export class DeclaredTypes {
  readonly messages = new LazyMap<LinkedMessage, WaitingDeclaration>(isWaiting, (type) => this.#add(type));
  readonly enums = new LazyMap<LinkedEnum, WaitingDeclaration>(isWaiting, (type) => this.#add(type));
  readonly services = new LazyMap<LinkedService, WaitingDeclaration>(isWaiting, (type) => this.#add(type));

  /** The declarations of texts, and all extensions, in the order in which they are linked. */
  readonly toLink = {
    enums: [] as (readonly [LinkedEnum, refused: ReturnType<LinkedEnum['nameValues']>])[],
    messages: [] as LinkedMessage[],
    services: [] as LinkedService[],
    extensions: [] as PlacedExtension[],
  };

  /** Every outermost declaration that is linked on demand, with its file. */
  readonly #waiting = new Map<WaitingDeclaration, FileDeclaration>();
  readonly #symbols: SchemaSymbols;
  readonly #linking: ReportingLinking;
  readonly #quietly: () => Linking;

  /** @param quietly the context of a type that is linked on demand */
  constructor(symbols: SchemaSymbols, linking: ReportingLinking, quietly: () => Linking) {
    this.#symbols = symbols;
    this.#linking = linking;
    this.#quietly = quietly;
  }

  /** The number of outermost declarations that are linked on demand. */
  get waiting(): number {
    return this.#waiting.size;
  }

  get(fullName: string): LinkedMessage | LinkedEnum | LinkedService | undefined {
    return this.messages.get(fullName) ?? this.enums.get(fullName) ?? this.services.get(fullName);
  }

  /** Adds the type if it waits; false: no such type waits. */
  awaken(fullName: string): boolean {
    const entry = this.messages.peek(fullName) ?? this.enums.peek(fullName) ?? this.services.peek(fullName);
    if (entry === undefined || !isWaiting(entry)) return false;
    this.#add(entry);
    return true;
  }

  /**
   * Registers type names of a descriptor set, without symbols.
   * @param redeclared keeps types that another file has declared
   */
  nameTypes(
    file: FileDeclaration,
    outline: Outline,
    redeclared: { readonly keepsWaiting: (outermost: WaitingDeclaration, around: Around) => boolean },
  ): void {
    const { declare, report } = this.#linking;
    const withExtensions = new Set<WaitingDeclaration>();
    const taken: (readonly [SchemaSymbol, WaitingDeclaration])[] = [];
    const isSound = outline.visit(file.package, {
      name: (fullName, kind, outermost) => {
        const symbol = { kind, fullName, file };
        // To report the conflict, the owner of the name is linked. That requires the names of everything in it.
        if (this.#isTaken(fullName)) {
          taken.push([symbol, outermost]);
          return false;
        }
        // `declare` reports the conflict.
        if (!this.#isFree(fullName) && !declare(symbol, file.packageSpan)) return false;
        this.#waiting.set(outermost, file);
        this.#typesOf(kind).set(fullName, outermost);
        return true;
      },
      extensions: (outermost) => withExtensions.add(outermost),
    });
    if (!isSound) {
      const text = 'This descriptor is damaged; undamaged types are read.';
      report(file, file.packageSpan, 'schema/not-a-set', text);
    }
    const around = aroundTypesOf(file);
    for (const [symbol, outermost] of taken) {
      // The conflict can also be inside of a type whose own name was free.
      const isWhole = !this.#waiting.has(outermost) && parentOf(symbol.fullName) === file.package;
      if (!(isWhole && redeclared.keepsWaiting(outermost, around))) declare(symbol, file.packageSpan);
    }
    for (const declaration of withExtensions) this.#add(declaration);
  }

  addMessage(
    declaration: MessageDeclaration,
    { file, scope, features: around }: Around,
    declare: Declare = this.#linking.declare,
  ): MessageDescriptor | undefined {
    const fullName = qualify(scope, declaration.name);
    const features = featuresOf(around, declaration, file);
    const descriptor = new LinkedMessage(declaration, fullName, file, features, this.#quietly);
    const isLocal = isLocalSymbol(declaration.visibility, file, scope);
    const extent = declaration.isMapEntry ? undefined : declaration.extent;
    if (!declare({ kind: 'message', fullName, file, message: descriptor, isLocal }, declaration.span, extent)) {
      return undefined;
    }
    if (fullName === ANY) descriptor.namedTypes = this.messages;
    this.messages.set(fullName, descriptor);
    if (file.outline === undefined) this.toLink.messages.push(descriptor);
    const inside = { file, scope: fullName, features };
    // Map entries are added last, so that a conflict with a declared type is reported at the map.
    if (declaration.messages.length > 0) {
      descriptor.messages = entriesLast(declaration.messages).flatMap(
        (nested) => this.addMessage(nested, inside, declare) ?? [],
      );
    }
    if (declaration.enums.length > 0) {
      descriptor.enums = declaration.enums.flatMap((nested) => this.addEnum(nested, inside, declare) ?? []);
    }
    this.addExtensions(declaration.extensions, inside);
    return descriptor;
  }

  addEnum(
    declaration: EnumDeclaration,
    { file, scope, features }: Around,
    declare: Declare = this.#linking.declare,
  ): LinkedEnum | undefined {
    const fullName = qualify(scope, declaration.name);
    const own = featuresOf(features, declaration, file);
    const descriptor = new LinkedEnum(declaration, fullName, file, own, this.#quietly);
    const isLocal = isLocalSymbol(declaration.visibility, file, scope);
    const { span, extent } = declaration;
    if (!declare({ kind: 'enum', fullName, file, enum: descriptor, isLocal }, span, extent)) return undefined;
    this.enums.set(fullName, descriptor);
    if (file.outline === undefined) this.toLink.enums.push([descriptor, descriptor.nameValues(this.#linking)]);
    return descriptor;
  }

  addService(declaration: ServiceDeclaration, { file, scope }: Around, declare: Declare = this.#linking.declare): void {
    const fullName = qualify(scope, declaration.name);
    const { span, extent } = declaration;
    if (!declare({ kind: 'service', fullName, file }, span, extent)) return;
    const descriptor = new LinkedService(declaration, fullName, file, this.#quietly);
    this.services.set(fullName, descriptor);
    if (file.outline === undefined) this.toLink.services.push(descriptor);
  }

  /** Extensions are linked after all messages. */
  addExtensions(declarations: readonly FieldDeclaration[], around: Around): void {
    for (const declaration of declarations) this.toLink.extensions.push({ declaration, ...around });
  }

  #add(waiting: WaitingDeclaration): void {
    const file = this.#waiting.get(waiting)!;
    const around = aroundTypesOf(file);
    // The declaration owns only the names that `nameTypes` assigned to it.
    const declare: Declare = (symbol, span, extent) => {
      if (this.#typesOf(symbol.kind).peek(symbol.fullName) !== waiting) return false;
      this.#linking.scope.add(symbol);
      if (extent !== undefined) this.#symbols.define(file, symbol, span, extent);
      return true;
    };
    if (waiting.kind === 'message') this.addMessage(waiting.readMessage(), around, declare);
    else if (waiting.kind === 'enum') this.addEnum(waiting.readEnum(), around, declare);
    else this.addService(waiting.readService(), around, declare);
  }

  #typesOf(kind: SchemaSymbol['kind']) {
    return kind === 'message' ? this.messages : kind === 'enum' ? this.enums : this.services;
  }

  #isTaken(fullName: string): boolean {
    return this.messages.has(fullName) || this.enums.has(fullName) || this.services.has(fullName);
  }

  #isFree(fullName: string): boolean {
    const { scope } = this.#linking;
    return (
      fullName.length <= MAX_NAME &&
      isIdentifier(fullName, fullName.lastIndexOf('.') + 1) &&
      !scope.isPackage(fullName) &&
      scope.get(fullName) === undefined
    );
  }
}

const entriesLast = (messages: readonly MessageDeclaration[]): readonly MessageDeclaration[] =>
  messages.length < 2 || !messages.some(({ isMapEntry }) => isMapEntry)
    ? messages
    : [...messages.filter(({ isMapEntry }) => !isMapEntry), ...messages.filter(({ isMapEntry }) => isMapEntry)];
