/** The type that messages are read as, and the reason: a line each, for the type menu and for a terminal. */
import type { ReadingPlan, UnlikeFiles } from '#engine/analysis/plan/plan-reading.ts';
import type { Profile } from '#engine/cost/profile.ts';
import { countText, plural } from '#engine/model/count-text.ts';
import { shortNameOf } from '#engine/schema/names.ts';

type Why = ReadingPlan['why'];

/** Sentences. */
export const WHY_READ_SO: Readonly<Record<Why, string>> = {
  chosen: 'You chose it.',
  'by number': 'Reading by field number was chosen.',
  asserted: 'The messages fit this type.',
  presumed: 'The messages fit this type of a small schema, but messages of other types may look the same.',
  alike: 'Several types fit equally well.',
  short: 'There are too few bytes to detect their type.',
  unproven: 'A type fits, but messages of other types may look the same.',
  none: 'No type fits.',
};

const UNTYPED: Readonly<Partial<Record<Why, string>>> = {
  alike: 'several fit: ',
  short: 'too few bytes to detect a type: ',
  unproven: 'weak evidence for a type: ',
  none: 'nothing fits: ',
};

const fieldsBy = (isText: boolean): string => `fields by ${isText ? 'name' : 'number'}`;

/** In place of the type of figures without one. */
export const untypedFields = ({ other }: Pick<Profile, 'other'>): string => fieldsBy(other?.isAlone === true);

/** In place of a type's name where messages are read without one: text has the names of its fields. */
export const untypedLabel = (plan: Pick<ReadingPlan, 'why' | 'isText'> | null): string =>
  `${(plan && UNTYPED[plan.why]) ?? ''}${fieldsBy(plan?.isText ?? false)}`;

/**
 * Beside a type's name: `2 fit alike`, if types of this name in other packages read the messages in the same way;
 * `presumed`; `bundled`, if types are loaded and it is not one of them.
 */
export const typeNote = ({ why, type, twins, isBundled }: ReadingPlan): string =>
  [
    why === 'presumed' && 'presumed',
    why === 'alike' && type !== null && `${countText(twins.length + 1)} fit alike`,
    isBundled && 'bundled',
  ]
    .filter(Boolean)
    .join(', ');

/** Beside a type of a list, if types are loaded. */
export const SHELVES = { loaded: 'your schema', bundled: 'bundled' } as const;

/** undefined: the type of the messages is a loaded one, or none is loaded. */
export function unusedSchemaWords(plan: ReadingPlan): string | undefined {
  const { type, isBundled } = plan;
  const unused =
    isBundled && type !== null ? `No type of your schema fits as well: ${shortNameOf(type)} ships with the app.` : '';
  return [unused, leftOutWords(plan)].filter(Boolean).join(' ') || undefined;
}

/** Names of files that are listed for a type. */
const NAMED_FILES = 5;

/** Files that fit different types, a line for each type: `a.Row is the type of one.bin, two.bin`. */
export const typesOfFiles = ({ types }: UnlikeFiles): readonly string[] =>
  types.map(({ type, files }) => {
    const more = files.length - NAMED_FILES;
    const others = more > 0 ? ` and ${plural(more, 'more file')}` : '';
    return `${type} is the type of ${files.slice(0, NAMED_FILES).join(', ')}${others}`;
  });

/** Without a full stop. */
export const ofDifferentTypes = ({ oneIn }: UnlikeFiles): string =>
  `The files are of different types${oneIn > 1 ? `, of which one in ${countText(oneIn)} was compared alone` : ''}`;

/** undefined: the files are of one type, as far as they show it. */
export const unlikeWords = ({ unlike }: Pick<ReadingPlan, 'unlike'>): string | undefined =>
  unlike &&
  `${ofDifferentTypes(unlike)}: ${typesOfFiles(unlike).join('; ')}. The figures mix them: open those of one type alone.`;

const NAMED = 3;

/** undefined: the messages are of a loaded type, or every loaded type was compared. */
export function leftOutWords({ type, isBundled, leftOut = [] }: ReadingPlan): string | undefined {
  if (leftOut.length === 0 || (type !== null && !isBundled)) return undefined;
  const more = leftOut.length - NAMED;
  const names = [...leftOut.slice(0, NAMED).map(shortNameOf), ...(more > 0 ? [`${countText(more)} more`] : [])];
  const listed = names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  const were = leftOut.length === 1 ? '1 type was' : `${countText(leftOut.length)} types were`;
  return `${were} not compared, because errors of your schema touch ${leftOut.length === 1 ? 'it' : 'them'}: ${listed}.`;
}

/** After the messages, as their verb: the reason for not using the type that is named. */
export const contradictWords = (named: string): string =>
  `contradict ${named}, the type that their address, header or method names`;

/** Over the ranking of types for one message: `Type of message 3: Row fits best. 402 types compared, best first.` */
export function rankingWords({ why, type, compared, candidates }: ReadingPlan, message: string): string {
  const first = candidates[0]?.type;
  const says =
    why === 'asserted' && type !== null
      ? `${shortNameOf(type)} fits ${message}.`
      : why === 'alike'
        ? `Several types fit ${message} equally well.`
        : why === 'short'
          ? `There are too few bytes in ${message} to detect its type.`
          : (why === 'unproven' || why === 'presumed') && (type ?? first) !== undefined
            ? `${shortNameOf((type ?? first)!)} fits ${message}, but messages of other types may look the same.`
            : `No type fits ${message}.`;
  const order = first === undefined ? '' : `, best fit first`;
  return `${says} ${plural(compared.types, 'type')} compared${order}.`;
}
