/**
 * `figures`: a Markdown document → its figures, measured again. A comment in the document names each figure:
 *
 *   <!-- wirecost waterfall hits.binpb --schema search.proto --out img/hits.svg -->
 *   <!-- wirecost table hits.binpb --schema search.proto -->
 *   (the table, up to:)
 *   <!-- /wirecost -->
 *
 * Paths count from the document's folder. A picture is named by --out; `--theme dark` makes it dark.
 */
import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Compressor } from '#engine/compression/compressors.ts';
import { isAttributed } from '#engine/cost/bit-parts.ts';
import { capturedLedger } from '#engine/cost/profile.ts';
import { ALL_FIGURES, isAnyFigureName } from '#figures/all-figures.ts';
import { THEMES, type Theme } from '#figures/colors.ts';
import { printMarkdown } from '#figures/profile-table.ts';
import type { FigureSubject } from '#figures/subject.ts';
import { BITS_NOTES, type BitsFacts } from '#wording/bits-words.ts';
import { expandInputs } from '../inputs/expand-inputs.ts';
import { readDocument, STANDARD_INPUT } from '../inputs/file-source.ts';
import { enterRead } from '../inputs/read-files.ts';
import { bitsOf, firstForBits, loadCompressorList, type PaidSide } from '../measure/diff-paid.ts';
import { MEASURE_OPTIONS, measure } from '../measure/measure.ts';
import { oneProfile } from '../measure/one-profile.ts';
import { reportSubject, today } from '../measure/subject.ts';
import { MATRIX_BYTES, TypeSamples } from '../measure/type-samples.ts';
import { BadArguments, type Options, parseOptions } from '../options/arguments.ts';
import { printFigure } from '../output/figure-files.ts';
import { continuationOf, proseOf } from '../output/markdown-prose.ts';
import { type Outcome, Refusal, Refused, success } from '../output/outcome.ts';
import { keepRead, makeFolder, writeOutput } from '../output/output-files.ts';
import { plural } from '../output/text-table.ts';
import { printTypes } from '../output/types-table.ts';
import { diffOutcome } from './diff-command.ts';

export const FIGURES_USAGE = `usage: wirecost figures DOC.md... [options]

Measures every figure that the documents name again, and compares it with the one that is there. Exits with code 1 if a
figure is out of date or missing, or if its comment cannot be read; it names the line of each. A document names figures
in comments (docs/living-documents.md). DOC.md is a file, a folder (all Markdown files in it), a pattern of names, or -
for the standard input; paths in it then count from the present folder:

  <!-- wirecost waterfall INPUT... [OPTIONS] [--theme dark] --out picture.svg -->
  <!-- wirecost table INPUT... [OPTIONS] --> … <!-- /wirecost -->
  <!-- wirecost diff A B [OPTIONS] [--encodings IDS] --compressor IDS [--most N] --> … <!-- /wirecost -->
  <!-- wirecost types INPUT... [OPTIONS] [--encodings IDS] [--compressor IDS] [--most N] --> … <!-- /wirecost -->

OPTIONS are those by which analyze reads its inputs, from --schema to --workers.
Pictures, which take --out: ${Object.keys(ALL_FIGURES).join(', ')}.
break-even, widths and bytes take --field PATH; without it, they show a field whose encodings differ most. bytes takes
--message N, from 0, and shows bytes of that message, unchanged. compressed and pair take --compressor.

      --write           writes the figures that are out of date or missing, instead of failing
`;

const MARK = /<!-- wirecost ([^\n]*?) -->/g;
const PICTURE_OPTIONS = ['out', 'theme', 'field', 'message', 'compressor'] as const;
/** The pictures that show sizes after compression. */
const COMPRESSED: ReadonlySet<string> = new Set(['compressed', 'pair']);
const TABLE_OPTIONS = [...MEASURE_OPTIONS, 'encodings', 'compressor', 'most'] as const;
/** Figures that need the messages of a type. */
const MEASURED_ENCODED: ReadonlySet<string> = new Set(['matrix', 'types', 'compressed', 'pair']);
const END = '<!-- /wirecost -->';
const MARKDOWN = /\.(?:md|markdown|mdx)$/i;

