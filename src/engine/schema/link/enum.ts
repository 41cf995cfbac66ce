/** An enum's declaration → its descriptor. Its values are linked at once if it was read from text, else on demand. */
import {
  type Comment,
  commentText,
  type EnumDeclaration,
  type EnumValueDeclaration,
  type FileDeclaration,
  type RawOption,
} from '../declaration.ts';
import type { EnumDescriptor, EnumValueDescriptor, OptionUsage } from '../descriptor.ts';
import { parentOf } from '../names.ts';
import { flagOf, plainWords } from '../options/raw-options.ts';
import { usageOf } from '../options/usage.ts';
import type { Features } from './features.ts';
import { LinkedDeclaration } from './linked-declaration.ts';
import type { Linking } from './linking.ts';
import { NO_OPTIONS } from './options.ts';
import { checkEnum } from './rules.ts';
import { qualify } from './scope.ts';

type Contents = Pick<EnumDescriptor, 'values' | 'reservedRanges' | 'reservedNames'>;

const NONE_REFUSED: ReadonlySet<EnumValueDeclaration> = new Set();

export class LinkedEnum extends LinkedDeclaration<EnumDeclaration, Contents> implements EnumDescriptor {
  readonly kind = 'enum';
  readonly closed: boolean;
  readonly #features: Features;

  /**
   * @param features the enum's own and inherited features
   * @param quietly the context for linking its contents on demand
   */
  constructor(
    declaration: EnumDeclaration,
    fullName: string,
    source: FileDeclaration,
    features: Features,
    quietly: () => Linking,
  ) {
    super(declaration, fullName, source, 'EnumOptions', quietly);
    this.closed = features.enum_type === 'CLOSED';
    this.#features = features;
  }

  get values(): readonly EnumValueDescriptor[] {
    return this.contents.values;
  }
  get reservedRanges(): EnumDescriptor['reservedRanges'] {
    return this.contents.reservedRanges;
  }
  get reservedNames(): readonly string[] {
    return this.contents.reservedNames;
  }
  get plain(): Readonly<Record<string, string>> {
    return { ...plainWords(this.declaration.options), 'features.json_format': this.#features.json_format };
  }

  /**
   * The names of values belong to the scope around the enum.
   * @returns the values whose name is taken
   */
  nameValues({ declare }: Linking, body = this.declaration.body()): ReadonlySet<EnumValueDeclaration> {
    const parent = parentOf(this.fullName);
    let refused: Set<EnumValueDeclaration> | undefined;
    for (const value of body.values) {
      const { name, span, extent } = value;
      if (declare({ kind: 'value', fullName: qualify(parent, name), file: this.source }, span, extent)) continue;
      refused ??= new Set();
      refused.add(value);
    }
    return refused ?? NONE_REFUSED;
  }

  /** @param given the result of `nameValues`, if it was called before */
  link(linking: Linking, given?: ReadonlySet<EnumValueDeclaration>): void {
    const body = this.declaration.body();
    const refused = given ?? this.nameValues(linking, body);
    const { report } = linking;
    const isAliased = flagOf(this.declaration.options, 'allow_alias') === true;
    const kept = report && checkEnum(this.declaration, body, this.closed, isAliased, this.source, report);
    const contents = {
      values: body.values
        .filter((value) => !refused.has(value) && (kept?.has(value.name) ?? true))
        .map((value) => this.#linkValue(value, linking)),
      reservedRanges: body.reservedRanges.map(({ start, end }) => ({ start, end: end + 1 })),
      reservedNames: body.reservedNames,
      deprecated: false,
      options: NO_OPTIONS,
    };
    this.keep(contents, body.isDamaged, linking);
    // Types that are linked on demand are linked again when they are checked.
    if (this.source.outline === undefined) this.declaration = this.declaration.withoutMembers?.() ?? this.declaration;
  }

  #linkValue({ name, number, options, comment }: EnumValueDeclaration, { withOptions }: Linking): EnumValueDescriptor {
    const value = new LinkedValue(name, number, options, comment);
    if (options.length > 0) {
      withOptions((read) => {
        value.options = read('EnumValueOptions', options, this.source, qualify(parentOf(this.fullName), name));
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
