/** The message types of a capture, each in other encodings than its own, before and after compressors. */
import { COMPRESSORS } from '#engine/compression/compressors.ts';
import { ENCODINGS } from '#engine/encodings/encodings.ts';
import type { MatrixRow } from '#engine/encodings/matrix.ts';
import { PROTOBUF } from '#engine/encodings/protobuf.ts';
import { distinctNames } from '#wording/distinct-names.ts';
import type { Measured } from '../measure/measure.ts';
import { matrixOf, type TypeSample, type TypeSamples } from '../measure/type-samples.ts';
import { BadArguments, type Options } from '../options/arguments.ts';
import { Refusal } from './outcome.ts';
import { type Column, plural, printCount, printMarkdownTable, printPercent, printSignedPercent } from './text-table.ts';

const MAX_TYPES = 12;

/** Bytes of one type, or of several. */
interface Sums {
  /** The type's full name, until it is printed. */
  readonly name: string;
  messages: number;
  /** By encoding, the captured one first: plain, then after each compressor. null: a message cannot be written in it. */
  readonly sizes: (number | null)[][];
}

/**
 * As a Markdown table. Every type with messages is measured; the largest have a row each.
 * @throws BadArguments, Refusal if no message has a type
 */
export async function printTypes(samples: TypeSamples, measured: Measured, options: Options): Promise<string> {
  const encodings = options.encodings.map((id) => {
    const row = ENCODINGS.find((known) => known.id === id);
    if (row === undefined) throw new BadArguments(`There is no encoding ${id}`);
    return row;
  });
  const compressors = (options.compressor?.split(',') ?? []).map((id) => {
    const known = COMPRESSORS.find((one) => one.id === id)?.id;
    if (known === undefined) throw new BadArguments(`There is no compressor ${id}`);
    return known;
  });
  let labels: readonly string[] = [];
  /** Bytes between the messages, which profiles leave out. */
  let framing = 0;
  const sumsOf = async (sample: TypeSample): Promise<Sums> => {
    // The captured encoding has a row of its own, unless it is protobuf.
    const rows = sample.captured === undefined ? [...new Set([PROTOBUF, ...encodings])] : encodings;
    const matrix = await matrixOf(sample, measured, { encodings: rows, compressors });
    labels = matrix.compressors.map(({ label }) => label);
    const own = matrix.rows.find(({ id }) => id === matrix.captured)!;
    const profile = measured.profiles.find((one) => samples.of(one) === sample);
    if (matrix.sampled === null && profile?.messages === matrix.messages)
      framing += Math.max(0, (own.bytes ?? 0) - (profile.ledgers[own.id]?.bytes ?? Number.POSITIVE_INFINITY));
    const others = encodings.map(({ id }) => matrix.rows.find((row) => row.id === id)!);
    const sizes = [own, ...others].map((row: MatrixRow) => [
      row.bytes,
      ...compressors.map((id) => row.compressed[id] ?? null),
    ]);
    return { name: matrix.type, messages: matrix.messages, sizes };
  };
  const all: Sums[] = [];
  for (const sample of samples.all) all.push(await sumsOf(sample));
  if (all.length === 0) throw new Refusal('no message has a type that the schemas know');
  const captured = ({ sizes }: Sums): number => sizes[0]![0] ?? 0;
  all.sort((a, b) => captured(b) - captured(a));
  const most = options.most ?? MAX_TYPES;
  // A line for one other type would take the room of the type itself.
  const shown = all.length <= most + 1 ? all : all.slice(0, most);
  const others = all.slice(shown.length);
  const total = addUp('all', all);
  const names = distinctNames(all.map(({ name }) => name));
  const named = shown.map((one) => ({ ...one, name: names.get(one.name)! }));
  const rows = [...named, ...(others.length > 0 ? [addUp(`${others.length} others`, others)] : []), total];
  const columns: readonly Column[] = [
    { title: 'type', align: 'left' },
    { title: 'messages', align: 'right' },
    { title: 'share', align: 'right' },
    ...['plain', ...labels].flatMap((label) =>
      ['captured', ...encodings.map((row) => row.label)].map(
        (name): Column => ({ title: `${label}: ${name}`, align: 'right' }),
      ),
    ),
  ];
  const table = printMarkdownTable(
    columns,
    rows.map((row) => cellsOf(row, total)),
  );
  return framing === 0 ? table : `${table}\nThe captured bytes include ${plural(framing, 'byte')} of framing.\n`;
}

/** A sum lacks what one of its parts lacks. */
function addUp(name: string, from: readonly Sums[]): Sums {
  const sum: Sums = { name, messages: 0, sizes: from[0]?.sizes.map((sizes) => sizes.map(() => 0)) ?? [] };
  for (const { messages, sizes } of from) {
    sum.messages += messages;
    sum.sizes.forEach((of, row) => {
      for (const [at, size] of of.entries()) {
        const part = sizes[row]![at]!;
        of[at] = size === null || part === null ? null : size + part;
      }
    });
  }
  return sum;
}

const REFUSED = 'refused';

/** Bytes in the captured form, and of the others their difference from it. */
function cellsOf({ name, messages, sizes }: Sums, total: Sums): readonly string[] {
  const [own = [], ...others] = sizes;
  const [part, whole] = [own[0] ?? null, total.sizes[0]![0] ?? null];
  const share = part === null || whole === null ? '' : printPercent(part / Math.max(1, whole));
  const change = (size: number | null, bytes: number | null): string => {
    if (size === null) return REFUSED;
    return bytes === null || bytes === 0 ? '' : printSignedPercent(size / bytes - 1);
  };
  const stages = own.flatMap((bytes, at) => [
    bytes === null ? REFUSED : printCount(bytes),
    ...others.map((other) => change(other[at]!, bytes)),
  ]);
  return [name, printCount(messages), share, ...stages];
}
