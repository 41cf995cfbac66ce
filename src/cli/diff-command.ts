/** `diff`: two inputs → what changes from the first to the second, by field and by cause, as text or JSON. */
import { type DiffRow, diffProfiles, type ProfileDiff } from '#engine/cost/diff-profiles.ts';
import { ledgerOf } from '#engine/cost/encoding-ledger.ts';
import type { Profile } from '#engine/cost/profile.ts';
import { MEASURE_USAGE } from './analyze-command.ts';
import { BadArguments, parseOptions } from './arguments.ts';
import { ENCODINGS_LIST, ledgersOf } from './ledger-choice.ts';
import { MEASURE_OPTIONS, measure } from './measure.ts';
import { type Outcome, Refusal, success } from './outcome.ts';
import { type Column, plural, printCount, printDelta, printPercent, printTable } from './text-table.ts';

export const DIFF_USAGE = `usage: wirecost diff A B [options]

A and B are files: payloads or captures. Fields are aligned by path, by name where the types differ. Of captures, the
types that both have are compared, each with itself; where they have none in common, the largest of each.

${MEASURE_USAGE}      --encodings A[,B]   compares how A takes its bytes in one encoding with B in another one, or in the same; with
                        two encodings, one input will do. protobuf, if not given; native, ${ENCODINGS_LIST}
      --json            totals, rows and causes as JSON
`;

export async function diffCommand(args: readonly string[]): Promise<Outcome> {
  const options = parseOptions(args, [...MEASURE_OPTIONS, 'encodings', 'json']);
  const [ledgerA = 'protobuf', ledgerB = ledgerA, extra] = options.encodings;
  if (extra !== undefined) throw new BadArguments('diff takes one encoding, or one of A and one of B');
  const [a, b = ledgerA === ledgerB ? undefined : a, more] = options.inputs;
  if (a === undefined || b === undefined || more !== undefined)
    throw new BadArguments('diff takes two inputs, A and B; or one input and two encodings');
  const ledgers = ledgersOf([ledgerA, ledgerB]);
  const before = await measure({ ...options, inputs: [a] }, ledgers);
  const after = a === b ? before : await measure({ ...options, inputs: [b] }, ledgers);
  const notes = [...new Set([...before.notes, ...after.notes])];
  const diffs = pairsOf(before.profiles, after.profiles).map(([one, other]) => ({
    types: { a: one.type, b: other.type },
    ...diffProfiles(
      { profile: one, ledger: checkLedger(one, ledgerA) },
      { profile: other, ledger: checkLedger(other, ledgerB) },
    ),
  }));
  if (options.json) {
    const json = { a, b, ledgers: { a: ledgerA, b: ledgerB }, diffs };
    return success(`${JSON.stringify(json, null, 2)}\n`, notes);
  }
  return success(diffs.map((diff) => printDiff(diff, diff.types)).join('\n'), notes);
}

/** @throws Refusal where the messages are not written in the encoding */
function checkLedger(profile: Profile, id: string): string {
  const ledger = ledgerOf(profile, id);
  const what = profile.type || 'Without a type, messages';
  if (ledger === undefined) throw new Refusal(`${what}: there are no figures for ${id}`);
  if (ledger.bytes === null) throw new Refusal(`${what} cannot be written as ${id}: ${ledger.refused}`);
  return id;
}

function pairsOf(a: readonly Profile[], b: readonly Profile[]): readonly (readonly [Profile, Profile])[] {
  const common = a.flatMap((one) => {
    const other = b.find(({ type }) => type === one.type);
    return other === undefined ? [] : [[one, other] as const];
  });
  return common.length > 0 ? common : [[a[0]!, b[0]!]];
}

function printDiff({ a, b, rows, causes }: ProfileDiff, types: { readonly a: string; readonly b: string }): string {
  const [left, right] = [types.a || 'field numbers', types.b || 'field numbers'];
  const change = b.bytes - a.bytes;
  const share = a.bytes === 0 ? '' : ` (${change > 0 ? '+' : ''}${printPercent(change / a.bytes)})`;
  const size = ({ messages, bytes }: ProfileDiff['a']) => `${plural(bytes, 'byte')} in ${plural(messages, 'message')}`;
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
    ...causes.map(({ cause, bytes }) => [`  ${CAUSES[cause] ?? cause}`, printDelta(bytes)]),
    ['B', printCount(b.bytes)],
  ]);
  const fields = printTable(
    [...columns('field').slice(0, 1), { title: 'in B', align: 'left' }, ...['A', 'B', 'change'].map(rightColumn)],
    rows
      .filter(({ bytes }) => bytes.a > 0 || bytes.b > 0)
      .map((row) => {
        const { a: path, b: other, bytes } = row;
        return [
          path ?? (other === null ? restIn(row) : ''),
          other === path ? '' : (other ?? 'none'),
          printCount(bytes.a),
          printCount(bytes.b),
          printDelta(bytes.b - bytes.a),
        ];
      }),
  );
  const title = left === right ? left : `${left} → ${right}`;
  return `${title}. A ${size(a)}, B ${size(b)}: ${printDelta(change)} bytes${share}; ${units.join(', ')}.\n\n${waterfall}\n${fields}`;
}

const rightColumn = (title: string): Column => ({ title, align: 'right' });

const perUnit = (a: number, b: number): string => `${a.toFixed(1)} → ${b.toFixed(1)}`;

/** Bytes that belong to no field. */
const restIn = ({ change }: DiffRow): string =>
  Object.keys(change).every((category) => category === 'unattributed') ? 'unattributed' : 'the messages themselves';

const CAUSES: Readonly<Record<string, string>> = {
  tag: 'Tags',
  length: 'Lengths',
  value: 'Values',
  flag: 'Flags',
  count: 'Counts',
  type: 'Type bytes',
  key: 'Keys',
  punctuation: 'Punctuation',
  quotes: 'Quotes',
  'only A': 'Fields of A alone',
  'only B': 'Fields of B alone',
  unattributed: 'Unattributed',
};
