/** A service's declaration to its descriptor: its methods at once where it was read from a text, else when they are asked for. */
import {
  type Comment,
  commentText,
  type FileDeclaration,
  type MethodDeclaration,
  type ServiceDeclaration,
} from '../declaration.ts';
import type { MessageDescriptor, MethodDescriptor, ServiceDescriptor } from '../descriptor.ts';
import { flagOf, plainWords } from '../options/raw-options.ts';
import { type Draft, type Linking, reportDamage, silent } from './linking.ts';
import { NO_OPTIONS } from './options.ts';
import { checkMethodType } from './rules.ts';
import { qualify } from './scope.ts';

interface Contents extends Draft<Pick<ServiceDescriptor, 'deprecated' | 'options'>> {
  readonly methods: MethodDescriptor[];
}

export class LinkedService implements ServiceDescriptor {
  readonly kind = 'service';
  readonly name: string;
  readonly fullName: string;
  readonly file: string;
  readonly #declaration: ServiceDeclaration;
  readonly #file: FileDeclaration;
  readonly #quietly: () => Linking;
  #contents: Contents | undefined;

  /** @param quietly where its methods are linked on demand. */
  constructor(declaration: ServiceDeclaration, fullName: string, file: FileDeclaration, quietly: () => Linking) {
    this.name = declaration.name;
    this.fullName = fullName;
    this.file = file.path;
    this.#declaration = declaration;
    this.#file = file;
    this.#quietly = quietly;
  }

  get #linked(): Contents {
    return this.#contents ?? this.link(this.#quietly());
  }
  get methods(): readonly MethodDescriptor[] {
    return this.#linked.methods;
  }
  get deprecated(): boolean {
    return this.#linked.deprecated;
  }
  get options(): ServiceDescriptor['options'] {
    return this.#linked.options;
  }
  get comment(): string | undefined {
    return commentText(this.#declaration.comment);
  }

  /** The first contents stay; linking again only collects findings. */
  link(linking: Linking): Contents {
    const { options } = this.#declaration;
    const body = this.#declaration.body();
    const contents: Contents = {
      // Their names come first: a type is looked up among them, too, and a method is not a type.
      methods: body.methods
        .filter((method) => this.#nameMethod(method, linking))
        .flatMap((method) => this.#linkMethod(method, linking) ?? []),
      deprecated: flagOf(options, 'deprecated') === true,
      options: NO_OPTIONS,
    };
    this.#contents ??= contents;
    if (body.isDamaged && linking.report !== undefined) reportDamage(this.fullName, this.#file, linking.report);
    if (options.length > 0) {
      linking.withOptions((read) => {
        contents.options = read('ServiceOptions', options, this.#file, this.fullName);
      });
    }
    return contents;
  }

  #nameMethod({ name, span, extent }: MethodDeclaration, { declare }: Linking): boolean {
    return declare({ kind: 'method', fullName: qualify(this.fullName, name), file: this.#file, span }, extent);
  }

  #linkMethod(declaration: MethodDeclaration, linking: Linking): MethodDescriptor | undefined {
    const { name, options } = declaration;
    const fullName = qualify(this.fullName, name);
    const { scope, graph, symbols, report = silent, withOptions } = linking;
    const typeOf = (type: string, typeSpan: MethodDeclaration['span']): MessageDescriptor | undefined => {
      const found = scope.resolve(type, fullName, graph.visibleFrom(this.#file), () => true);
      const message = checkMethodType(found, type, typeSpan, this.#file, report);
      if (message !== undefined) symbols.refer(this.#file, message, typeSpan);
      return message;
    };
    const input = typeOf(declaration.input, declaration.inputSpan);
    const output = typeOf(declaration.output, declaration.outputSpan);
    if (input === undefined || output === undefined) return undefined;
    const method = new LinkedMethod(declaration, fullName, input, output);
    if (options.length > 0) {
      withOptions((read) => {
        method.options = read('MethodOptions', options, this.#file, fullName);
      });
    }
    return method;
  }
}

class LinkedMethod implements MethodDescriptor {
  readonly name: string;
  readonly fullName: string;
  readonly input: MessageDescriptor;
  readonly output: MessageDescriptor;
  readonly clientStreaming: boolean;
  readonly serverStreaming: boolean;
  readonly deprecated: boolean;
  readonly plain: Readonly<Record<string, string>>;
  options: MethodDescriptor['options'] = NO_OPTIONS;
  readonly #comment: Comment;

  constructor(
    { name, clientStreaming, serverStreaming, options, comment }: MethodDeclaration,
    fullName: string,
    input: MessageDescriptor,
    output: MessageDescriptor,
  ) {
    this.name = name;
    this.fullName = fullName;
    this.input = input;
    this.output = output;
    this.clientStreaming = clientStreaming;
    this.serverStreaming = serverStreaming;
    this.deprecated = flagOf(options, 'deprecated') === true;
    this.plain = plainWords(options);
    this.#comment = comment;
  }

  get comment(): string | undefined {
    return commentText(this.#comment);
  }
}
