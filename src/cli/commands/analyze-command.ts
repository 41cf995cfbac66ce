/** `analyze`: inputs and a schema → one profile over all payloads, one for each type in captures, as text or JSON. */
import { ledgerIds } from '#engine/cost/profile.ts';
import { NATIVE_PROFILES } from '#engine/native/profiles.ts';
import { coverageWords } from '#wording/coverage-words.ts';
import { toTerminal } from '#wording/escape.ts';
import { CompressedSizes, printCompressed, unmeasuredNotes } from '../measure/compressed-sizes.ts';
import { MEASURE_OPTIONS, type Measured, measure } from '../measure/measure.ts';
import { BadArguments, CAPTURE_KINDS, CAPTURE_USAGE, parseOptions, WORKERS_USAGE } from '../options/arguments.ts';
import { CHOICES_USAGE } from '../options/input-choice.ts';
import { ENCODINGS_LIST, ledgersOf, printLedgers } from '../options/ledger-choice.ts';
import { printInputs } from '../output/input-text.ts';
import { type Outcome, type Print, success } from '../output/outcome.ts';
import { planJson, printWholePlan } from '../output/plan-text.ts';
import { printJson } from '../output/profile-json.ts';
import { printFinding, printProfile } from '../output/report-text.ts';
import { plural } from '../output/text-table.ts';

/** Usage lines of every command that measures. */
export const MEASURE_USAGE = `  -s, --schema PATH     a .proto file, a folder of them, or a descriptor set; -: the standard input; may be repeated
  -t, --type NAME       the message type, of the schema or a bundled one; without it, the one that the messages fit. Of a
                        capture, only messages of this type are read; with --method, also those that name no type
      --by-number       payloads are read by field numbers, even if a type fits
      --method TEXT     of a capture, only messages whose method contains it
      --direction WAY   of a capture, only requests, or only responses: request, response
${CAPTURE_USAGE}
      --native PROFILE  how the native side is written: ${NATIVE_PROFILES.map(({ id }) => id).join(', ')};
                        or another encoding in its place, as json or msgpack-named
${CHOICES_USAGE}
${WORKERS_USAGE}
`;

export const ANALYZE_USAGE = `usage: wirecost analyze INPUT... [options]

INPUT is a file, a folder (all files in it), a pattern of names, or - for the standard input. A file with several names
in a folder, as links, counts once. All payloads are added up into one profile; if no type is detected, by field numbers.
Files that fit different types are refused, in an archive too, unless --type or --by-number chooses how all are read.
Captures give one profile for each type, and one by field numbers for each group of messages without a type; without
--schema they are read with the descriptors that servers of gRPC sent in them, and with the bundled schemas. Native
messages are read by the layout that their action has in the schema; those without one are left out. Other messages are
compared with a native encoding only by --native, --compressed or --encodings native. Without --schema, the .proto files
and descriptor sets among the inputs, in a folder or an archive too, are their schema. A capture is a file
(${CAPTURE_KINDS}).

${MEASURE_USAGE}      --compressed      what both encodings take after gzip, snappy and zstd, each message compressed alone
      --encodings IDS   each field in these encodings too, separated by commas (docs/encodings.md): ${ENCODINGS_LIST}
      --explain         how the inputs are read, and why, in place of the figures
      --json            the profile as JSON (docs/profile-json.md), at most 64 times the size of the inputs, 512 KiB
                        and 2 KiB for each input; one row has the sums of those that are not printed
      --from ROW        with --json, the first row that is printed, from 0
`;

const SHOWN_DIAGNOSTICS = 20;
/** Profiles of groups without a type. */
const SHOWN_UNTYPED = 20;

export async function analyzeCommand(args: readonly string[], print: Print): Promise<Outcome> {
  const options = parseOptions(args, [...MEASURE_OPTIONS, 'compressed', 'encodings', 'explain', 'json', 'from']);
  if (options.from > 0 && !options.json) throw new BadArguments('--from needs --json');
  const compressed = options.compressed ? await CompressedSizes.load() : null;
  const measured = await measure(options, {
    both: compressed?.add,
    ...ledgersOf(options.encodings),
    compares: options.compressed || options.encodings.includes('native'),
    lists: true,
  });
  const notes = [...measured.notes, ...(options.compressed ? unmeasuredNotes(measured.profiles) : [])];
  if (options.explain) return success(options.json ? planJson(measured) : printWholePlan(measured), notes);
  if (!options.json) return success(printReport(measured, compressed), notes);
  for (const part of printJson(measured, compressed, options.from)) await print(toTerminal(part));
  return success('', notes);
}

/** The first line of the output: the share of messages that the figures cover. */
function printCoverage(coverage: Measured['coverage']): string {
  const words = coverage && coverageWords(coverage);
  return words === null ? '' : `${words}\n`;
}

function printReport(
  { sections, groupNames, reports, coverage, nativeProfile }: Measured,
  compressed: CompressedSizes | null,
): string {
  const findings = reports.flatMap(({ input, diagnostics }) => {
    const name = reports.length > 1 ? input.name : null;
    return [...input.diagnostics, ...diagnostics].map((finding) => ({ finding, name }));
  });
  const shown = findings.slice(0, SHOWN_DIAGNOSTICS).map(({ finding, name }) => printFinding(finding, name));
  if (findings.length > shown.length) shown.push(`and ${findings.length - shown.length} more; --json has them all`);
  const isCapture = reports.some(({ input }) => input.kind === 'capture');
  let untyped = 0;
  const typed = sections.filter(({ profile }) => profile.type !== '' || untyped++ < SHOWN_UNTYPED);
  const more = sections.length - typed.length;
  return [
    `${printInputs(reports.map(({ input }) => input))}${printCoverage(coverage)}`,
    ...typed.map(({ profile, groups, findings: own }) => {
      const sizes = compressed?.of(profile) ?? [];
      const of = profile.type === '' && isCapture ? groups.map((key) => groupNames.get(key)!) : [];
      const text = printProfile(profile, nativeProfile?.label ?? null, own, of);
      const ledgers = ledgerIds(profile).every((id) => profile.pair.includes(id)) ? '' : `\n${printLedgers(profile)}`;
      return `${text}${sizes.length === 0 ? '' : `\n${printCompressed(sizes, profile)}`}${ledgers}`;
    }),
    more === 0 ? '' : `and ${plural(more, 'group')} more, read by field numbers; --json has them all\n`,
    shown.map((line) => `${line}\n`).join(''),
  ]
    .filter((part) => part !== '')
    .join('\n');
}
