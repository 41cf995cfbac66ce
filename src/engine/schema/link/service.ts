/**
 * A service's declaration → its descriptor. Its methods are linked at once if it was read from text, else on demand.
 */
import {
  type Comment,
  commentText,
  type FileDeclaration,
  type MethodDeclaration,
  type ServiceDeclaration,
} from '../declaration.ts';
import type { MessageDescriptor, MethodDescriptor, ServiceDescriptor } from '../descriptor.ts';
import { flagOf, plainWords } from '../options/raw-options.ts';
import { LinkedDeclaration } from './linked-declaration.ts';
import { type Linking, silent } from './linking.ts';
import { NO_OPTIONS } from './options.ts';
import { checkMethodType } from './rules.ts';
import { qualify } from './scope.ts';

type Contents = Pick<ServiceDescriptor, 'methods'>;

export class LinkedService extends LinkedDeclaration<ServiceDeclaration, Contents> implements ServiceDescriptor {
  readonly kind = 'service';

  /** @param quietly the context for linking its methods on demand */
  constructor(declaration: ServiceDeclaration, fullName: string, source: FileDeclaration, quietly: () => Linking) {
    super(declaration, fullName, source, 'ServiceOptions', quietly);
  }

  get methods(): readonly MethodDescriptor[] {
    return this.contents.methods;
  }

  link(linking: Linking): void {
    const { methods, isDamaged } = this.declaration.body();
    // Names of methods are declared first, because they can hide types.
    const named = methods.filter((method) => this.#nameMethod(method, linking));
    const linked = named.flatMap((method) => this.#linkMethod(method, linking) ?? []);
    this.keep({ methods: linked, deprecated: false, options: NO_OPTIONS }, isDamaged, linking);
  }

  #nameMethod({ name, span, extent }: MethodDeclaration, { declare }: Linking): boolean {
    return declare({ kind: 'method', fullName: qualify(this.fullName, name), file: this.source }, span, extent);
  }

  #linkMethod(declaration: MethodDeclaration, linking: Linking): MethodDescriptor | undefined {
    const { name, options } = declaration;
    const fullName = qualify(this.fullName, name);
    const { scope, graph, symbols, report = silent, withOptions } = linking;
    const typeOf: TypeOf = (type, typeSpan) => {
      const found = scope.resolve(type, fullName, graph.visibleFrom(this.source), () => true);
      const message = checkMethodType(found, type, typeSpan, this.source, graph, report);
      if (message !== undefined) symbols.refer(this.source, message, typeSpan);
      return message;
    };
    // The types of a thousand methods take megabytes, and most methods are only asked for their options.
    const isCertain = linking.report === undefined && this.source.outline?.isSound === true;
    const types = isCertain ? new TypesOnDemand(declaration, typeOf) : typesAtOnce(declaration, typeOf);
    if (types === undefined) return undefined;
    const method = new LinkedMethod(declaration, fullName, types);
    if (options.length > 0) {
      withOptions((read) => {
        method.options = read('MethodOptions', options, this.source, fullName);
      });
    }
    return method;
  }
}

type TypeOf = (type: string, span: MethodDeclaration['span']) => MessageDescriptor | undefined;

type MethodTypes = Pick<MethodDescriptor, 'input' | 'output'>;

/** undefined: one of them is not a message. */
function typesAtOnce(declaration: MethodDeclaration, typeOf: TypeOf): MethodTypes | undefined {
  const input = typeOf(declaration.input, declaration.inputSpan);
  const output = typeOf(declaration.output, declaration.outputSpan);
  return input === undefined || output === undefined ? undefined : { input, output };
}

/** The types of a method whose text has no faults. */
class TypesOnDemand implements MethodTypes {
  readonly #declaration: MethodDeclaration;
  readonly #typeOf: TypeOf;

  constructor(declaration: MethodDeclaration, typeOf: TypeOf) {
    this.#declaration = declaration;
    this.#typeOf = typeOf;
  }

  get input(): MessageDescriptor {
    return this.#typeOf(this.#declaration.input, this.#declaration.inputSpan)!;
  }

  get output(): MessageDescriptor {
    return this.#typeOf(this.#declaration.output, this.#declaration.outputSpan)!;
  }
}

class LinkedMethod implements MethodDescriptor {
  readonly name: string;
  readonly fullName: string;
  readonly clientStreaming: boolean;
  readonly serverStreaming: boolean;
  readonly deprecated: boolean;
  readonly plain: Readonly<Record<string, string>>;
  options: MethodDescriptor['options'] = NO_OPTIONS;
  readonly #types: MethodTypes;
  readonly #comment: Comment;

  constructor(
    { name, clientStreaming, serverStreaming, options, comment }: MethodDeclaration,
    fullName: string,
    types: MethodTypes,
  ) {
    this.name = name;
    this.fullName = fullName;
    this.clientStreaming = clientStreaming;
    this.serverStreaming = serverStreaming;
    this.deprecated = flagOf(options, 'deprecated') === true;
    this.plain = plainWords(options);
    this.#types = types;
    this.#comment = comment;
  }

  get input(): MessageDescriptor {
    return this.#types.input;
  }

  get output(): MessageDescriptor {
    return this.#types.output;
  }

  get comment(): string | undefined {
    return commentText(this.#comment);
  }
}
