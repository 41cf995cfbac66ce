/**
 * A message's declaration → its descriptor. Its members are linked once: at once if they were read from a text, else on
 * demand. On demand, there are no findings, because `link.ts` checks a whole set later.
 */
import {
  type Comment,
  commentText,
  type ExtensionRangeDeclaration,
  type FieldDeclaration,
  type FileDeclaration,
  type MessageBody,
  type MessageDeclaration,
} from '../declaration.ts';
import type {
  EnumDescriptor,
  FieldDescriptor,
  MessageDescriptor,
  NamedField,
  NumberRange,
  OneofDescriptor,
} from '../descriptor.ts';
import { plainWords } from '../options/raw-options.ts';
import type { ReportFinding } from '../report.ts';
import { checkDeclarations } from './extension-declarations.ts';
import { type Features, inheritFeatures } from './features.ts';
import { type LinkedField, linkField } from './field.ts';
import { LinkedDeclaration, type OwnOptions } from './linked-declaration.ts';
import { type LinkDraft, type Linking, silent } from './linking.ts';
import { NO_OPTIONS } from './options.ts';
import { checkField, checkMessage, numberRules } from './rules.ts';
import { isType, qualify } from './scope.ts';

type Contents = LinkDraft<
  Pick<MessageDescriptor, 'fields' | 'oneofs' | 'extensionRanges' | 'reservedRanges' | 'reservedNames'>
>;

/** Shared by all messages without extensions, which are most messages. */
const NO_EXTENSIONS: ReadonlyMap<number, FieldDescriptor> = new Map();

const NONE: readonly never[] = [];

/** A list that grew has room for 17 elements. */
const trimmed = <T>(list: readonly T[]): readonly T[] => (list.length === 0 ? NONE : list.slice());

const rangesOf = (declared: readonly NumberRange[]): readonly NumberRange[] =>
  declared.length === 0 ? NONE : declared.map(({ start, end }) => ({ start, end }));

export const NONE_REFUSED: ReadonlySet<FieldDeclaration> = new Set();

/** The option that names the message whose native form a bytes field holds (schemas/native/options.proto). */
const NATIVE_CONTENT = 'wirecost.native.content';

export class LinkedMessage extends LinkedDeclaration<MessageDeclaration, Contents> implements MessageDescriptor {
  readonly kind = 'message';
  readonly isMapEntry: boolean;
  messages: readonly MessageDescriptor[] = NONE;
  enums: readonly EnumDescriptor[] = NONE;
  extensions: ReadonlyMap<number, FieldDescriptor> = NO_EXTENSIONS;
  namedTypes: MessageDescriptor['namedTypes'];
  readonly #features: Features;
  /** Made on demand: an empty map takes as much as a field. */
  #byNumber: ReadonlyMap<number, FieldDescriptor> | undefined;

  /**
   * @param features the message's own and inherited features
   * @param quietly the context for linking its contents on demand
   */
  constructor(
    declaration: MessageDeclaration,
    fullName: string,
    source: FileDeclaration,
    features: Features,
    quietly: () => Linking,
  ) {
    super(declaration, fullName, source, 'MessageOptions', quietly);
    this.isMapEntry = declaration.isMapEntry;
    this.#features = features;
  }

