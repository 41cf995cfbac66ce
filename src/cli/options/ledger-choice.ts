/** `--encodings`: ids of encodings → the ledgers that are measured beside protobuf and the native one. */
import type { ProfilerOptions } from '#engine/analysis/message-profiler.ts';
import { type EncodingLedger, ledgerOf } from '#engine/cost/encoding-ledger.ts';
import { EncodingLedgers } from '#engine/cost/ledger-collector.ts';
import { ledgerIds, PROTOBUF, type Profile, ROOT, totalIn } from '#engine/cost/profile.ts';
import { CAPTURED_FORMATS } from '#engine/encodings/captured-encodings.ts';
import { ENCODINGS, encodingById } from '#engine/encodings/encodings.ts';
import { type Column, plural, printCount, printDelta, printSignedPercent, printTable } from '../output/text-table.ts';
import { BadArguments } from './arguments.ts';

/** Ledgers that every profile has: protobuf, the native side, and the captured encoding. */
const ALWAYS = new Set(['protobuf', 'native', ...Object.values(CAPTURED_FORMATS).map(({ row }) => row.id)]);

/** Encodings that `--native` takes. */
export const ENCODING_IDS = ENCODINGS.map(({ id }) => id).filter((id) => !ALWAYS.has(id));

/** Values of --encodings. */
export const LEDGER_IDS = ['protobuf', 'native', ...ENCODING_IDS];

export const ENCODINGS_LIST = LEDGER_IDS.join(', ');

/** @throws BadArguments on an id that is not known */
export function ledgersOf(ids: readonly string[]): Pick<ProfilerOptions, 'collectLedgers'> {
  const rows = ids
    .filter((id) => !ALWAYS.has(id))
    .map((id) => {
      const row = encodingById(id);
      if (row === undefined) throw new BadArguments(`No encoding ${id}; there are ${ENCODINGS_LIST}`);
      return row;
    });
  return rows.length === 0 ? {} : { collectLedgers: (type) => new EncodingLedgers(type, rows) };
}

/** Each field in each encoding; bytes that belong to no field have a row of their own. */
export function printLedgers(profile: Profile): string {
  const ids = ledgerIds(profile);
  const ledgers = ids.map((id) => ledgerOf(profile, id)!);
  const bytesAt = ({ fields }: EncodingLedger, path: string): number =>
    Object.values(fields[path] ?? {}).reduce((sum, bytes) => sum + bytes, 0);
  // The compared encoding has the messages themselves in a field row.
  const cellsAt = (path: string) =>
    ledgers.map((ledger) => bytesAt(ledger, path) + (path === '' ? bytesAt(ledger, ROOT) : 0));
  const known = ['', ...profile.fields.map(({ path }) => path).filter((path) => path !== ROOT)];
  const others = ledgers
    .flatMap(({ fields }) => Object.keys(fields))
    .filter((path) => path !== ROOT && !known.includes(path));
  const rows = [...known, ...new Set(others)]
    .map((path) => ({ path, cells: cellsAt(path) }))
    .filter(({ cells }) => cells.some((bytes) => bytes > 0))
    .map(({ path, cells }) => [path || 'the messages themselves', ...cells.map(printCount)]);
  const columns: readonly Column[] = [
    { title: 'field', align: 'left' },
    ...ids.map((id): Column => ({ title: id, align: 'right' })),
  ];
  const totals = ledgers.map(({ bytes }) => (bytes === null ? 'refused' : printCount(bytes)));
  const table = printTable(columns, [...rows, ['all', ...totals]]);
  const base = totalIn(profile, PROTOBUF);
  const lines = ledgers.slice(1).map(({ label, bytes, refused, losses }) => {
    if (bytes === null) return `${label}: ${refused}\n`;
    const share = base === 0 ? '' : ` (${printSignedPercent((bytes - base) / base)})`;
    const lost = losses.length === 0 ? '' : `; not carried: ${losses.join(', ')}`;
    return `${label}: ${plural(bytes, 'byte')}, ${printDelta(bytes - base)} to protobuf${share}${lost}\n`;
  });
  return `${table}${lines.join('')}`;
}
