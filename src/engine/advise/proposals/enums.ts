/** Proposals for texts of a small vocabulary. */
import { latin1 } from '../../bytes/latin1.ts';
import type { EnumChange } from '../change.ts';
import { isHidingType } from '../changes/enum.ts';
import type { FieldEncodings } from '../forms.ts';
import type { FieldUse } from '../uses.ts';
import { namesOf, type Proposal, type Propose } from './proposal.ts';

/** Ids and names of things are not a vocabulary, even if there are few. */
const WORDS = /^[A-Za-z]+(_[A-Za-z]+)*$/;
const MAX_CONSTANTS = 16;
/** Uses of each text, on average. */
const MIN_USES = 8;

interface Vocabulary {
  readonly use: FieldUse;
  readonly words: readonly string[];
}

/** Each field alone, because only its owner knows whether other texts can come; and all of them together. */
export const enums: Propose = ({ fields, forms }) => {
  const found = [...fields].flatMap((use): readonly Vocabulary[] => {
    const words = vocabularyOf(use, forms);
    return words === undefined ? [] : [{ use, words }];
  });
  const alone = found.map((one) => [one]);
  const together = withoutSharedNames(found);
  return (together.length > 1 ? [together, ...alone] : alone).map((some): Proposal => {
    const uses = some.map(({ use }) => use);
    const texts = some.reduce((sum, { words }) => sum + words.length, 0);
    const values = uses.reduce((sum, use) => sum + countOf(use), 0);
    return {
      title: `Declare ${namesOf(uses)} ${some.length === 1 ? 'an enum' : 'enums'}: ${texts} different words in ${values} values`,
      changes: some.map(({ use, words }): EnumChange => {
        const { message, field } = use;
        return { change: 'enum', message, field: field.name, name: enumName(use, forms), constants: words };
      }),
    };
  });
};

/** The constants of all enums of a message have one scope: each name can be in one of them. */
function withoutSharedNames(found: readonly Vocabulary[]): readonly Vocabulary[] {
  const names = new Set<string>();
  return found.filter(({ use: { message }, words }) => {
    const own = words.map((word) => `${message}.${word}`);
    if (own.some((name) => names.has(name))) return false;
    for (const name of own) names.add(name);
    return true;
  });
}

const countOf = ({ lists }: FieldUse): number => lists.reduce((sum, { length }) => sum + length, 0);

/** undefined: there are too many different texts, or they are not all words. */
function vocabularyOf(use: FieldUse, forms: FieldEncodings): readonly string[] | undefined {
  const { message, field, lists } = use;
  if (field.type !== 'string' || field.name.startsWith('[') || forms.get(message)!.isMapEntry) return undefined;
  const words = new Set<string>();
  for (const list of lists) {
    for (const value of list) {
      const text = value as Uint8Array;
      words.add(latin1(text, 0, text.length));
      if (words.size > MAX_CONSTANTS) return undefined;
    }
  }
  if (field.presence === 'implicit') words.delete('');
  const isVocabulary =
    words.size > 1 && countOf(use) >= MIN_USES * words.size && [...words].every((word) => WORDS.test(word));
  return isVocabulary ? [...words].sort() : undefined;
}

/** `log_level` → `LogLevel`; `LogLevelEnum` if that name would hide a type. */
function enumName({ field: { name } }: FieldUse, forms: FieldEncodings): string {
  const pascal = name.replace(/(?:^|_)+(.?)/g, (_, first: string) => first.toUpperCase());
  return isHidingType(pascal, forms) ? `${pascal}Enum` : pascal;
}
