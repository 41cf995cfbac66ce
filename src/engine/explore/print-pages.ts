/**
 * A file without text → a .proto text from its descriptors, and the place of each name in it. The text is for reading:
 * declarations are sorted by name, and options are printed from their values.
 *
 *   FilePage, pages of what it declares ─▶ text, names
 */

import { jsonNameOf, parentOf } from '../schema/names.ts';
import type { SymbolKind } from '../schema/symbols.ts';
import type { Span } from '../schema/text/tokens.ts';
import type { CatalogNode } from './catalog.ts';
import type { EnumPage, FieldEntry, FilePage, MessagePage, OptionText, ServicePage, SymbolPage } from './pages.ts';

export interface PrintedName extends Span {
  readonly kind: SymbolKind;
  readonly fullName: string;
  /** The span of the whole declaration of a definition; null: the name is a use. */
  readonly extent: Span | null;
}

export interface PrintedFile {
  readonly text: string;
  /** In the order of the text. */
  readonly names: readonly PrintedName[];
}

/** The messages that are declared as groups, by full name. */
type Groups = ReadonlyMap<string, MessagePage>;

/** The page of a name that the file declares; undefined: the file does not declare it. */
export type PageOf = (fullName: string) => SymbolPage | undefined;

export function printPages(file: FilePage, pageOf: PageOf): PrintedFile {
  const printer = new FilePrinter(file, pageOf);
  printer.printAll();
  return { text: printer.text, names: printer.names.toSorted((a, b) => a.start - b.start) };
}

/** Types whose repeated fields cannot be packed. Others are packed by default from proto3 on. */
const NEVER_PACKED = /^(string|bytes)$/;

class FilePrinter {
  text = '';
  readonly names: PrintedName[] = [];
  readonly #file: FilePage;
  readonly #pageOf: PageOf;
  #indent = '';

  constructor(file: FilePage, pageOf: PageOf) {
    this.#file = file;
    this.#pageOf = pageOf;
  }

  printAll(): void {
    const { syntax, package: name, imports, options, declares } = this.#file;
    this.#line(syntax.startsWith('proto') ? `syntax = "${syntax}";` : `edition = "${syntax}";`);
    if (name !== '') this.#line('', `package ${name};`);
    if (imports.length > 0) this.text += '\n';
    for (const imported of imports) {
      const modifier = imported.kind === 'plain' ? '' : `${imported.kind} `;
      this.text += `import ${modifier}`;
      this.#use('file', imported.file ?? imported.path, `"${imported.path}"`);
      this.text += ';\n';
    }
    if (options.length > 0) this.text += '\n';
    for (const option of options) this.#line(`option ${optionText(option)};`);
    this.#printNodes(declares, this.#groupsOf(declares));
  }