export async function figuresCommand(args: readonly string[]): Promise<Outcome> {
  const { inputs, write } = parseOptions(args, ['write']);
  if (inputs.length === 0) throw new BadArguments('figures takes at least one DOC.md');
  if (inputs.includes(STANDARD_INPUT) && write)
    throw new BadArguments('--write takes the path of a document, and not -');
  const refused = new Refused();
  const documents: Document[] = [];
  for (const path of await documentsIn(inputs)) {
    const document = await refused.trying(() => readMarks(path, refused));
    if (document !== undefined) documents.push(document);
  }
  const count = documents.reduce((sum, { marks }) => sum + marks.length, 0);
  const of = documents.length === 1 ? documents[0]!.name : plural(documents.length, 'document');
  if (count === 0 && refused.count === 0)
    throw new Refusal(`${of} ${documents.length === 1 ? 'names' : 'name'} no figure: <!-- wirecost FIGURE INPUT… -->`);
  const drawable = await checkPictures(documents, refused);
  /** By inputs and note: the note with the place of the first figure that it is about. */
  const notes = new Map<string, string>();
  const lines: string[] = [];
  let stale = 0;
  for (const document of documents) {
    const former = refused.count;
    const marks = document.marks.filter((mark) => drawable.has(mark));
    const found = await checkFigures({ ...document, marks }, write, notes, refused);
    stale += found.length;
    lines.push(...found);
    const isWhole = refused.count === former && marks.length === document.named;
    if (found.length === 0 && isWhole && marks.length > 0)
      lines.push(`${document.name}: ${plural(marks.length, 'figure')}, all as measured`);
  }
  if (write && stale > 0) lines.push(`${plural(stale, 'figure')} written`);
  const out = lines.map((line) => `${line}\n`).join('');
  const how = inputs.includes(STANDARD_INPUT) ? '' : '; --write does';
  const left = write || stale === 0 ? [] : [`${plural(stale, 'figure')} of ${of} to be made again${how}`];
  const said = [...notes.values()];
  return refused.count === 0 && left.length === 0 ? success(out, said) : refused.shortfall(out, left, said);
}

/** The files to check: of a folder or a pattern, the Markdown ones. @throws Refusal where there are none */
async function documentsIn(inputs: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    inputs.map(async (input) => {
      const { paths } = await expandInputs([input]);
      if (paths.length === 1 && paths[0] === input) return paths;
      const documents = paths.filter((path) => MARKDOWN.test(path));
      if (documents.length === 0) throw new Refusal(`There is no Markdown file (.md, .markdown, .mdx) in ${input}`);
      return documents;
    }),
  );
  return (await expandInputs(found.flat())).paths;
}

/** A comment that names a figure. */
interface Mark {
  readonly mark: string;
  /** Characters of the document before it. */
  readonly index: number;
  /** `doc.md:3` */
  readonly place: string;
  readonly named: Named;
}

interface Document {
  readonly path: string;
  readonly name: string;
  readonly text: string;
  /** The text with spaces in place of code: a mark in code is shown, and names no figure. */
  readonly prose: string;
  /** The comments that can be read. */
  readonly marks: readonly Mark[];
  /** How many comments there are. */
  readonly named: number;
}

/** @param refused gets the comments that cannot be read @throws Refusal */
async function readMarks(path: string, refused: Refused): Promise<Document> {
  const text = await readDocument(path);
  const name = path === STANDARD_INPUT ? 'the standard input' : path;
  const prose = proseOf(text);
  const found = [...prose.matchAll(MARK)];
  const marks: Mark[] = [];
  for (const { 0: mark, 1: words, index } of found) {
    const place = `${name}:${text.slice(0, index).split('\n').length}`;
    const named = await refused.trying(() => parseMark(words!, place, dirname(path)));
    if (named !== undefined) marks.push({ mark, index, place, named });
  }
  return { path, name, text, prose, marks, named: found.length };
}

