/**
 * `npm run check` step "words": comments, docs, test titles and texts of the repository → each place of a word that made
 * readers stop, with the words to use instead, and of each comment or test title that does not begin with its subject. Code in backticks and fences is not read, nor are names in code.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sentencesOf } from './sentences.ts';

export interface Word {
  readonly word: RegExp;
  readonly instead: string;
  /** Places where the word is right: text around it that matches, and the reason. */
  readonly except?: readonly { readonly text: RegExp; readonly because: string }[];
}

/** Add one more as a row here. A phrase may continue on the next line of its comment: `\s+` between its words. */
export const WORDS: readonly Word[] = [
  { word: /\b(un)?told\b/i, instead: 'reported, stated, known, distinguished' },
  { word: /\btells?\b/i, instead: 'shows, names, reports, distinguishes' },
  {
    word: /\bmet\b/i,
    instead: 'seen, found, occurs; for a connection: captured from its middle',
    except: [
      { text: /\bconditions?\s+(is|are)\s+(not\s+)?met\b/i, because: 'a condition is met: the standard phrase' },
    ],
  },
  { word: /\bwho(m)?ever\b/i, instead: 'the caller, the reader, the person who' },
  { word: /\b(some|no|any)body\b/i, instead: 'a user, a caller; no user, none' },
  { word: /\bwhatever\b/i, instead: 'any, all, with any' },
  { word: /\bow(es?|ed)\b/i, instead: 'is pending, must' },
  { word: /\bof\s+none\b/i, instead: 'without elements, empty' },
  {
    word: /\bis\s+none\b/i,
    instead: 'is not one, is not valid; for absence: without one',
    except: [{ text: /\bwas VERIFY and is NONE\b/, because: 'the value NONE of a feature' }],
  },
  {
    word: /(?<!\bthere )\b(is|are)\s+no\s+(?!longer\b|more\b|less\b|larger\b|smaller\b)\w+/i,
    instead: 'is not a; for absence: there is no',
  },
  { word: /\ball\s+the\s+same\b/i, instead: 'anyway; equal' },
  { word: /\bcame\s+(along|in|with|without|as)\b/i, instead: 'was shared, was captured, has' },
  { word: /\bso\s+many\b/i, instead: 'a number of; this many' },
  { word: /\bgo(es)?\s+on\b/i, instead: 'continues' },
  { word: /\bat\s+hand\b/i, instead: 'loaded, available' },
  { word: /\barrived\b/i, instead: 'received, loaded, captured' },
  { word: /\bspeaks?\s+(for|against)\b/i, instead: 'is evidence for, contradicts' },
  { word: /\bfor\s+ever\b/i, instead: 'always, without end' },
  { word: /\bsa(ys?|id)\s+so\b/i, instead: 'shows it, is reported, has a finding' },
  { word: /\bdress(es|ed)?\b/i, instead: 'text encoding' },
  { word: /\bunfold(s|ed|ing)?\b/i, instead: 'inflate, decompress; of a tree: open' },
  { word: /\btelling\b/i, instead: 'specific, reported' },
  { word: /\bjourneys?\b/i, instead: 'pipeline, run' },
  {
    word: /\bthreads?\b/i,
    instead: 'worker',
    except: [
      { text: /\bthread[ -]context\b/i, because: 'OpenSearch’s name for its headers' },
      { text: /\bmain[- ]thread\b/i, because: 'the browser’s thread of a page' },
      { text: /\bone thread for each side\b/, because: 'a word of the Firefox profiler’s format' },
      { text: /\bthread\.id\b/, because: 'a field of recorded data' },
    ],
  },
];

/**
 * Sentences of comments, and test titles, that hide their subject: “Of sets: every declaration”, “What is left out is
 * counted”, “Who reads us may stop early”. A question may begin so.
 */
const COMMENT_START = /^[ \t]*(?:\/\*\*|\*|\/\/)[ \t]+(?:Of|What|Who|Whose|Those|Nothing but|Not)\s(?![^.]*\?)/;
const SENTENCE_START = /(?<=^[ \t]*(?:\/\*\*|\*|\/\/)[ \t].*[a-z)`”][.] )(?:Of|What|Who|Those)\s(?![^.]*\?)/;
const TITLE_START = /\b(?:test|describe)(?:\.\w+)?\(['"`](?:of|what|who|those|nothing but)\s/;
const HIDDEN_SUBJECT = [COMMENT_START, SENTENCE_START, TITLE_START];
const SUBJECT_FIRST = 'begin with the subject';

/** Continued lines of a block comment begin in the middle of a sentence. */
function findHiddenSubjects(path: string, text: string): readonly Place[] {
  if (path.endsWith('.md') || path.endsWith('.css')) return [];
  const lines = text.split('\n');
  return lines.flatMap((line, at) => {
    const isContinued = /^\s*(\*|\/\/)\s/.test(line) && /^\s*(\/?\*\*?|\/\/)\s.*[^.:;]$/.test(lines[at - 1] ?? '');
    const found = HIDDEN_SUBJECT.flatMap((start) =>
      isContinued && start === COMMENT_START ? [] : (line.match(start) ?? []),
    );
    return found.slice(0, 1).map((word) => ({ path, line: at + 1, word: word.trim(), instead: SUBJECT_FIRST }));
  });
}

const ROOT = new URL('../', import.meta.url);
const PLACES = ['README.md', 'ARCHITECTURE.md', 'docs', 'src', 'worker', 'e2e', 'scripts', 'bench'];
/** Files of other projects: their schemas, and files built from them. */
const FOREIGN = /^src\/imports\//;
/** The list itself, and the rows that test it. */
const LIST = /^scripts\/words(\.test)?\.ts$/;
/** Characters of a sentence that an exception sees on either side of a word. */
const AROUND = 40;

export interface Place {
  readonly path: string;
  readonly line: number;
  readonly word: string;
  readonly instead: string;
}

export function findWords(path: string, text: string): readonly Place[] {
  const sentences = sentencesOf(path, text);
  const words = WORDS.flatMap(({ word, instead, except = [] }) =>
    [...sentences.matchAll(new RegExp(word, 'gi'))]
      .filter(({ 0: found, index }) => {
        const around = sentences.slice(Math.max(0, index - AROUND), index + found.length + AROUND);
        return !except.some((exception) => exception.text.test(around));
      })
      .map(({ 0: found, index }) => {
        const line = text.slice(0, index).split('\n').length;
        return { path, line, word: found.replace(/\s+/g, ' '), instead };
      }),
  );
  return [...words, ...findHiddenSubjects(path, text)];
}

/** Paths of all files with sentences, from the root. */
export const textFiles = (): readonly string[] =>
  PLACES.flatMap((place) =>
    place.endsWith('.md')
      ? [place]
      : readdirSync(new URL(`${place}/`, ROOT), { recursive: true, encoding: 'utf8' })
          .map((path) => `${place}/${path.replaceAll('\\', '/')}`)
          .filter((path) => /\.(tsx?|mjs|css|md)$/.test(path) && !FOREIGN.test(path) && !path.includes('/target/')),
  );

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const places = textFiles()
    .filter((path) => !LIST.test(path))
    .flatMap((path) => findWords(path, readFileSync(new URL(path, ROOT), 'utf8')));
  for (const { path, line, word, instead } of places) console.error(`${path}:${line}  “${word}” → ${instead}`);
  console.log(places.length === 0 ? 'No word of the list is used.' : `${places.length} words to replace.`);
  process.exitCode = places.length === 0 ? 0 : 1;
}
