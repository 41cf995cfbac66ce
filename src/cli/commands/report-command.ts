/** `report`: inputs → a folder with a page in Markdown, its figures in light and dark, and the tables as files. */
import { join } from 'node:path';
import type { ProfilerOptions } from '#engine/analysis/message-profiler.ts';
import { loadCompressor } from '#engine/compression/compressors.ts';
import { memberNames } from '#engine/cost/member-names.ts';
import { capturedLedger, type Profile } from '#engine/cost/profile.ts';
import { ALL_FIGURES, type AnyFigureName } from '#figures/all-figures.ts';
import { THEMES } from '#figures/colors.ts';
import { titleOf } from '#figures/figures.tsx';
import { printFirefoxProfile, printSpeedscope } from '#figures/flame-files.ts';
import { printCsv, printMarkdown } from '#figures/profile-table.ts';
import { sourceLine } from '#figures/source-line.ts';
import type { FigureSubject } from '#figures/subject.ts';
import { analysisFileParts } from '#permalink/file.ts';
import { encodeFragment } from '#permalink/fragment.ts';
import { checkShared, type Shared } from '#permalink/shared.ts';
import {
  type Csv,
  html,
  joinLines,
  type Markdown,
  markdown,
  type Svg,
  toHtml,
  toMarkdown,
  toMarkdownAddress,
  toMarkdownCode,
} from '#wording/escape.ts';
import { excerptContents } from '#wording/excerpt-words.ts';
import { notOpenable } from '#wording/share-notes.ts';
import { CompressedSizes, unmeasuredNotes } from '../measure/compressed-sizes.ts';
import { bitsOf, firstForBits } from '../measure/diff-paid.ts';
import { MEASURE_OPTIONS, type Measured, measure } from '../measure/measure.ts';
import { reportSubject, sharedOf, today } from '../measure/subject.ts';
import { MATRIX_BYTES, TypeSamples } from '../measure/type-samples.ts';
import { BadArguments, parseOptions } from '../options/arguments.ts';
import { printFigure } from '../output/figure-files.ts';
import { type Outcome, success } from '../output/outcome.ts';
import { makeFolder, writeOutput } from '../output/output-files.ts';
import { plural } from '../output/text-table.ts';
import { MEASURE_USAGE } from './analyze-command.ts';

export const REPORT_USAGE = `usage: wirecost report INPUT... --out DIR [options]

Writes DIR/report.md and the files that belong to it: each figure as SVG, light and dark; the fields as CSV; the profile
as .wirecost.json, which the app opens, and as files for speedscope and Firefox Profiler. Messages that are not native are
compared with a native encoding only by --native, or by --compressed.

      --out DIR         the folder that is written; it is made if it does not exist
      --app ADDRESS     the address of the app, for the link in the page
      --compressed      also the size of both encodings after gzip, snappy and zstd, each message compressed alone, of
                        every encoding after every compressor, and of each field after the one of the
                        messages or of their file, or zstd
      --bytes           also bytes of one message, unchanged: as a hex view of each encoding, and in the link
      --field PATH      the field that figures of one field show; without it, one whose encodings differ most
      --message N       the message whose bytes are shown, from 0; without it, the first one of the type
${MEASURE_USAGE}`;

export async function reportCommand(args: readonly string[]): Promise<Outcome> {
  const options = parseOptions(args, [...MEASURE_OPTIONS, 'out', 'app', 'bytes', 'field', 'message', 'compressed']);
  const { out } = options;
  if (out === undefined) throw new BadArguments('report takes --out DIR');
  if (options.app !== undefined && !isWebAddress(options.app))
    throw new BadArguments('--app takes an address that begins with https:// or http://');
  if (options.message !== undefined && !options.bytes)
    throw new BadArguments('--message chooses the bytes that --bytes shows; without --bytes, it has no effect');
  const sizes = options.compressed ? await CompressedSizes.load() : null;
  const samples = options.compressed ? new TypeSamples(MATRIX_BYTES) : null;
  const both: ProfilerOptions['both'] = (type, sides, from) => {
    sizes?.add(type, sides, from);
    samples?.add(type, sides, from);
  };
  const measured = await measure(options, { compares: options.compressed, ...(samples === null ? {} : { both }) });
  await makeFolder(out);
  let files = 0;
  const write: Place['write'] = async (name, content) => {
    files++;
    await writeOutput(join(out, name), content);
  };
  if (measured.profiles.length > 1 && (options.field ?? options.message) !== undefined) {
    throw new BadArguments('--field and --message are of one type; choose it by --type');
  }
  const sections: Markdown[] = [];
  for (const [index, profile] of measured.profiles.entries()) {
    const subject = await reportSubject(profile, measured, options, {
      date: today(),
      isShowingBytes: options.bytes,
      sizes,
      matrix: (await samples?.figure(profile, measured)) ?? null,
      bits: samples && (await paidBits(profile, measured, samples)),
    });
    const prefix = index === 0 ? '' : `${index + 1}-`;
    sections.push(
      await section(subject, measured, { prefix, app: options.app, notes: index === 0 ? measured.caveats : [], write }),
    );
  }
  await write('report.md', joinLines(sections, markdown`\n`));
  const notes = [...measured.notes, ...(options.compressed ? unmeasuredNotes(measured.profiles) : [])];
  return success(`${plural(files, 'file')} in ${out}; ${join(out, 'report.md')} is the page\n`, notes);
}

