/** Bits by field → tables for a terminal or Markdown, and the command's JSON. */
import type { Container } from '#engine/compression/bits/container.ts';
import { FORMATS, type FormatId } from '#engine/compression/formats.ts';
import { type FieldBits, isAttributed, type Parts, partsOf, sumOfParts, totalOf } from '#engine/cost/bit-parts.ts';
import { ranksBy } from '#engine/cost/ranks.ts';
import { bytesOfBits } from '#wording/number-text.ts';
import { type Column, plural, printCount, printMarkdownTable, printPercent, printTable } from './text-table.ts';

export interface BodyBits {
  readonly format: FormatId;
  readonly plainBytes: number;
  readonly compressedBytes: number;
  readonly container: Container;
  readonly fields: readonly FieldBits[];
}

type Print = typeof printTable;

export const bodyJson = ({ format, plainBytes, compressedBytes, container, fields }: BodyBits) => ({
  format,
  plainBytes,
  compressedBytes,
  container: container.items,
  fields: isAttributed(container.items)
    ? fields.map(({ path, paid, shared }) => ({
        path,
        ...partsOf(paid),
        ...(shared === undefined ? {} : { shared: partsOf(shared) }),
      }))
    : [],
});

/** Largest first. @param title what the body is, in a line */
export function printBody(body: BodyBits, title: string, isMarkdown: boolean): string {
  const print: Print = isMarkdown ? printMarkdownTable : printTable;
  if (!isAttributed(body.container.items)) {
    return `${title}\n\nThe bits of a ${FORMATS[body.format].label} stream are not known by field, only its totals.\n`;
  }
  return [`${title}\n`, fieldTable(body, print), containerTable(body, print), sentence(body)]
    .filter((part) => part !== '')
    .join('\n');
}

function fieldTable({ fields, plainBytes, compressedBytes }: BodyBits, print: Print): string {
  if (fields.length === 0) return '';
  const hasParts = isInParts(plainParts(fields));
  const rows = fields.map((field) => {
    const paid = partsOf(field.paid);
    return { field, paid, plain: totalOf(partsOf(field.bytes)), bits: totalOf(paid) };
  });
  const plainRanks = ranksBy(rows, ({ plain }) => plain);
  const ranks = ranksBy(rows, ({ bits }) => bits);
  const isShared = fields.some(({ shared }) => shared !== undefined);
  const columns: readonly Column[] = [
    { title: 'field', align: 'left' },
    ...['plain bytes', 'share', 'rank'].map(right),
    ...(hasParts ? ['tag', 'length', 'value'] : []).map(right),
    ...['paid bytes', 'share', 'rank'].map(right),
    ...(isShared ? [right('shared over copies')] : []),
  ];
  return print(
    columns,
    [...rows]
      .sort((a, b) => b.bits - a.bits)
      .map((row) => [
        row.field.path,
        printCount(row.plain),
        printPercent(row.plain / plainBytes),
        String(plainRanks.get(row)),
        ...(hasParts ? [row.paid.tag, row.paid.length, row.paid.value] : []).map(bytesOfBits),
        bytesOfBits(row.bits),
        printPercent(row.bits / (8 * compressedBytes)),
        String(ranks.get(row)),
        ...(isShared ? [bytesOfBits(totalOf(partsOf(row.field.shared ?? {})))] : []),
      ]),
  );
}

const right = (title: string): Column => ({ title, align: 'right' });

function containerTable({ container, compressedBytes }: BodyBits, print: Print): string {
  const items = Object.entries(container.items);
  if (items.length === 0) return '';
  const columns = [{ title: 'container', align: 'left' } as const, ...['bytes', 'share'].map(right)];
  const row = (name: string, bits: number) => [name, bytesOfBits(bits), printPercent(bits / (8 * compressedBytes))];
  return print(columns, [
    ...items.sort(([, a], [, b]) => b - a).map(([item, bits]) => row(item.replaceAll('_', ' '), bits)),
    row('total', container.total),
  ]);
}

const plainParts = (fields: readonly FieldBits[]): Parts => sumOfParts(fields.map(({ bytes }) => partsOf(bytes)));

/** Text, and bytes without a type, have neither tags nor lengths. */
const isInParts = ({ tag, length }: Parts): boolean => tag > 0 || length > 0;

/** Shares of tags and lengths before and after; empty: the bytes have none. */
function sentence({ fields, plainBytes, compressedBytes, format }: BodyBits): string {
  const plain = plainParts(fields);
  if (!isInParts(plain)) return '';
  const paid = sumOfParts(fields.map((field) => partsOf(field.paid)));
  const share = (part: keyof Parts): string =>
    `${printPercent(plain[part] / plainBytes)} of the plain bytes and ${printPercent(paid[part] / (8 * compressedBytes))} after ${FORMATS[format].label}`;
  return plain.tag === 0
    ? `lengths are ${share('length')}\n`
    : `lengths are ${share('length')}, tags are ${share('tag')}\n`;
}

/** A line of `bits CAPTURE`: one compressed body. */
export interface BodyLine extends BodyBits {
  /** Ordinal of the first message in it. */
  readonly ordinal: number;
  readonly messages: number;
  readonly direction: string | null;
  readonly method: string | null;
  readonly type: string | null;
  readonly flow: string | null;
  readonly time: number | null;
}

export function printBodies(bodies: readonly BodyLine[], isMarkdown: boolean): string {
  const columns: readonly Column[] = [
    { title: 'message', align: 'right' },
    { title: 'body', align: 'left' },
    { title: 'format', align: 'left' },
    ...['plain', 'compressed', 'tags', 'after', 'lengths', 'after', 'container'].map(right),
    { title: 'pays most', align: 'left' },
  ];
  const rows = bodies.map((body) => {
    const { plainBytes, compressedBytes, fields } = body;
    const plain = plainParts(fields);
    const paid = sumOfParts(fields.map((field) => partsOf(field.paid)));
    const ofPlain = (bytes: number) => printPercent(plainBytes === 0 ? 0 : bytes / plainBytes);
    const ofAll = (bits: number) => printPercent(bits / (8 * compressedBytes));
    const bitsOf = (field: FieldBits) => totalOf(partsOf(field.paid));
    const isKnown = isAttributed(body.container.items);
    const most = [...fields].sort((a, b) => bitsOf(b) - bitsOf(a))[0];
    return [
      body.messages === 1 ? String(body.ordinal) : `${body.ordinal}, ${body.messages} in one`,
      [body.direction, body.type ?? body.method].filter((part) => part !== null).join(' '),
      body.format,
      plural(plainBytes, 'byte'),
      plural(compressedBytes, 'byte'),
      ofPlain(plain.tag),
      isKnown ? ofAll(paid.tag) : '',
      ofPlain(plain.length),
      isKnown ? ofAll(paid.length) : '',
      isKnown ? ofAll(body.container.total) : '',
      !isKnown ? 'not known' : most === undefined ? '' : `${most.path} ${ofAll(bitsOf(most))}`,
    ];
  });
  return (isMarkdown ? printMarkdownTable : printTable)(columns, rows);
}
