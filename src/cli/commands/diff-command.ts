/** `diff`: two inputs → the changes from the first to the second, by field and by cause, as text or JSON. */
import { diffProfiles, type ProfileDiff } from '#engine/cost/diff-profiles.ts';
import { ledgerOf } from '#engine/cost/encoding-ledger.ts';
import { capturedLedger, type Profile } from '#engine/cost/profile.ts';
import { DIFF_CAUSES, rowName } from '#wording/pair-words.ts';
import { encodingName } from '#wording/side-words.ts';
import { formatOfProfile } from '../inputs/captured-format.ts';
import {
  loadCompressorList,
  paidColumns,
  paidJson,
  printPaidDiff,
  type SideNames,
  sidesLine,
} from '../measure/diff-paid.ts';
import { MEASURE_OPTIONS, type Measured, measure, type ProfileSection } from '../measure/measure.ts';
import { TypeSamples } from '../measure/type-samples.ts';
import { BadArguments, type Options, parseOptions } from '../options/arguments.ts';
import { ENCODINGS_LIST, ledgersOf } from '../options/ledger-choice.ts';
import { type Outcome, Refusal, success } from '../output/outcome.ts';
import {
  type Column,
  printCount,
  printDelta,
  printSignedPercent,
  printTable,
  printTenth,
} from '../output/text-table.ts';
import { MEASURE_USAGE } from './analyze-command.ts';

export const DIFF_USAGE = `usage: wirecost diff A B [options]

A and B are files: payloads or captures. Fields are aligned by path, by name where the types differ. Of captures, the
types that both have are compared, each with itself; where they have none in common, the largest of each.

${MEASURE_USAGE}      --encodings A[,B]   compares A in one encoding with B in another one, or in the same; with
                        two encodings, one input will do. If not given: the encoding in which
                        each was captured. ${ENCODINGS_LIST}
      --compressor IDS  by field, plain and after these compressors, as snappy,zstd: the bits that each field pays. Of a
                        capture's messages as they were sent, of payloads joined. For Brotli only totals are given
      --most N          with --compressor, the N fields that change most, all others in one row
      --json            as JSON: a, b and diffs, one for each pair of types: types, ledgers, a and b (messages, bytes,
                        bytesPerMessage, record), rows (paths a and b, aligned, bytes, change by category), causes;
                        with --compressor also compressed, by compressor
      --markdown        with --compressor, the table as Markdown
`;

export async function diffCommand(args: readonly string[]): Promise<Outcome> {
  return diffOutcome(parseOptions(args, [...MEASURE_OPTIONS, 'encodings', 'compressor', 'most', 'json', 'markdown']));
}

/** @throws BadArguments, Refusal */
export async function diffOutcome(options: Options): Promise<Outcome & Pick<Measured, 'caveats'>> {
  const [ledgerA, ledgerB = ledgerA, extra] = options.encodings;
  if (extra !== undefined) throw new BadArguments('diff takes one encoding, or one of A and one of B');
  if (options.compressor === undefined && (options.markdown || options.most !== undefined))
    throw new BadArguments('--most and --markdown of diff take --compressor');
  const [a, b = ledgerA === ledgerB ? undefined : a, more] = options.inputs;
  if (a === undefined || b === undefined || more !== undefined)
    throw new BadArguments('diff takes two inputs, A and B; or one input and two encodings');
  const ledgers = ledgersOf([ledgerA, ledgerB].filter((id) => id !== undefined));
  const compressors = options.compressor === undefined ? [] : await loadCompressorList(options.compressor);
  const measureSide = async (input: string) => {
    const samples = new TypeSamples();
    const both = compressors.length === 0 ? undefined : samples.add;
    return { samples, measured: await measure({ ...options, inputs: [input] }, { ...ledgers, both }) };
  };
  const first = await measureSide(a);
  const second = a === b ? first : await measureSide(b);
  const [before, after] = [first.measured, second.measured];
  const notes = [...new Set([...before.notes, ...after.notes])];
  const caveats = [...new Set([...before.caveats, ...after.caveats])];
  const diffs = await Promise.all(
    pairsOf(before.sections, after.sections).map(async ([left, right]) => {
      const [ofA, ofB] = [
        { profile: left, ledger: checkLedger(left, ledgerA ?? capturedLedger(left)), ...first },
        { profile: right, ledger: checkLedger(right, ledgerB ?? capturedLedger(right)), ...second },
      ];
      const diff = diffProfiles(ofA, ofB);
      return {
        types: { a: left.type, b: right.type },
        ledgers: { a: ofA.ledger, b: ofB.ledger },
        names: { a: encodingName(left, ofA.ledger), b: encodingName(right, ofB.ledger) },
        diff,
        paid: await paidColumns(ofA, ofB, compressors),
      };
    }),
  );
  if (options.json) {
    const json = {
      ...{ a, b },
      diffs: diffs.map(({ types, ledgers, diff, paid }) => ({
        ...{ types, ledgers, ...diff },
        ...(paid.length === 0 ? {} : { compressed: paidJson(diff, paid) }),
      })),
    };
    return { ...success(`${JSON.stringify(json, null, 2)}\n`, notes), caveats };
  }
  const parts = diffs.map(({ types, names, diff, paid }) => {
    if (paid.length === 0) return printDiff(diff, types, names);
    const table = printPaidDiff(diff, paid, options);
    return options.markdown ? table : `${titleOf(types)}. ${sidesLine(diff, names)}.\n\n${table}`;
  });
  return { ...success(parts.join('\n'), notes), caveats };
}