/** @param notes gets those of its figures @param refused gets the figures that cannot be measured @returns what is stale, a line each */
async function checkFigures(
  { path, text: before, prose, marks }: Document,
  write: boolean,
  notes: Map<string, string>,
  refused: Refused,
): Promise<readonly string[]> {
  const stale: string[] = [];
  const verb = write ? 'was' : 'is';
  let text = '';
  /** Characters of the document that `text` already has. */
  let done = 0;
  const lineEnd = before.includes('\r\n') ? '\r\n' : '\n';
  const check = async ({ mark, index, place, named }: Mark): Promise<void> => {
    const note = (caveats: readonly string[]): void => {
      for (const caveat of caveats) {
        const key = JSON.stringify([named.options.inputs, caveat]);
        if (!notes.has(key)) notes.set(key, `wirecost: ${place}: ${caveat.replace(/^wirecost: /, '')}`);
      }
    };
    const fill = (table: string): void => {
      const from = index + mark.length;
      const to = endOfBlock(prose, from, place);
      const within = continuationOf(before, index);
      const fresh = `\n\n${table}\n`.replaceAll('\n', lineEnd + within).replace(/[ \t]+(?=[\r\n])/g, '');
      if (before.slice(from, to).trim() === fresh.trim()) return;
      stale.push(`${place}: the table ${verb} stale`);
      text += before.slice(done, from) + fresh;
      done = to;
    };
    if (named.figure === 'diff') {
      const { out, caveats } = await measuredAt(place, diffOutcome({ ...named.options, markdown: true }));
      note(caveats);
      fill(out);
      return;
    }
    const isPair = named.figure === 'pair';
    const most = named.figure === 'matrix' ? MATRIX_BYTES : undefined;
    const samples = MEASURED_ENCODED.has(named.figure) ? new TypeSamples(most) : null;
    const shown = isPair ? { ...named.options, inputs: named.options.inputs.slice(1) } : named.options;
    const measured = await measuredAt(place, measure(shown, samples === null ? {} : { both: samples.add }));
    // The layers are those of the whole capture.
    if (named.figure !== 'layers') note(measured.caveats);
    if (named.figure === 'types') note(samples!.sampleNotes);
    if (named.figure === 'table') fill(printMarkdown(oneProfile(measured.profiles, `${place}: a figure`)));
    else if (named.figure === 'types') fill(await measuredAt(place, printTypes(samples!, measured, named.options)));
    else {
      const { figure, theme, out } = named;
      const there = await readFile(out, 'utf8').catch(() => undefined);
      // A picture keeps its date until its figures change.
      const date = /<desc>[^<]*\b(\d{4}-\d{2}-\d{2})\b/.exec(there ?? '')?.[1] ?? today();
      const profile = figure === 'layers' ? measured.profiles[0]! : oneProfile(measured.profiles, `${place}: a figure`);
      const side = samples && { profile, ledger: capturedLedger(profile), measured, samples };
      const after =
        side && (isPair || figure === 'compressed')
          ? await measuredAt(place, paidFigures(side, isPair, named.options, place, note))
          : {};
      const matrix = figure === 'matrix' ? ((await samples?.figure(profile, measured)) ?? null) : null;
      const draw = async (on: string) => {
        const how = { date: on, isShowingBytes: figure === 'bytes', matrix, ...after };
        return printFigure(figure, await reportSubject(profile, measured, named.options, how), theme);
      };
      const fresh = await measuredAt(place, draw(date));
      if (fresh === undefined) throw new Refusal(`${place}: there is nothing that the figure ${figure} shows`);
      if (fresh === there) return;
      if (write) {
        await makeFolder(dirname(out));
        await writeOutput(out, (await draw(today()))!);
      }
      stale.push(`${place}: ${relative('', out)} ${verb} ${there === undefined ? 'missing' : 'stale'}`);
    }
  };
  for (const mark of marks) await refused.trying(() => check(mark));
  if (write && done > 0) await refused.trying(() => writeOutput(path, text + before.slice(done)));
  return stale;
}

