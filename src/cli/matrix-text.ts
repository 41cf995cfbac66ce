/** A matrix as JSON, as a table with bars, as Markdown. */
import type { Matrix, MatrixRow } from '#engine/encodings/matrix.ts';
import type { MessageSample } from './message-sample.ts';
import { type Column, plural, printCount, printMarkdownTable, printPercent, printTable } from './text-table.ts';

type Sampled = Pick<MessageSample, 'isSampled' | 'count' | 'bytes' | 'keptBytes'>;

/** The sizes of a sample are put up to the whole. */
const scaleOf = ({ isSampled, bytes, keptBytes }: Sampled): number => (isSampled ? bytes / keptBytes : 1);

export function matrixJson({ type, messages, captured, per, compressors, rows }: Matrix, sample: Sampled): string {
  const scale = scaleOf(sample);
  const scaled = (bytes: number) => Math.round(bytes * scale);
  const document = {
    type,
    messages: sample.count,
    captured,
    per,
    ...(sample.isSampled ? { sampled: { messages, bytes: sample.keptBytes } } : {}),
    compressors: Object.fromEntries(
      compressors.map(({ id, library, version, parameters }) => [id, { library, version, parameters }]),
    ),
    encodings: rows.map(({ id, bytes, compressed, fields, losses, refused, errors }) => ({
      id,
      bytes: bytes === null ? null : scaled(bytes),
      compressed: Object.fromEntries(Object.entries(compressed).map(([name, size]) => [name, scaled(size)])),
      fields: fields.map(({ path, bytes: parts }) => ({
        path,
        ...Object.fromEntries(Object.entries(parts).map(([category, size]) => [category, scaled(size)])),
      })),
      ...(losses.length > 0 ? { findings: losses } : {}),
      ...(refused === null ? {} : { refused }),
      ...(sample.isSampled ? { errors } : {}),
    })),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

const BAR = 20;

export function printMatrix(matrix: Matrix, sample: Sampled, isMarkdown: boolean): string {
  const scale = scaleOf(sample);
  const rows = [...matrix.rows].sort((a, b) => (a.bytes ?? Infinity) - (b.bytes ?? Infinity));
  const base = matrix.rows.find(({ id }) => id === matrix.captured)!;
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
  const cells = rows.map((row) => cellsOf(row, base, matrix, { scale, most, isSampled: sample.isSampled }));
  return [
    `${matrix.type}: ${plural(sample.count, 'message')}, ${compressedAs(matrix, sample)}. × of ${base.label}, the captured form.\n\n`,
    isMarkdown ? printMarkdownTable(columns, cells) : printTable(columns, cells),
    '\n',
    ...matrix.compressors.map(
      ({ label, library, version, parameters }) => `${label}: ${library} ${version}, ${parameters}\n`,
    ),
    ...rows.flatMap(({ label, losses, refused }) => [
      ...losses.map((loss) => `${label}: ${loss}\n`),
      ...(refused === null ? [] : [`${label}: ${refused}\n`]),
    ]),
  ].join('');
}

function compressedAs({ per, messages }: Matrix, { isSampled }: Sampled): string {
  const how = per === 'joined' ? 'joined and compressed at once' : 'each compressed alone';
  return isSampled ? `${how}; a sample of ${printCount(messages)}, put up to the whole` : how;
}

function cellsOf(
  { id, label, bytes, compressed, errors }: MatrixRow,
  base: MatrixRow,
  { compressors, captured }: Matrix,
  { scale, most, isSampled }: { readonly scale: number; readonly most: number; readonly isSampled: boolean },
): readonly string[] {
  const name = id === captured ? `${label} (captured)` : label;
  if (bytes === null) return [name, 'refused', '', '', ...compressors.flatMap(() => ['', ''])];
  const sizes = compressors.flatMap((compressor) => {
    const size = compressed[compressor.id]!;
    const error = isSampled ? ` ±${printPercent(errors[compressor.id] ?? 0)}` : '';
    return [`${printCount(Math.round(size * scale))}${error}`, times(size, base.compressed[compressor.id]!)];
  });
  return [name, printCount(Math.round(bytes * scale)), times(bytes, base.bytes!), bar(bytes, most), ...sizes];
}

const times = (size: number, base: number): string => (base === 0 ? '' : (size / base).toFixed(2));

/** As long as its bytes are, in eighths of a character. */
function bar(bytes: number, most: number): string {
  const eighths = Math.round((bytes / Math.max(1, most)) * BAR * 8);
  return '█'.repeat(eighths >> 3) + ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'][eighths & 7]!;
}
