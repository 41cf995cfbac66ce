/** Advice as JSON and as a table. */
import type { Advice, Baseline } from '#engine/advise/advice.ts';
import type { Batches } from '#engine/advise/batch.ts';
import type { Measure } from '#engine/advise/measure.ts';
import type { WasteReport } from '#engine/advise/waste.ts';
import type { CapturedWith } from '#engine/compression/captured-with.ts';
import { batchWords, piecesText } from '#wording/advice-notes.ts';
import {
  aDay,
  aDayText,
  dictionaryText,
  isResized,
  presentNumbersText,
  rewrittenText,
  timeText,
  WASTE_WORDS,
} from '#wording/advice-words.ts';
import { capturedWithWords } from '#wording/matrix-words.ts';
import { type Column, printCount, printPercent, printTable, printTenth } from './text-table.ts';

/** The number of measured messages, and the number of messages per second. */
export interface Flow {
  readonly messages: number;
  readonly rate: number;
}

/** The messages before all changes, and how they were captured. */
type CapturedBaseline = Baseline & { readonly computed: number; readonly capturedWith: CapturedWith };

const savedADay = ({ deployed: { saved } }: Advice, { messages, rate }: Flow): Measure => ({
  bytes: aDay(saved.bytes, messages, rate),
  compressed: Object.fromEntries(
    Object.entries(saved.compressed).map(([id, bytes]) => [id, aDay(bytes, messages, rate)]),
  ),
});

export const adviceJson = (
  type: string,
  { before, captured, measured, computed, pieces, capturedWith }: CapturedBaseline,
  advice: readonly Advice[],
  patchOf: (row: Advice) => string,
  flow: Flow | undefined,
) => ({
  type,
  messages: measured,
  computed,
  pieces,
  capturedWith,
  before,
  captured,
  advice: advice.map((row) => ({
    id: row.id,
    title: row.title,
    changes: row.changes,
    against: row.against,
    after: row.after,
    saved: row.saved,
    ...(flow === undefined ? {} : { savedADay: savedADay(row, flow) }),
    noise: row.noise,
    noDifference: row.isNoDifference,
    signsDiffer: row.signsDiffer,
    counterfactual: row.isCounterfactual,
    compatibility: row.compatibility,
    effort: row.effort,
    time: row.time,
    deployed: row.deployed,
    patch: patchOf(row),
  })),
});

export function printAdvice(
  type: string,
  baseline: CapturedBaseline,
  advice: readonly Advice[],
  rankedBy: string | undefined,
  flow: Flow | undefined,
): string {
  const columns: readonly Column[] = [
    { title: '', align: 'right' },
    { title: 'what should change', align: 'left' },
    ...savedColumns('raw'),
    ...savedColumns(rankedBy),
    ...(flow === undefined ? [] : ([{ title: 'a day', align: 'right' }] as const)),
    { title: 'binary, JSON, source', align: 'left' },
    { title: 'effort', align: 'left' },
  ];
  const rows = advice.map((row) => {
    const { binary, json, source } = row.compatibility;
    return [
      String(row.id),
      row.title,
      ...savedCells(row.deployed.saved.bytes, baseline[row.against].bytes),
      ...(rankedBy === undefined ? [] : compressedCells(row, baseline[row.against], rankedBy)),
      ...(flow === undefined ? [] : [dayCell(row, rankedBy, flow)]),
      `${binary}, ${json}, ${source}`,
      row.effort,
    ];
  });
  const { before, captured, capturedWith } = baseline;
  const sizes = [`${printCount(before.bytes)} bytes`];
  if (rankedBy !== undefined) sizes.push(`${printCount(before.compressed[rankedBy]!)} by ${rankedBy}`);
  const facts = [capturedWithWords(capturedWith), rewrittenText(before, captured, rankedBy, rankedBy ?? '')];
  const lines = facts.filter((fact) => fact !== '').map((fact) => `${fact}\n`);
  const head = `${type}: ${sizes.join(', ')}${piecesText(baseline)}\n${lines.join('')}\n`;
  const compressor = rankedBy === undefined ? undefined : { id: rankedBy, label: rankedBy };
  const notes = advice.flatMap((row) => [
    ...(row.signsDiffer && !row.isNoDifference
      ? [`${row.id}: raw and compressed differ in sign; the ranking follows ${rankedBy}\n`]
      : []),
    ...(isResized(row, rankedBy) ? [`${row.id}: ${presentNumbersText(row, baseline[row.against], compressor)}\n`] : []),
    ...(row.time === undefined ? [] : [`${row.id}: ${timeText(row.time, rankedBy ?? '')}\n`]),
  ]);
  return head + printTable(columns, rows) + (notes.length > 0 ? `\n${notes.join('')}` : '');
}

