/** An enum's declaration to its descriptor: its values at once where it was read from a text, else when they are asked for. */
import {
  type Comment,
  commentText,
  type EnumBody,
  type EnumDeclaration,
  type EnumValueDeclaration,
  type FileDeclaration,
  type RawOption,
} from '../declaration.ts';
import type { EnumDescriptor, EnumValueDescriptor, OptionUsage } from '../descriptor.ts';
import { flagOf, plainWords } from '../options/raw-options.ts';
import { usageOf } from '../options/usage.ts';
import type { Features } from './features.ts';
import { type Draft, type Linking, reportDamage } from './linking.ts';
import { NO_OPTIONS } from './options.ts';
import { checkEnum } from './rules.ts';
import { parentOf, qualify } from './scope.ts';

interface Contents
  extends Draft<Pick<EnumDescriptor, 'values' | 'reservedRanges' | 'reservedNames' | 'deprecated' | 'options'>> {}

/** An enum whose values have their names. */
export interface NamedEnum {
  readonly body: EnumBody;
  readonly named: readonly EnumValueDeclaration[];
}

export class LinkedEnum implements EnumDescriptor {
  readonly kind = 'enum';
  readonly name: string;
  readonly fullName: string;
  readonly file: string;
  readonly closed: boolean;
  readonly #declaration: EnumDeclaration;
  readonly #file: FileDeclaration;
  readonly #features: Features;
  readonly #quietly: () => Linking;
  #contents: Contents | undefined;

  /**
   * @param features the enum's own, with those around it.
   * @param quietly where its contents are linked on demand.
   */
  constructor(
    declaration: EnumDeclaration,
    fullName: string,
    file: FileDeclaration,
    features: Features,
    quietly: () => Linking,
  ) {
    this.name = declaration.name;
    this.fullName = fullName;
    this.file = file.path;
    this.closed = features.enum_type === 'CLOSED';
    this.#declaration = declaration;
    this.#file = file;
    this.#features = features;
    this.#quietly = quietly;
  }

  get #linked(): Contents {
    return this.#contents ?? this.link(this.#quietly());
  }
  get values(): readonly EnumValueDescriptor[] {
    return this.#linked.values;
  }
  get reservedRanges(): EnumDescriptor['reservedRanges'] {
    return this.#linked.reservedRanges;
  }
  get reservedNames(): readonly string[] {
    return this.#linked.reservedNames;
  }
  get deprecated(): boolean {
    return this.#linked.deprecated;
  }
  get options(): EnumDescriptor['options'] {
    return this.#linked.options;
  }
  get plain(): Readonly<Record<string, string>> {
    return { ...plainWords(this.#declaration.options), 'features.json_format': this.#features.json_format };
  }
  get comment(): string | undefined {
    return commentText(this.#declaration.comment);
  }

  /** Values are names of the scope around the enum. */
  nameValues({ declare }: Linking): NamedEnum {
    const body = this.#declaration.body();
    const parent = parentOf(this.fullName);
    const named = body.values.filter(({ name, span, extent }) =>
      declare({ kind: 'value', fullName: qualify(parent, name), file: this.#file, span }, extent),
    );
    return { body, named };
  }

  /** The first contents stay; linking again only collects findings. */
  link(linking: Linking, { body, named }: NamedEnum = this.nameValues(linking)): Contents {
    const { report, withOptions } = linking;
    const file = this.#file;
    const { options } = this.#declaration;
    const isAliased = flagOf(options, 'allow_alias') === true;
    const kept = report && checkEnum(this.#declaration, body, this.closed, isAliased, file, report);
    const contents: Contents = {
      values: named.filter(({ name }) => kept?.has(name) ?? true).map((value) => this.#linkValue(value, linking)),
      reservedRanges: body.reservedRanges.map(({ start, end }) => ({ start, end: end + 1 })),
      reservedNames: body.reservedNames,
      deprecated: flagOf(options, 'deprecated') === true,
      options: NO_OPTIONS,
    };
    this.#contents ??= contents;
    if (body.isDamaged && report !== undefined) reportDamage(this.fullName, file, report);
    if (options.length > 0) {
      withOptions((read) => {
        contents.options = read('EnumOptions', options, file, this.fullName);
      });
    }
    return contents;
  }

  #linkValue({ name, number, options, comment }: EnumValueDeclaration, { withOptions }: Linking): EnumValueDescriptor {
    const value = new LinkedValue(name, number, options, comment);
    if (options.length > 0) {
      withOptions((read) => {
        value.options = read('EnumValueOptions', options, this.#file, qualify(parentOf(this.fullName), name));
      });
    }
    return value;
  }
}

class LinkedValue implements EnumValueDescriptor {
  readonly name: string;
  readonly number: number;
  readonly deprecated: boolean;
  options: EnumValueDescriptor['options'] = NO_OPTIONS;
  readonly #rawOptions: readonly RawOption[];
  readonly #comment: Comment;

  constructor(name: string, number: number, rawOptions: readonly RawOption[], comment: Comment) {
    this.name = name;
    this.number = number;
    this.deprecated = flagOf(rawOptions, 'deprecated') === true;
    this.#rawOptions = rawOptions;
    this.#comment = comment;
  }

  get usage(): OptionUsage | undefined {
    return usageOf(this.#rawOptions);
  }

  get comment(): string | undefined {
    return commentText(this.#comment);
  }
}