  #printNodes(nodes: readonly CatalogNode[], groups: Groups): void {
    for (const node of nodes) if (!groups.has(node.name)) this.#printNode(node, groups);
  }

  #printNode({ kind, name }: CatalogNode, groups: Groups): void {
    const page = this.#pageOf(name);
    if (page === undefined || page.kind !== kind) return;
    this.text += '\n';
    this.#comment(page.comment);
    if (page.kind === 'message') this.#printMessage(page);
    else if (page.kind === 'enum') this.#printEnum(page);
    else if (page.kind === 'service') this.#printService(page);
    else {
      const scope = parentOf(page.fullName);
      this.text += `${this.#indent}extend `;
      this.#use('message', page.extended, this.#nameIn(page.extended, scope));
      this.#block(() => this.#printField(page.field, scope, groups));
    }
  }

  #printMessage(page: MessagePage): void {
    this.text += `${this.#indent}message `;
    this.#define('message', page.fullName, page.name, () => this.#printBody(page));
  }

  #printBody(page: MessagePage): void {
    const groups = this.#groupsOf(page.nested, page.fields);
    this.#block(() => {
      for (const option of page.options) this.#line(`${this.#indent}option ${optionText(option)};`);
      if (page.deprecated) this.#line(`${this.#indent}option deprecated = true;`);
      if (page.reserved.length > 0) this.#printReserved(page.reserved);
      if (page.extensionRanges.length > 0) this.#line(`${this.#indent}extensions ${page.extensionRanges.join(', ')};`);
      for (let at = 0; at < page.fields.length; ) {
        const { oneof: name } = page.fields[at]!;
        const oneof = page.oneofs.find((one) => one.name === name);
        let end = at + 1;
        while (oneof && page.fields[end]?.oneof === name) end++;
        const some = page.fields.slice(at, end);
        if (oneof) this.#printOneof(oneof, some, page.fullName, groups);
        else this.#printFields(some, page.fullName, groups);
        at = end;
      }
      if (page.moreFields > 0)
        this.#line(`${this.#indent}// and ${page.moreFields} more fields, which are left out here`);
      this.#printNodes(page.nested, groups);
    });
  }

  /** In proto2, a group declares its message at the place of the field or extension. */
  #groupsOf(nodes: readonly CatalogNode[], fields: readonly FieldEntry[] = []): Groups {
    const groups = new Map<string, MessagePage>();
    if (this.#file.syntax !== 'proto2') return groups;
    const pages = nodes.map(({ name }) => this.#pageOf(name));
    const extensions = pages.flatMap((page) => (page?.kind === 'extension' ? [page.field] : []));
    const types = new Set([...fields, ...extensions].filter(isGroupField).map(({ type }) => type.leadsTo));
    for (const page of pages) if (page?.kind === 'message' && types.has(page.fullName)) groups.set(page.fullName, page);
    return groups;
  }

  #printOneof(
    { name, options, comment }: MessagePage['oneofs'][number],
    fields: readonly FieldEntry[],
    scope: string,
    groups: Groups,
  ): void {
    this.#comment(comment);
    this.text += `${this.#indent}oneof `;
    this.#define('oneof', `${scope}.${name}`, name, () =>
      this.#block(() => {
        for (const option of options) this.#line(`${this.#indent}option ${optionText(option)};`);
        this.#printFields(fields, scope, groups);
      }),
    );
  }

  #printFields(fields: readonly FieldEntry[], scope: string, groups: Groups): void {
    for (const field of fields) this.#printField(field, scope, groups);
  }

  #printField(field: FieldEntry, scope: string, groups: Groups): void {
    this.#comment(field.comment);
    this.text += this.#indent + this.#labelOf(field);
    const kind = field.isExtension ? 'extension' : 'field';
    const group = groups.get(field.type.leadsTo ?? '');
    if (group) {
      this.text += 'group ';
      this.#define('message', group.fullName, group.name, () =>
        this.#define(kind, field.fullName, '', () => {
          this.text += ` = ${field.number}${optionsText(this.#optionsOf(field))}`;
          this.#printBody(group);
        }),
      );
      return;
    }
    const key = /^map<(\w+), /.exec(field.type.text)?.[1];
    if (key !== undefined) this.text += `map<${key}, `;
    if (field.type.leadsTo !== null) {
      const target = this.#pageOf(field.type.leadsTo);
      this.#use(
        target?.kind === 'enum' ? 'enum' : 'message',
        field.type.leadsTo,
        this.#nameIn(field.type.leadsTo, scope),
      );
    } else
      this.text +=
        key === undefined ? field.type.text.replace(/^repeated /, '') : field.type.text.slice(6 + key.length, -1);
    this.text += key === undefined ? ' ' : '> ';
    this.#define(kind, field.fullName, field.name, () => {
      this.text += ` = ${field.number}${optionsText(this.#optionsOf(field))};\n`;
    });
  }

  #labelOf(field: FieldEntry): string {
    const { presence, oneof, type } = field;
    if (type.text.startsWith('repeated ')) return 'repeated ';
    if (presence === 'none' || oneof !== null) return '';
    switch (this.#file.syntax) {
      case 'proto2':
        return presence === 'required' ? 'required ' : 'optional ';
      case 'proto3':
        // On a message field, `optional` changes nothing.
        return presence === 'explicit' && isScalarLike(field) ? 'optional ' : '';
      default:
        return '';
    }
  }

  #optionsOf(field: FieldEntry): readonly string[] {
    const { syntax } = this.#file;
    const isEdition = !syntax.startsWith('proto');
    const isRepeated = field.type.text.startsWith('repeated ');
    const isPackable = isRepeated && isScalarLike(field) && !NEVER_PACKED.test(field.type.text.slice(9));
    const said = field.options.map(optionText);
    if (field.defaultValue !== null) said.push(`default = ${defaultText(field)}`);
    if (isPackable && field.packed !== (syntax !== 'proto2')) {
      said.push(isEdition ? 'features.repeated_field_encoding = EXPANDED' : `packed = ${field.packed}`);
    }
    if (isEdition && field.presence === 'implicit') said.push('features.field_presence = IMPLICIT');
    if (isEdition && field.presence === 'required') said.push('features.field_presence = LEGACY_REQUIRED');
    if (isEdition && isGroupField(field)) said.push('features.message_encoding = DELIMITED');
    if (!field.isExtension && field.jsonName !== jsonNameOf(field.name)) {
      said.push(`json_name = ${JSON.stringify(field.jsonName)}`);
    }
    if (field.deprecated) said.push('deprecated = true');
    return said;
  }

  #printEnum(page: EnumPage): void {
    const scope = page.fullName.slice(0, page.fullName.length - page.name.length);
    this.text += `${this.#indent}enum `;
    this.#define('enum', page.fullName, page.name, () =>
      this.#block(() => {
        for (const option of page.options) this.#line(`${this.#indent}option ${optionText(option)};`);
        if (page.deprecated) this.#line(`${this.#indent}option deprecated = true;`);
        if (page.closed && this.#file.syntax !== 'proto2')
          this.#line(`${this.#indent}option features.enum_type = CLOSED;`);
        const numbers = new Set(page.values.map(({ number }) => number));
        if (numbers.size < page.values.length) this.#line(`${this.#indent}option allow_alias = true;`);
        if (page.reserved.length > 0) this.#printReserved(page.reserved);
        for (const { name, number, deprecated, options, comment } of page.values) {
          this.#comment(comment);
          const said = [...options.map(optionText), ...(deprecated ? ['deprecated = true'] : [])];
          this.text += this.#indent;
          this.#define('value', scope + name, name, () => {
            this.text += ` = ${number}${optionsText(said)};\n`;
          });
        }
      }),
    );
  }

  #printService(page: ServicePage): void {
    this.text += 'service ';
    this.#define('service', page.fullName, page.name, () =>
      this.#block(() => {
        for (const option of page.options) this.#line(`${this.#indent}option ${optionText(option)};`);
        for (const method of page.methods) {
          this.#comment(method.comment);
          this.text += `${this.#indent}rpc `;
          this.#define('method', `${page.fullName}.${method.name}`, method.name, () => {
            this.text += method.clientStreaming ? ' (stream ' : ' (';
            this.#use('message', method.input, this.#nameIn(method.input, page.fullName));
            this.text += method.serverStreaming ? ') returns (stream ' : ') returns (';
            this.#use('message', method.output, this.#nameIn(method.output, page.fullName));
            const said = [...method.options.map(optionText), ...(method.deprecated ? ['deprecated = true'] : [])];
            this.text += said.length === 0 ? ');\n' : `) { ${said.map((option) => `option ${option};`).join(' ')} }\n`;
          });
        }
      }),
    );
  }

  #printReserved(reserved: readonly string[]): void {
    // From edition 2023 on, reserved names are written without quotes.
    const isEdition = !this.#file.syntax.startsWith('proto');
    const isName = (part: string): boolean => part.startsWith('"');
    const numbers = reserved.filter((part) => !isName(part));
    const names = reserved.filter(isName).map((part) => (isEdition ? part.slice(1, -1) : part));
    for (const list of [numbers, names]) if (list.length > 0) this.#line(`${this.#indent}reserved ${list.join(', ')};`);
  }

  /** The shortest form of a name that can be found from `scope`; absolute if a nearer name hides it. */
  #nameIn(fullName: string, scope: string): string {
    const home = this.#file.package;
    const isTaken = (name: string): boolean => this.#pageOf(name) !== undefined || `${home}.`.startsWith(`${name}.`);
    for (let around = scope; ; around = parentOf(around)) {
      const isAround = around === '' || around === home || around.startsWith(`${home}.`) || home === '';
      if (isAround && fullName.startsWith(around === '' ? '' : `${around}.`)) {
        const short = around === '' ? fullName : fullName.slice(around.length + 1);
        const [first = ''] = short.split('.');
        let nearer = scope;
        while (nearer !== around && !isTaken(`${nearer}.${first}`)) nearer = parentOf(nearer);
        if (nearer === around) return short;
      }
      if (around === '') return `.${fullName}`;
    }
  }

  #line(...lines: readonly string[]): void {
    for (const line of lines) this.text += `${line}\n`;
  }

  #block(print: () => void): void {
    this.text += ' {\n';
    const before = this.#indent;
    this.#indent += '  ';
    print();
    this.#indent = before;
    this.text += `${before}}\n`;
  }

  #comment(comment: string | null): void {
    if (comment === null) return;
    for (const line of comment.split('\n')) this.#line(`${this.#indent}// ${line}`.trimEnd());
  }

  #use(kind: SymbolKind, fullName: string, as = this.#nameIn(fullName, this.#file.package)): void {
    const start = this.text.length;
    this.text += as;
    this.names.push({ kind, fullName, start, end: this.text.length, extent: null });
  }

  /** Writes a line that begins a declaration. */
  #define(kind: SymbolKind, fullName: string, name: string, rest: () => void): void {
    const start = this.text.length;
    const from = this.text.lastIndexOf('\n') + 1 + this.#indent.length;
    this.text += name;
    const at = this.names.length;
    const defined = { kind, fullName, start, end: this.text.length };
    this.names.push({ ...defined, extent: null });
    rest();
    this.names[at] = { ...defined, extent: { start: from, end: this.text.trimEnd().length } };
  }
}

const isGroupField = ({ cost }: FieldEntry): boolean => cost.width === 'group';

/** Whether it is a scalar or an enum: only these have implicit presence, defaults and packing. */
const isScalarLike = ({ type, cost, packed, presence }: FieldEntry): boolean =>
  type.leadsTo === null || packed || presence === 'implicit' || cost.width === 'varint';

function defaultText({ type, defaultValue }: FieldEntry): string {
  if (type.text === 'bytes') return `"${defaultValue}"`;
  return type.text === 'string' ? JSON.stringify(defaultValue) : defaultValue!;
}

const optionText = ({ name, value }: OptionText): string => `${name} = ${value}`;

const optionsText = (options: readonly string[]): string => (options.length === 0 ? '' : ` [${options.join(', ')}]`);