/**
 * The figures whose inputs are there, and whose picture is in the place of no other one, of a document, nor of a file
 * that any figure reads. @param refused gets the others
 */
async function checkPictures(documents: readonly Document[], refused: Refused): Promise<ReadonlySet<Mark>> {
  const marks = documents.flatMap((document) => document.marks);
  const readable = new Set<Mark>();
  for (const mark of marks) {
    const { inputs, schema, keys } = mark.named.options;
    enterRead(...schema, ...keys);
    const expanded = await refused.trying(() => measuredAt(mark.place, expandInputs(inputs)));
    if (expanded === undefined) continue;
    enterRead(...expanded.paths);
    readable.add(mark);
  }
  const written = new Map(documents.map(({ path }) => [realPath(path), path]));
  const drawn = new Map<string, string>();
  for (const mark of readable) {
    const { place, named } = mark;
    if (!('out' in named)) continue;
    const isFree = await refused.trying(async () => {
      await measuredAt(place, keepRead(named.out));
      const out = realPath(named.out);
      const document = written.get(out);
      if (document !== undefined) throw new Refusal(`${place}: ${named.out} is a document, ${document}`);
      const other = drawn.get(out);
      if (other !== undefined) throw new Refusal(`${place}: the figure of ${other} has the same --out`);
      drawn.set(out, place);
      return true;
    });
    if (isFree === undefined) readable.delete(mark);
  }
  return readable;
}

/** The bits that `compressed` shows, or the other side that `pair` shows. @param isPair the first input is A. @throws Refusal */
async function paidFigures(
  b: PaidSide,
  isPair: boolean,
  options: Options,
  place: string,
  note: (caveats: readonly string[]) => void,
): Promise<Pick<FigureSubject, 'bits'> | Pick<FigureSubject, 'pair'>> {
  if (!isPair) {
    const sample = b.samples.of(b.profile);
    const [compressor, more] = await loadCompressorList(options.compressor ?? (sample ? firstForBits(sample) : 'zstd'));
    if (more !== undefined) throw new BadArguments('The figure compressed takes one compressor');
    return { bits: await fieldBits(b, compressor!) };
  }
  const [input, second, more] = options.inputs;
  if (second === undefined || more !== undefined) throw new BadArguments('The figure pair takes two inputs, A and B');
  const samples = new TypeSamples();
  const measured = await measure({ ...options, inputs: [input!] }, { both: samples.add });
  note(measured.caveats);
  const profile = oneProfile(measured.profiles, `${place}: a figure`);
  const a = { profile, ledger: capturedLedger(profile), measured, samples };
  const after = [];
  for (const compressor of options.compressor === undefined ? [] : await loadCompressorList(options.compressor)) {
    after.push({ a: await fieldBits(a, compressor), b: await fieldBits(b, compressor) });
  }
  return { pair: { name: basename(input!), a: profile, aligned: {}, after } };
}

/** @throws Refusal of a compressor whose bits are not known by field */
async function fieldBits(side: PaidSide, compressor: Compressor): Promise<BitsFacts> {
  const { bits } = await bitsOf(side, compressor);
  if (!isAttributed(bits.container)) throw new Refusal(`${BITS_NOTES.totalsOnly} --compressor takes another one`);
  return bits;
}

/** @throws Refusal that names the line of the figure */
const measuredAt = <T>(place: string, measuring: Promise<T>): Promise<T> =>
  measuring.catch((error: unknown) => {
    if (error instanceof BadArguments) throw new Refusal(`${place}: ${error.message}`);
    throw error instanceof Refusal ? new Refusal(`${place}: ${error.message}`, error.notes) : error;
  });

/** Links that a path may go through, as in most systems. */
const MAX_LINKS = 40;

/** The place that a path leads to through symbolic links; what does not exist yet is within its folder. */
function realPath(path: string, links = 0): string {
  if (links > MAX_LINKS) throw new BadArguments(`${path} is a symbolic link that leads to itself`);
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts?.isSymbolicLink()) return realPath(resolve(dirname(path), readlinkSync(path)), links + 1);
  return facts === undefined ? join(realPath(dirname(path), links), basename(path)) : realpathSync(path);
}