  get fields(): readonly FieldDescriptor[] {
    return this.contents.fields;
  }
  get byNumber(): ReadonlyMap<number, FieldDescriptor> {
    this.#byNumber ??= new Map(this.fields.map((field) => [field.number, field]));
    return this.#byNumber;
  }
  get oneofs(): readonly OneofDescriptor[] {
    return this.contents.oneofs;
  }
  get extensionRanges(): MessageDescriptor['extensionRanges'] {
    return this.contents.extensionRanges;
  }
  get reservedRanges(): MessageDescriptor['reservedRanges'] {
    return this.contents.reservedRanges;
  }
  get reservedNames(): readonly string[] {
    return this.contents.reservedNames;
  }
  get plain(): Readonly<Record<string, string>> {
    return { ...plainWords(this.declaration.options), 'features.json_format': this.#features.json_format };
  }

  namedFields(): readonly NamedField[] | undefined {
    if (this.isLinked) return undefined;
    const fields: NamedField[] = [];
    const taken = new Set<string | number>();
    for (const { name, number, label, type, typeName } of this.declaration.body().fields) {
      const held = typeName?.startsWith('.') ? typeName.slice(1) : type;
      const isRepeated = label === 'repeated';
      // Its type may depend on the scope, it may be a map, or it may be rejected.
      if (held === undefined || (isRepeated && held.endsWith('Entry')) || taken.has(name) || taken.has(number)) {
        return undefined;
      }
      taken.add(name).add(number);
      fields.push({ name, type: held, isRepeated });
    }
    return fields;
  }

  /** The first extension with a number wins, because another file may use the number again. */
  extend(extension: FieldDescriptor): void {
    if (this.extensions === NO_EXTENSIONS) this.extensions = new Map();
    if (this.extensions.has(extension.number)) return;
    (this.extensions as Map<number, FieldDescriptor>).set(extension.number, extension);
  }

  /** The ranges with their options, which contain extension declarations. */
  get declaredRanges(): readonly ExtensionRangeDeclaration[] {
    return this.declaration.body().extensionRanges;
  }

  /**
   * In texts, all fields of all messages are named before the first one is linked, because they can hide types.
   * @returns the fields whose name is taken
   */
  nameFields({ declare }: Linking, body = this.declaration.body()): ReadonlySet<FieldDeclaration> {
    // The entry of a map in a text has two names of its own, which nothing refers to.
    if (this.isMapEntry && this.source.lines !== undefined) return NONE_REFUSED;
    let refused: Set<FieldDeclaration> | undefined;
    for (const field of body.fields) {
      const fullName = qualify(this.fullName, field.name);
      const extent = this.isMapEntry ? undefined : field.extent;
      if (declare({ kind: 'field', fullName, file: this.source }, field.span, extent)) continue;
      refused ??= new Set();
      refused.add(field);
    }
    return refused ?? NONE_REFUSED;
  }

  /** @param given the result of `nameFields`, if it was called before */
  link(linking: Linking, given?: ReadonlySet<FieldDeclaration>): void {
    const body = this.declaration.body();
    const refused = given ?? this.nameFields(linking, body);
    const { declare, report, withOptions } = linking;
    const { declaration, source: file } = this;
    const contents: Contents & LinkDraft<OwnOptions> = {
      fields: NONE,
      oneofs: body.oneofs.length === 0 ? NONE : [],
      extensionRanges: rangesOf(body.extensionRanges),
      reservedRanges: rangesOf(body.reservedRanges),
      reservedNames: body.reservedNames,
      deprecated: false,
      options: NO_OPTIONS,
    };
    // Fields are linked later, because their options may refer to this message.
    this.keep(contents, body.isDamaged, linking);
    const fields: FieldDescriptor[] = [];
    const byNumber = new Map<number, FieldDescriptor>();
    contents.fields = fields;
    const oneofs = body.oneofs.map((oneof) => {
      const fullName = qualify(this.fullName, oneof.name);
      if (!declare({ kind: 'oneof', fullName, file }, oneof.span, oneof.extent)) return undefined;
      const descriptor = new LinkedOneof(oneof.name, fullName, oneof.comment);
      (contents.oneofs as OneofDescriptor[]).push(descriptor);
      if (oneof.options.length > 0) {
        withOptions((read) => {
          descriptor.options = read('OneofOptions', oneof.options, file, fullName);
        });
      }
      return descriptor;
    });
    const rules = numberRules(body);
    for (const field of body.fields) {
      if (refused.has(field) || !checkField(field, this.fullName, byNumber, rules, file, report ?? silent)) continue;
      const oneof = field.oneof === undefined ? undefined : oneofs[field.oneof];
      const oneofOptions = field.oneof === undefined ? [] : (body.oneofs[field.oneof]?.options ?? []);
      const features = inheritFeatures(this.#features, oneofOptions);
      const linked = linkField(field, { parent: this, oneof, file, features }, linking);
      if (linked === undefined) continue;
      fields.push(linked);
      byNumber.set(linked.number, linked);
      oneof?.fields.push(linked);
      if (field.options.length > 0) this.#readFieldOptions(field, linked, linking);
    }
    if (report !== undefined) {
      checkMessage(declaration, body, this.fullName, file, this.#features, report);
      this.#checkRanges(body, linking, report);
    }
    contents.fields = trimmed(fields);
    this.#byNumber = undefined;
    // Types that are linked on demand are linked again when they are checked.
    if (this.source.outline === undefined) this.declaration = declaration.withoutMembers?.() ?? declaration;
  }

  #checkRanges({ extensionRanges }: MessageBody, { withOptions }: Linking, report: ReportFinding): void {
    checkDeclarations(extensionRanges, this.source, report);
    // The ranges of one statement share the same options.
    for (const options of new Set(extensionRanges.map((range) => range.options))) {
      if (options.length === 0) continue;
      withOptions((read) => {
        read('ExtensionRangeOptions', options, this.source, this.fullName);
      });
    }
  }

  #readFieldOptions({ options }: FieldDeclaration, linked: LinkedField, { scope, graph, withOptions }: Linking): void {
    const file = this.source;
    withOptions((read) => {
      linked.options = read('FieldOptions', options, file, linked.fullName);
      const content = linked.options[NATIVE_CONTENT];
      if (typeof content !== 'string') return;
      const found = scope.resolve(content, linked.fullName, graph.visibleFrom(file), isType);
      linked.content = found.kind === 'symbol' ? found.symbol.message : undefined;
    });
  }
}

class LinkedOneof implements OneofDescriptor {
  readonly kind = 'oneof';
  readonly name: string;
  readonly fullName: string;
  readonly fields: FieldDescriptor[] = [];
  options: OneofDescriptor['options'] = NO_OPTIONS;
  readonly #comment: Comment;

  constructor(name: string, fullName: string, comment: Comment) {
    this.name = name;
    this.fullName = fullName;
    this.#comment = comment;
  }

  get comment(): string | undefined {
    return commentText(this.#comment);
  }
}