/** Rows that are applied together, a line each, with the ids that choose them. */
export const printChosen = (rows: readonly Advice[]): string =>
  `Together:\n${rows.map(({ id, title }) => `${String(id).padStart(4)}  ${title}\n`).join('')}\n`;

function dayCell(
  { deployed: { saved }, isNoDifference }: Advice,
  rankedBy: string | undefined,
  { messages, rate }: Flow,
): string {
  if (isNoDifference) return '';
  return aDayText(rankedBy === undefined ? saved.bytes : saved.compressed[rankedBy]!, messages, rate);
}

/**
 * Waste that the writer alone can avoid comes first: avoiding it breaks nothing.
 * @param computed the number of messages that were captured in another encoding
 */
export function printWaste(
  type: string,
  { captured, kinds, writer }: WasteReport,
  rankedBy: string | undefined,
  computed: number,
): string {
  const id = rankedBy ?? '';
  const size = `${printCount(captured.bytes)} bytes${computed === 0 ? ' as captured' : ''}`;
  const head = `${type}: ${size}, of which the writer wastes ${printCount(writer.bytes)}\n\n`;
  const columns: readonly Column[] = [
    { title: 'what waste costs', align: 'left' },
    { title: 'places', align: 'right' },
    ...savedColumns('raw'),
    ...savedColumns(rankedBy),
    { title: 'effort', align: 'left' },
  ];
  const rows = kinds.map(({ kind, places, saved, effort }) => [
    WASTE_WORDS[kind],
    printCount(places),
    ...savedCells(saved.bytes, captured.bytes),
    ...(rankedBy === undefined ? [] : savedCells(saved.compressed[id]!, captured.compressed[id]!)),
    effort,
  ]);
  return kinds.length === 0 ? `${type}: nothing is wasted\n` : head + printTable(columns, rows);
}

export function printBatches(batches: Batches, rankedBy: string | undefined): string {
  const { path, name, records, sizes } = batches;
  const trained = sizes[0]?.dictionary;
  const columns: readonly Column[] = [
    { title: `${path ?? name} a message`, align: 'right' },
    { title: 'messages', align: 'right' },
    { title: 'bytes each', align: 'right' },
    ...(rankedBy === undefined ? [] : ([{ title: `${rankedBy} each`, align: 'right' }] as const)),
    ...(trained === undefined ? [] : ([{ title: 'zstd, dictionary', align: 'right' }] as const)),
  ];
  const withDictionary = ({ dictionary, records: size }: Batches['sizes'][number]): string =>
    dictionary === undefined ? '' : printTenth(dictionary.compressed / (dictionary.messages * size));
  const note = trained === undefined ? '' : `\n${dictionaryText(trained)}\n`;
  const each = (bytes: number): string => printTenth(bytes / records);
  const rows = sizes.map((one) => [
    printCount(one.records),
    printCount(one.messages),
    each(one.size.bytes),
    ...(rankedBy === undefined ? [] : [each(one.size.compressed[rankedBy]!)]),
    ...(trained === undefined ? [] : [withDictionary(one)]),
  ]);
  return `${batchWords(batches)}\n\n${printTable(columns, rows)}${note}`;
}

/** Bytes saved and their share; none if no compressor ranks the rows. */
const savedColumns = (title: string | undefined): readonly Column[] =>
  title === undefined
    ? []
    : [
        { title, align: 'right' },
        { title: '', align: 'right' },
      ];

const savedCells = (saved: number, of: number): readonly string[] => [
  saved === 0 ? '0' : `${saved > 0 ? '−' : '+'}${printCount(Math.abs(saved))}`,
  of === 0 ? '' : printPercent(Math.abs(saved) / of),
];

function compressedCells(row: Advice, { compressed }: Measure, id: string): readonly string[] {
  if (row.isNoDifference) return ['no difference', `±${printCount(row.noise[id] ?? 0)}`];
  return savedCells(row.deployed.saved.compressed[id]!, compressed[id]!);
}
