/** A matrix as JSON, as a table with bars, as Markdown. */
import type { MeasuredMatrix } from '#engine/analysis/measure/measure-matrix.ts';
import type { Profile } from '#engine/cost/profile.ts';
import { lossKind } from '#engine/encodings/losses.ts';
import type { MatrixField, MatrixRow } from '#engine/encodings/matrix.ts';
import type { Category } from '#engine/model/annotation.ts';
import type { LostValues } from '#engine/model/diagnostic.ts';
import { jsonParts, made } from '#permalink/json-parts.ts';
import { toMarkdown } from '#wording/escape.ts';
import { capturedWithWords, errorWords, inAnyWords, measuredAs, referenceRow } from '#wording/matrix-words.ts';
import type { InputPlace } from '../measure/measure.ts';
import { printedSize } from './listed-rows.ts';
import { type Column, plainSpaces, printCount, printMarkdownTable, printRatio, printTable } from './text-table.ts';

const FIELD_LEVEL = 4;
/** Bytes of an encoding without its fields, and of the sums of fields that are not printed. */
const HEAD = 2048;

/**
 * In parts: each encoding has a row for each field, as many as fit.
 * @param room bytes of all encodings
 * @param inAny bytes of messages in an Any
 * @param firsts the places of the first values that encodings do not carry
 */
export function* matrixJson(
  { type, messages, captured, per, sampled, compressors, rows, capturedWith }: MeasuredMatrix,
  room: number,
  inAny: number,
  firsts: readonly { readonly lost: LostValues; readonly place: InputPlace | null }[],
): Generator<string> {
  const firstOf = (encoding: string, kind: string | null) => {
    const { place } = firsts.find(({ lost }) => lost.encoding === encoding && lost.kind === kind) ?? {};
    if (!place) return null;
    const { input, ordinal, start, end } = place;
    return { input, ordinal, offset: start, end };
  };
  yield* jsonParts({
    type,
    messages,
    captured,
    ...(inAny > 0 ? { inAny } : {}),
    per,
    capturedWith,
    ...(sampled === null ? {} : { sampled }),
    compressors: Object.fromEntries(
      compressors.map(({ id, library, version, parameters }) => [id, { library, version, parameters }]),
    ),
    encodings: made(rows, ({ id, bytes, compressed, fields, losses, refused, errors }) => ({
      ...{ id, bytes, compressed },
      fields: made(fieldsWithin(fields, room / rows.length - HEAD), (field) => field),
      ...(losses.length > 0 ? { findings: losses } : {}),
      ...(refused === null ? {} : { refused }),
      ...(losses.length > 0 || refused !== null
        ? {
            first: [
              ...losses.map((loss) => firstOf(id, lossKind(loss))),
              ...(refused === null ? [] : [firstOf(id, null)]),
            ],
          }
        : {}),
      ...(sampled === null ? {} : { errors }),
    })),
  });
  yield '\n';
}

/** As many fields as fit, in their order; a last row has the sums of the others. */
function* fieldsWithin(fields: readonly MatrixField[], room: number): Generator<object> {
  let left = room;
  let folded = 0;
  const sums: Partial<Record<Category, number>> = {};
  for (const { path, bytes } of fields) {
    const row = { path, ...bytes };
    if (folded === 0) left -= printedSize(row, FIELD_LEVEL);
    if (left >= 0) yield row;
    else {
      folded++;
      for (const [category, size] of Object.entries(bytes) as [Category, number][]) {
        sums[category] = (sums[category] ?? 0) + size;
      }
    }
  }
  if (folded > 0) yield { path: '…', folded, ...sums };
}

const BAR = 20;

/** @param profile of the same messages @param findings a line for each value that an encoding does not carry */
export function printMatrix(
  matrix: MeasuredMatrix,
  isMarkdown: boolean,
  profile: Profile | undefined,
  findings: readonly string[],
): string {
  const note = profile === undefined ? '' : inAnyWords(profile);
  const rows = [...matrix.rows].sort((a, b) => (a.bytes ?? Infinity) - (b.bytes ?? Infinity));
  const base = referenceRow(matrix);
  const most = Math.max(...rows.map(({ bytes }) => bytes ?? 0));
  const columns: readonly Column[] = [
    { title: 'encoding', align: 'left' },
    { title: 'bytes', align: 'right' },
    { title: '×', align: 'right' },
    { title: '', align: 'left' },
    ...matrix.compressors.flatMap(({ label }): readonly Column[] => [
      { title: label, align: 'right' },
      { title: '×', align: 'right' },
    ]),
  ];
  const compression = capturedWithWords(matrix.capturedWith);
  const cells = rows.map((row) => cellsOf(row, base, matrix, most));
  return [
    `${matrix.type}: ${measuredAs(matrix, profile)}${compression && ` ${compression}`}${base === undefined ? '' : ` × of ${base.label}${base.id === matrix.captured ? ', the captured form' : ''}.`}\n\n`,
    isMarkdown ? printMarkdownTable(columns, cells) : printTable(columns, cells),
    '\n',
    ...(note === '' ? [] : [`${note}\n`]),
    ...[
      ...matrix.compressors.map(
        ({ label, library, version, parameters }) => `${label}: ${library} ${version}, ${parameters}`,
      ),
      ...findings,
    ].map((line) => `${isMarkdown ? `- ${toMarkdown(line)}` : line}\n`),
  ].join('');
}

function cellsOf(
  { id, label, bytes, compressed, errors }: MatrixRow,
  base: MatrixRow | undefined,
  matrix: MeasuredMatrix,
  most: number,
): readonly string[] {
  const { compressors, captured } = matrix;
  const sized = (size: number, by: string | null): string =>
    `${printCount(size)}${plainSpaces(errorWords(matrix, errors, by))}`;
  const name = id === captured && !label.endsWith('captured') ? `${label} (captured)` : label;
  if (bytes === null) return [name, 'refused', '', '', ...compressors.flatMap(() => ['', ''])];
  const sizes = compressors.flatMap((compressor) => {
    const size = compressed[compressor.id]!;
    return [sized(size, compressor.id), printRatio(size, base?.compressed[compressor.id] ?? 0)];
  });
  return [name, sized(bytes, null), printRatio(bytes, base?.bytes ?? 0), bar(bytes, most), ...sizes];
}

/** A bar in proportion to the bytes, in eighths of a character. */
function bar(bytes: number, most: number): string {
  const eighths = Math.round((bytes / Math.max(1, most)) * BAR * 8);
  return '█'.repeat(eighths >> 3) + ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'][eighths & 7]!;
}