const isWebAddress = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text);

/** null: no message of the type can be compressed. */
async function paidBits(profile: Profile, measured: Measured, samples: TypeSamples): Promise<FigureSubject['bits']> {
  const sample = samples.of(profile);
  if (sample === undefined) return null;
  const compressor = await loadCompressor(firstForBits(sample));
  return (await bitsOf({ profile, ledger: capturedLedger(profile), measured, samples }, compressor)).bits;
}

interface Place {
  /** Prefix of the section's file names. */
  readonly prefix: string;
  readonly app: string | undefined;
  /** Notes that change the meaning of the figures, as the command prints them. */
  readonly notes: readonly string[];
  /** Writes a file of the report. Each is written before the next is made: together they may fill the memory. */
  readonly write: (name: string, content: ReportFile) => Promise<void>;
}

/** Why it could not be opened again; null: it can. The copy that the check makes is as large as the profile. */
function faultIn(shared: Shared): string | null {
  const checked = checkShared(shared);
  return checked.ok ? null : checked.detail;
}

async function section(
  subject: FigureSubject,
  measured: Measured,
  { prefix, app, notes, write }: Place,
): Promise<Markdown> {
  const { profile, from } = subject;
  const shared = sharedOf(subject, measured);
  const fault = faultIn(shared);
  if (fault === null) await write(`${prefix}profile.wirecost.json`, analysisFileParts(shared));
  await write(`${prefix}fields.csv`, printCsv(profile));
  await write(`${prefix}speedscope.json`, json(printSpeedscope(profile, from, subject.bits)));
  await write(`${prefix}firefox-profile.json`, json(printFirefoxProfile(profile, from, subject.bits)));
  const pictures: Markdown[] = [];
  /** The first picture’s: what it covers is also said where pictures cannot be shown. */
  let headline: Markdown | null = null;
  for (const name of Object.keys(ALL_FIGURES) as AnyFigureName[]) {
    let isDrawn = false;
    for (const theme of THEMES) {
      const picture = printFigure(name, subject, theme);
      if (picture === undefined) break;
      isDrawn = true;
      await write(`${prefix}${name}${theme === 'dark' ? '-dark' : ''}.svg`, picture);
    }
    if (!isDrawn) continue;
    const title = titleOf(ALL_FIGURES[name], subject);
    headline ??= toMarkdown(title);
    pictures.push(pictureInMarkdown(`${prefix}${name}`, title));
  }
  const fragment = app === undefined || fault !== null ? null : encodeFragment(shared);
  const file = toMarkdownCode(`${prefix}profile.wirecost.json`);
  const link =
    fault !== null
      ? toMarkdown(notOpenable(fault))
      : app === undefined
        ? markdown`The analysis opens in the app from ${file}.`
        : fragment === null
          ? markdown`The analysis is too large for a link. It opens in the app from ${file}.`
          : markdown`[Open the analysis](${toMarkdownAddress(`${app.replace(/#.*$/, '')}#${fragment}`)}) (${fragment.length} characters, ${toMarkdown(payloadWords(subject))}).`;
  const parts = [
    profile.type === '' ? markdown`# Messages without a type` : markdown`# ${toMarkdownCode(profile.type)}`,
    ...(headline === null ? [] : [headline]),
    ...(notes.length === 0 ? [] : [joinLines(notes.map(listItem), markdown`\n`)]),
    ...pictures,
    link,
    markdown`## Fields`,
    printMarkdown(profile),
    // Sizes after compression end with a full stop already.
    toMarkdown(sourceLine(subject).replace(/\.?$/, '.')),
    markdown``,
  ];
  return joinLines(parts, markdown`\n\n`);
}

const listItem = (note: string): Markdown => markdown`- ${toMarkdown(note.replace(/^wirecost: /, ''))}`;

/** The parts of messages that the link carries. */
function payloadWords({ profile, excerpt }: FigureSubject): string {
  const bytes = excerpt === null ? 'no payload' : excerptContents(excerpt);
  return memberNames(profile).length === 0
    ? bytes
    : `${bytes}; names of fields are those in the messages, and may be data`;
}

type Json = string & { readonly json: unique symbol };
/** A file of a report, in the language for which its text was escaped. */
type ReportFile = Markdown | Csv | Svg | Json | Iterable<string>;

/** @param text made by JSON.stringify */
const json = (text: string): Json => text as Json;

/** Light or dark, by the reader's scheme (supported by GitHub, GitLab and most generators). */
const pictureInMarkdown = (name: string, title: string): Markdown =>
  html`<picture>\n  <source media="(prefers-color-scheme: dark)" srcset="./${toHtml(name)}-dark.svg">\n  <img src="./${toHtml(name)}.svg" alt="${toHtml(title)}">\n</picture>` as string as Markdown;
