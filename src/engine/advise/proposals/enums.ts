/** Proposals for texts of a small vocabulary. */
import { latin1 } from '../../bytes/latin1.ts';
import { countText } from '../../model/count-text.ts';
import type { EnumChange } from '../change.ts';
import { homeOf, isHidingType } from '../changes/enum.ts';
import type { FieldEncodings } from '../forms.ts';
import type { FieldUse } from '../uses.ts';
import { namesOf, type Proposal, type Propose } from './proposal.ts';

/** Words, also with digits at their ends: `http2`, `x86_64`. */
const WORDS = /^[A-Za-z]+\d*(_[A-Za-z]*\d*)*$/;
/** Ids and names of things are not a vocabulary, even if there are few: as many that differ in digits alone are numbered. */
const NUMBERED = 3;
const MAX_CONSTANTS = 16;
/** Uses of each text, on average. */
const MIN_USES = 8;

interface Vocabulary {
  readonly use: FieldUse;
  readonly words: readonly string[];
  /** The enum's name. */
  readonly name: string;
}

/** Each field alone, because only its owner knows whether other texts can come; and all of them together. */
export const enums: Propose = ({ fields, forms }) => {
  const found = [...fields].flatMap((use): readonly Vocabulary[] => {
    const words = vocabularyOf(use, forms);
    return words === undefined ? [] : [{ use, words, name: enumName(use, forms) }];
  });
  const alone = found.map((one) => [one]);
  const together = withSharedEnums(found, forms);
  return (together.length > 1 ? [together, ...alone] : alone).map((some): Proposal => {
    const uses = some.map(({ use }) => use);
    const enums = new Map(some.map((one) => [`${homeOf(one.use, forms)}.${one.name}`, one.words.length]));
    const texts = [...enums.values()].reduce((sum, count) => sum + count, 0);
    const values = uses.reduce((sum, use) => sum + countOf(use), 0);
    return {
      title: `Declare ${namesOf(uses)} ${enums.size === 1 ? 'an enum' : 'enums'}: ${texts} different words in ${countText(values)} values`,
      changes: some.map(({ use, words, name }): EnumChange => {
        const { message, field } = use;
        return { change: 'enum', message, field: field.name, name, constants: words };
      }),
    };
  });
};

/** The constants of all enums of a message have one scope, so its fields that share a word share an enum. */
function withSharedEnums(found: readonly Vocabulary[], forms: FieldEncodings): readonly Vocabulary[] {
  const sets: { home: string; name: string; words: Set<string>; uses: FieldUse[] }[] = [];
  for (const { use, words, name } of found) {
    const home = homeOf(use, forms);
    const joined = { home, name, words: new Set(words), uses: [use] };
    for (const other of sets.filter((one) => one.home === home && words.some((word) => one.words.has(word)))) {
      sets.splice(sets.indexOf(other), 1);
      joined.name = other.name;
      for (const word of other.words) joined.words.add(word);
      joined.uses.unshift(...other.uses);
    }
    sets.push(joined);
  }
  const byUse = new Map(sets.flatMap((set) => set.uses.map((use) => [use, set] as const)));
  return found.map(({ use }): Vocabulary => {
    const { name, words } = byUse.get(use)!;
    return { use, name, words: [...words].sort() };
  });
}

const countOf = ({ lists }: FieldUse): number => lists.reduce((sum, { length }) => sum + length, 0);

/** undefined: there are too many different texts, or they are not all words. */
function vocabularyOf(use: FieldUse, forms: FieldEncodings): readonly string[] | undefined {
  const { message, field, lists } = use;
  if (field.type !== 'string' || field.name.startsWith('[')) return undefined;
  const { isMapEntry } = forms.get(message)!;
  if (isMapEntry && field.name === 'key') return undefined;
  const words = new Set<string>();
  for (const list of lists) {
    for (const value of list) {
      const text = value as Uint8Array;
      words.add(latin1(text, 0, text.length));
      if (words.size > MAX_CONSTANTS) return undefined;
    }
  }
  // In JSON, the value of a map is also written if it is the default.
  if (field.presence === 'implicit' && !isMapEntry) words.delete('');
  const isVocabulary =
    words.size > 1 &&
    countOf(use) >= MIN_USES * words.size &&
    [...words].every((word) => WORDS.test(word)) &&
    !areNumbered([...words]);
  return isVocabulary ? [...words].sort() : undefined;
}

function areNumbered(words: readonly string[]): boolean {
  const counts = new Map<string, number>();
  for (const word of words) {
    const letters = word.replace(/\d+/g, '');
    counts.set(letters, (counts.get(letters) ?? 0) + 1);
  }
  return [...counts.values()].some((count) => count >= NUMBERED);
}

/** `log_level` → `LogLevel`; of the values of a map `tags`, `TagsValue`; `LogLevelEnum` if that name would hide a type. */
function enumName(use: FieldUse, forms: FieldEncodings): string {
  const map = forms.get(homeOf(use, forms))!.fields.find(({ typeName }) => typeName === use.message);
  const name = map?.cardinality === 'map' ? `${map.name}_value` : use.field.name;
  const pascal = name.replace(/(?:^|_)+(.?)/g, (_, first: string) => first.toUpperCase());
  return isHidingType(pascal, forms) ? `${pascal}Enum` : pascal;
}
