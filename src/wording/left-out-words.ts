/** Files of a drop or of a folder that are not opened: which, why, and what to do. */
import { MOST_FILES } from '#engine/model/folder-rules.ts';
import type { FailureWords } from './failure-words.ts';
import { formatCount } from './number-text.ts';

export interface LeftOut {
  readonly path: string;
  readonly why: keyof typeof REASONS;
  /** Its content: `a PNG picture`. */
  readonly what?: string;
}

interface Reason {
  /** The title if it is the only reason. */
  readonly title: string;
  /** Follows the names, if there are several reasons. */
  readonly note: string;
  readonly remedy: string;
}

const REASONS = {
  unread: {
    title: 'The browser could not read it',
    note: 'not readable',
    remedy: 'The file may have been deleted or changed, or you may not have permission to read it. Choose it again.',
  },
  empty: {
    title: 'The folder has no files to open',
    note: 'no files to open',
    remedy:
      'Files and folders of systems and tools, such as .git, are not opened with a folder. Drop the files that you mean.',
  },
  beyond: {
    title: `There are more than ${formatCount(MOST_FILES)} files`,
    note: `and all after the first ${formatCount(MOST_FILES)} files`,
    remedy: 'Drop the folders that are in it one by one.',
  },
  analysis: {
    title: 'A saved analysis is opened alone',
    note: 'beside a saved analysis',
    remedy: 'Drop the other files without it.',
  },
  captures: {
    title: 'Captures and payloads are opened apart',
    note: 'payloads beside captures',
    remedy: 'Drop the payloads without the captures.',
  },
  texts: {
    title: 'JSON beside schemas or payloads is not opened with its folder',
    note: 'JSON or text format beside schemas or payloads',
    remedy: 'If they are messages, drop them alone: the schemas stay loaded.',
  },
  others: {
    title: 'Files without messages are not opened with their folder',
    note: 'no messages',
    remedy: 'If one of them has messages, drop it alone: the schemas stay loaded.',
  },
} satisfies Record<string, Reason>;

/** Names that are listed for each reason; the others are counted. */
const LISTED = 3;

/** @param left at least one */
export function leftOutWords(left: readonly LeftOut[]): FailureWords {
  const reasons = Object.entries(REASONS).flatMap(([why, reason]) => {
    const names = left.filter((one) => one.why === why).map(({ path, what }) => (what ? `${path} (${what})` : path));
    return names.length === 0 ? [] : [{ ...reason, names: listed(names) }];
  });
  const [only, ...others] = reasons;
  const remedy = reasons.map((one) => one.remedy).join(' ');
  return others.length === 0
    ? { title: only!.title, detail: `Not opened: ${only!.names}`, remedy }
    : {
        title: 'Some files are not opened',
        detail: `Not opened: ${reasons.map(({ names, note }) => `${names} (${note})`).join('; ')}`,
        remedy,
      };
}

const listed = (names: readonly string[]): string =>
  `${names.slice(0, LISTED).join(', ')}${names.length > LISTED ? ` and ${formatCount(names.length - LISTED)} more` : ''}`;
