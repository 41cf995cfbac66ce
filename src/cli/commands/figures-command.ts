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
import { type Outcome, Refusal, shortfall, success } from '../output/outcome.ts';
import { keepRead, makeFolder, writeOutput } from '../output/output-files.ts';
import { plural } from '../output/text-table.ts';
import { printTypes } from '../output/types-table.ts';
import { diffOutcome } from './diff-command.ts';

export const FIGURES_USAGE = `usage: wirecost figures DOC.md [options]

Measures every figure that the document names again, and compares it with the one that is there. Exits with code 1 if a
figure is out of date or missing, or if its comment cannot be read. A document names figures in comments
(docs/living-documents.md). DOC.md may be - for the standard input; paths in it then count from the present folder:

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

export async function figuresCommand(args: readonly string[]): Promise<Outcome> {
  const { inputs, write } = parseOptions(args, ['write']);
  const [path, more] = inputs;
  if (path === undefined || more !== undefined) throw new BadArguments('figures takes one DOC.md');
  if (path === STANDARD_INPUT && write) throw new BadArguments('--write takes the path of a document, and not -');
  const before = await readDocument(path);
  const name = path === STANDARD_INPUT ? 'the standard input' : path;
  // A mark in code is shown, and names no figure.
  const prose = proseOf(before);
  const stale: string[] = [];
  const verb = write ? 'was' : 'is';
  /** By inputs and note: the note with the place of the first figure that it is about. */
  const notes = new Map<string, string>();
  let text = '';
  /** Characters of the document that `text` already has. */
  let done = 0;
  const lineEnd = before.includes('\r\n') ? '\r\n' : '\n';
  const marks = [...prose.matchAll(MARK)].map(({ 0: mark, 1: words, index }) => {
    const place = `${name}:${before.slice(0, index).split('\n').length}`;
    return { mark, index, place, named: parseMark(words!, place, dirname(path)) };
  });
  await checkPictures(path, marks);
  for (const { mark, index, place, named } of marks) {
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
      continue;
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
      if (fresh === there) continue;
      stale.push(`${place}: ${relative('', out)} ${verb} ${there === undefined ? 'missing' : 'stale'}`);
      if (write) {
        await makeFolder(dirname(out));
        await writeOutput(out, (await draw(today()))!);
      }
    }
  }
  if (marks.length === 0) throw new Refusal(`${name} names no figure: <!-- wirecost FIGURE INPUT… -->`);
  const said = [...notes.values()];
  if (stale.length === 0) return success(`${name}: ${plural(marks.length, 'figure')}, all as measured\n`, said);
  const lines = stale.map((line) => `${line}\n`).join('');
  if (!write) {
    const how = path === STANDARD_INPUT ? '' : '; --write does';
    return shortfall(lines, `${plural(stale.length, 'figure')} of ${name} to be made again${how}`, said);
  }
  if (done > 0) await writeOutput(path, text + before.slice(done));
  return success(`${lines}${plural(stale.length, 'figure')} written\n`, said);
}

/** @throws Refusal of a picture in place of another one, of the document, or of a file that any of its figures reads */
async function checkPictures(path: string, marks: readonly { readonly place: string; readonly named: Named }[]) {
  for (const { place, named } of marks) {
    const { inputs, schema, keys } = named.options;
    enterRead(...(await measuredAt(place, expandInputs(inputs))).paths, ...schema, ...keys);
  }
  const document = realPath(path);
  const drawn = new Map<string, string>();
  for (const { place, named } of marks) {
    if (!('out' in named)) continue;
    await measuredAt(place, keepRead(named.out));
    const out = realPath(named.out);
    if (out === document) throw new Refusal(`${place}: ${named.out} is the document itself`);
    const other = drawn.get(out);
    if (other !== undefined) throw new Refusal(`${place}: the figure of ${other} has the same --out`);
    drawn.set(out, place);
  }
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