type Named =
  | { readonly figure: 'table'; readonly options: Options }
  | { readonly figure: 'diff'; readonly options: Options }
  | { readonly figure: 'types'; readonly options: Options }
  | {
      readonly figure: keyof typeof ALL_FIGURES;
      readonly theme: Theme;
      readonly out: string;
      readonly options: Options;
    };

function parseMark(words: string, place: string, folder: string): Named {
  const [figure = '', ...rest] = words.match(/"[^"]*"|\S+/g)?.map((word) => word.replace(/^"|"$/g, '')) ?? [];
  const beside = (path: string): string => (isAbsolute(path) ? path : join(folder, path));
  try {
    const given = parseOptions(
      rest,
      figure === 'diff' || figure === 'types' ? TABLE_OPTIONS : [...MEASURE_OPTIONS, ...PICTURE_OPTIONS],
    );
    const { inputs, schema, keys } = given;
    const options = { ...given, inputs: inputs.map(beside), schema: schema.map(beside), keys: keys.map(beside) };
    if (figure === 'types') return { figure, options };
    if (figure === 'diff') {
      if (options.compressor === undefined) throw new BadArguments('diff in a document takes --compressor');
      return { figure, options };
    }
    if (!isAnyFigureName(figure) && figure !== 'table') {
      throw new BadArguments(
        `There is no figure ${figure}; there are ${Object.keys(ALL_FIGURES).join(', ')}, table, diff, types`,
      );
    }
    if (given.compressor !== undefined && !COMPRESSED.has(figure))
      throw new BadArguments(`The figure ${figure} takes no --compressor; compressed, pair, diff and types do`);
    refuseUnused(figure, given);
    if (figure === 'table') return { figure, options };
    if (given.out === undefined) throw new BadArguments(`The figure ${figure} takes --out picture.svg`);
    if (!given.out.endsWith('.svg')) throw new BadArguments('--out takes a path that ends in .svg');
    const theme = THEMES.find((name) => name === (given.theme ?? 'light'));
    if (theme === undefined) throw new BadArguments(`--theme takes ${THEMES.join(' or ')}`);
    const out = beside(given.out);
    // A document may come from a stranger, so files are written only in its own folder.
    const within = relative(realPath(folder), realPath(out));
    if (isAbsolute(within) || within.split(sep)[0] === '..') {
      throw new BadArguments(`--out stays within the document's folder, and ${given.out} does not`);
    }
    return { figure, theme, out, options };
  } catch (error) {
    if (error instanceof BadArguments) throw new Refusal(`${place}: ${error.message}`);
    throw error;
  }
}

/** The pictures of one field; `bytes` shows one in its message. */
const OF_FIELD = Object.keys(ALL_FIGURES).filter(
  (name) => isAnyFigureName(name) && (name === 'bytes' || !('heading' in ALL_FIGURES[name])),
);

/** Options that pictures have, and this figure does not. @throws BadArguments */
function refuseUnused(figure: string, { field, message, out, theme }: Options): void {
  const refuse = (option: string, others: readonly string[]): never => {
    const who = others.length === 1 ? `${others[0]} does` : `${others.slice(0, -1).join(', ')} and ${others.at(-1)} do`;
    throw new BadArguments(`The figure ${figure} takes no --${option}; ${who}`);
  };
  if (field !== undefined && !OF_FIELD.includes(figure)) refuse('field', OF_FIELD);
  if (message !== undefined && figure !== 'bytes') refuse('message', ['bytes']);
  if (figure !== 'table') return;
  if (out !== undefined) refuse('out', ['every picture']);
  if (theme !== undefined) refuse('theme', ['every picture']);
}

/** Where the block that begins at `from` ends. @throws Refusal */
function endOfBlock(text: string, from: number, place: string): number {
  const to = text.indexOf(END, from);
  const next = text.indexOf('<!-- wirecost ', from);
  if (to < 0 || (next >= 0 && next < to)) throw new Refusal(`${place}: the table has no end: ${END}`);
  return to;
}