/** @throws Refusal if the messages cannot be written in the encoding */
function checkLedger(profile: Profile, id: string): string {
  const ledger = ledgerOf(profile, id);
  const what = profile.type || 'Without a type, messages';
  if (ledger === undefined) throw new Refusal(`${what}: there are no figures for ${id}`);
  if (ledger.bytes === null) throw new Refusal(`${what} cannot be written as ${id}: ${ledger.refused}`);
  return id;
}

/** A type in two captured formats has two profiles, and so have two groups of a capture without a type. */
function pairsOf(a: readonly ProfileSection[], b: readonly ProfileSection[]): readonly (readonly [Profile, Profile])[] {
  const common = a.flatMap((one) => {
    const alike = b.filter((other) => isAlike(one, other));
    const isOthers = (other: ProfileSection) => a.some((third) => isAlike(third, other) && isSameFormat(third, other));
    const found = alike.find((other) => isSameFormat(one, other)) ?? alike.find((other) => !isOthers(other));
    return found === undefined ? [] : [[one.profile, found.profile] as const];
  });
  return common.length > 0 ? common : [[a[0]!.profile, b[0]!.profile]];
}

const isAlike = (a: ProfileSection, b: ProfileSection): boolean =>
  a.profile.type === b.profile.type && (a.profile.type !== '' || a.groups.some((key) => b.groups.includes(key)));

const isSameFormat = (a: ProfileSection, b: ProfileSection): boolean =>
  formatOfProfile(a.profile) === formatOfProfile(b.profile);

function printDiff(diff: ProfileDiff, types: SideNames, names: SideNames): string {
  const { a, b, rows, causes } = diff;
  const change = b.bytes - a.bytes;
  const share = a.bytes === 0 ? '' : ` (${printSignedPercent(change / a.bytes)})`;
  const units = [`a message ${perUnit(a.bytesPerMessage, b.bytesPerMessage)}`];
  if (a.record !== null && b.record !== null) {
    const name = a.record.name === b.record.name ? a.record.name : `${a.record.name} or ${b.record.name}`;
    units.push(`a ${name} ${perUnit(a.record.bytesPerRecord, b.record.bytesPerRecord)}`);
  }
  const columns = (title: string): readonly Column[] => [
    { title, align: 'left' },
    { title: 'bytes', align: 'right' },
  ];
  const waterfall = printTable(columns('from A to B'), [
    ['A', printCount(a.bytes)],
    ...causes.map(({ cause, bytes }) => [`  ${DIFF_CAUSES[cause] ?? cause}`, printDelta(bytes)]),
    ['B', printCount(b.bytes)],
  ]);
  const fields = printTable(
    [...columns('field').slice(0, 1), { title: 'in B', align: 'left' }, ...['A', 'B', 'change'].map(rightColumn)],
    rows
      .filter(({ bytes }) => bytes.a > 0 || bytes.b > 0)
      .map((row) => {
        const { a: path, b: other, bytes } = row;
        return [
          path ?? (other === null ? rowName(row) : ''),
          other === path ? '' : (other ?? 'none'),
          printCount(bytes.a),
          printCount(bytes.b),
          printDelta(bytes.b - bytes.a),
        ];
      }),
  );
  return `${titleOf(types)}. ${sidesLine(diff, names)}: ${printDelta(change)} bytes${share}; ${units.join(', ')}.\n\n${waterfall}\n${fields}`;
}

function titleOf({ a, b }: SideNames): string {
  const [left, right] = [a || 'field numbers', b || 'field numbers'];
  return left === right ? left : `${left} → ${right}`;
}

const rightColumn = (title: string): Column => ({ title, align: 'right' });

const perUnit = (a: number, b: number): string => `${printTenth(a)} → ${printTenth(b)}`;
