/**
 * The descriptor of a message, an enum or a service. Its contents are linked once: at once if they were read from a
 * text, else on demand. On demand there are no findings, because `link.ts` checks a whole set later.
 */
import { type Comment, commentText, type FileDeclaration, type RawOption } from '../declaration.ts';
import { flagOf, type OptionsKind } from '../options/raw-options.ts';
import { type LinkDraft, type Linking, reportDamage } from './linking.ts';

interface Declared {
  readonly name: string;
  readonly comment: Comment;
  readonly options: readonly RawOption[];
}

export interface OwnOptions {
  readonly deprecated: boolean;
  readonly options: Readonly<Record<string, unknown>>;
}

export abstract class LinkedDeclaration<Declaration extends Declared, Contents extends object> {
  readonly name: string;
  readonly fullName: string;
  readonly file: string;
  declaration: Declaration;
  readonly source: FileDeclaration;
  readonly #optionsKind: OptionsKind;
  readonly #quietly: () => Linking;
  #linked: (Contents & OwnOptions) | undefined;

  /** @param optionsKind `MessageOptions`, for example @param quietly the context for linking the contents on demand */
  constructor(
    declaration: Declaration,
    fullName: string,
    source: FileDeclaration,
    optionsKind: OptionsKind,
    quietly: () => Linking,
  ) {
    this.name = declaration.name;
    this.fullName = fullName;
    this.file = source.path;
    this.declaration = declaration;
    this.source = source;
    this.#optionsKind = optionsKind;
    this.#quietly = quietly;
  }

  get deprecated(): boolean {
    return this.contents.deprecated;
  }
  get options(): OwnOptions['options'] {
    return this.contents.options;
  }
  get comment(): string | undefined {
    return commentText(this.declaration.comment);
  }

  abstract link(linking: Linking): void;

  get isLinked(): boolean {
    return this.#linked !== undefined;
  }
  get contents(): Contents & OwnOptions {
    if (this.#linked === undefined) {
      const linking = this.#quietly();
      linking.beforeOptions(() => this.link(linking));
    }
    return this.#linked!;
  }

  /** Drops contents that are cheap to link again. */
  forget(): void {
    this.#linked = undefined;
  }

  /** @param contents without options: the first contents stay, and linking again only collects findings */
  keep(contents: Contents & LinkDraft<OwnOptions>, isDamaged: boolean, { report, withOptions }: Linking): void {
    const { options } = this.declaration;
    contents.deprecated = flagOf(options, 'deprecated') === true;
    // The options of a message may refer to the message itself.
    this.#linked ??= contents;
    if (isDamaged && report !== undefined) reportDamage(this.fullName, this.source, report);
    if (options.length === 0) return;
    withOptions((read) => {
      contents.options = read(this.#optionsKind, options, this.source, this.fullName);
    });
  }
}
