/** The contents of a link, and the places where its length works, in words. */
import { plural } from '#engine/model/count-text.ts';
import { formatBytes, formatCount } from './number-text.ts';
import { visible } from './visible.ts';

/** The kinds of data that a link carries. */
export type ShareKind = 'sample' | 'profile' | 'shape' | 'inline' | 'address';

export const SHARE_TITLES: Readonly<Record<ShareKind, string>> = {
  sample: 'The name of the sample',
  profile: 'The figures alone',
  shape: 'The shape of the messages',
  inline: 'Everything',
  address: 'Address of the input',
};

export interface ShareFacts {
  readonly fields: number;
  /** Messages of the shown type, and of the whole input. */
  readonly messages: number;
  readonly outOf: number;
  /** Bytes of the input as given, and of the schema's files. */
  readonly size: number;
  readonly schema: { readonly files: number; readonly bytes: number };
  /** The part of the schema that is shared: the files that the messages need; null until it is known. */
  readonly travelling: ShareFacts['schema'] | null;
  readonly isExcerptCarried: boolean;
  /** Names of fields come from the messages, not from a type. */
  readonly hasMemberNames: boolean;
  /** Part of the input was decrypted with secrets of TLS. */
  readonly hasKeys: boolean;
  /** They are in the file of the input. */
  readonly holdsKeys: boolean;
  /** Messages are in a google.protobuf.Any, which names their types. */
  readonly namesTypes: boolean;
}

/** The shared parts, and the parts left out. */
export function shareWords(
  kind: ShareKind,
  {
    fields,
    messages,
    outOf,
    size,
    schema: loaded,
    travelling,
    isExcerptCarried,
    hasMemberNames,
    hasKeys,
    holdsKeys,
    namesTypes,
  }: ShareFacts,
): string {
  const schema = travelling ?? loaded;
  const isPart = kind === 'shape' ? schema.files < loaded.files : schema.bytes < loaded.bytes;
  const part = isPart ? 'the part of the schema that the messages need' : 'the schema';
  const schemaWords =
    schema.files === 0 ? 'no schema' : `${part}, ${plural(schema.files, 'file')} of ${formatBytes(schema.bytes)}`;
  const some =
    outOf > messages ? `${formatCount(messages)} of ${plural(outOf, 'message')}` : plural(messages, 'message');
  const keyWords = hasKeys ? ' The link has no TLS secrets: encrypted parts of the input stay encrypted.' : '';
  switch (kind) {
    case 'sample':
      return 'No data at all: the app of the person who opens it has the same sample.';
    case 'profile':
      return `Counts and sizes of ${plural(fields, 'field')} of ${some}, with their names and types. ${profileBytes(isExcerptCarried, hasMemberNames)} The receiver has no trees, findings or advice, and cannot choose other types.`;
    case 'shape':
      return `Tags, lengths and structure of ${some}, and ${schemaWords}${schema.files > 0 ? ', without the comments of .proto files' : ''}. Texts and numbers are filler of the same size${namesTypes ? ', but the names of types in URLs of an Any stay' : ''}: the plain figures stay, the contents do not travel, and nothing is compressed or advised from filler.`;
    case 'inline':
      return `The unchanged input, ${formatBytes(size)}, with every value, and ${schemaWords}.${keyWords}`;
    case 'address':
      return `An address that the input is fetched from, and ${schemaWords}. The person who opens it is asked first.${holdsKeys ? ' The file there has TLS secrets in it: its encrypted parts are read, too.' : keyWords}`;
  }
}

function profileBytes(isExcerptCarried: boolean, hasMemberNames: boolean): string {
  if (hasMemberNames)
    return `Of the messages, ${isExcerptCarried ? 'the bytes chosen below, and ' : ''}the names listed below.`;
  return isExcerptCarried ? 'The bytes of messages chosen below, and no others.' : 'No byte of any message.';
}

/** Names that are listed; a profile has up to 50,000. */
const LISTED_NAMES = 500;

/** @param names that messages write, at least one */
export function memberNamesWords(names: readonly string[]): string {
  const rest = names.length - LISTED_NAMES;
  const more = rest > 0 ? `, and ${formatCount(rest)} more` : '';
  return `Names from the messages themselves, which may be data: ${names.slice(0, LISTED_NAMES).map(visible).join(', ')}${more}.`;
}

/** A link always has A as figures alone. */
export const baselineWords = (name: string, fields: number): string =>
  `A, ${visible(name)}, travels as figures alone: counts and sizes of ${plural(fields, 'field')}, with their names and types.`;

/** Characters that a whole address may have: where it works, and no further. */
export const LENGTH_MARKS = [
  { characters: 2000, where: 'anywhere' },
  { characters: 4000, where: 'in most chats' },
  { characters: 8000, where: 'in most software' },
] as const;

export function lengthWords(characters: number): string {
  const mark = LENGTH_MARKS.find((candidate) => characters <= candidate.characters);
  const count = `${formatCount(characters)} characters`;
  return mark ? `${count}: works ${mark.where}.` : `${count}: too long for much software. Save the file instead.`;
}

/** The parts that an analysis from a link cannot show. @param hasBytes bytes of one message were shared with the figures */
export function sharedWithout(kind: ShareKind, hasBytes: boolean): string {
  switch (kind) {
    case 'profile': {
      const missing = hasBytes
        ? 'with bytes of one message: there are no other bytes,'
        : 'without their messages: there are no bytes,';
      return `The figures were shared ${missing} trees, findings or advice, and type, native profile and writers stay as they are.`;
    }
    case 'shape':
      return 'The shape was shared without its contents: texts and numbers are filler of the same size, every figure is the true one. Filler is neither compressed nor written in other encodings.';
    default:
      return '';
  }
}

/** A server from which the input of a link is fetched learns this. @param address null: not known */
export const fetchWarning = (address: string | null): string =>
  `That server will see your network address and that you asked for ${address ?? 'it'}; nothing else is sent to it.`;
