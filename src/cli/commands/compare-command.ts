/** `compare`: two versions of a schema → what changed, whether their messages read each other, and what it costs. */

import { VersionMeter, type VersionSizes } from '#engine/advise/version-sizes.ts';
import { compareSchemas, type SchemaComparison } from '#engine/schema/compare/compare-schemas.ts';
import type { SymbolChange } from '#engine/schema/compare/symbol-change.ts';
import { type DifferenceReason, type SideVerdicts, worstFirst } from '#engine/schema/compare/verdicts.ts';
import { isBuiltInFile } from '#engine/schema/names.ts';
import { apartFromLost } from '#wording/advice-notes.ts';
import { readTyped } from '../inputs/advise-input.ts';
import { findNamed, findType, HAS_ERRORS, readSchema, type SchemaFiles } from '../inputs/schema.ts';
import { BadArguments, CAPTURE_USAGE, type Options, parseOptions } from '../options/arguments.ts';
import { CHOICES_USAGE } from '../options/input-choice.ts';
import { Noted, type Outcome, shortfall, success } from '../output/outcome.ts';
import { plural, printCount, printDelta } from '../output/text-table.ts';

export const COMPARE_USAGE = `usage: wirecost compare BEFORE AFTER [INPUT...] [options]
       wirecost compare --before BEFORE --schema AFTER [INPUT...] [options]

BEFORE and AFTER are versions of a schema: a .proto file, a folder of them, a descriptor set, or - for a file on the
standard input. Prints what changed, whether each version reads messages of the other, and the bytes of the messages of
INPUT in both. Of more than 100,000 messages, every nth is measured. Exits with code 1 if a change is unsafe on the wire,
or if a version has errors: what they touch is not compared.

  -s, --schema AFTER    the second version, with --before; may be repeated
      --before BEFORE   the first version, with --schema; may be repeated
  -t, --type NAME       the type of the messages in INPUT, in either version
      --method TEXT     of a capture, only messages whose method contains it
      --direction WAY   of a capture, only requests, or only responses: request, response
${CAPTURE_USAGE}
${CHOICES_USAGE}
      --json            as JSON (docs/advise.md)
`;

type Paths = readonly string[];

export async function compareCommand(args: readonly string[]): Promise<Outcome> {
  const options = parseOptions(args, [
    'schema',
    'before',
    'type',
    'method',
    'direction',
    'limit',
    'keys',
    'framing',
    'text-encoding',
    'json',
  ]);
  const [first, second, inputs] = versionsIn(options);
  const [before, after] = [await readSchema(first), await readSchema(second)];
  const includes = (file: string): boolean => !isBuiltInFile(file);
  const comparison = compareSchemas(before.registry, after.registry, includes);
  const notes = [...errorsOf('first', before), ...errorsOf('second', after)];
  const hasErrors = notes.length > 0;
  const cost = inputs.length === 0 ? undefined : (await costOf(inputs, before, after, options, comparison)).into(notes);
  const sizes = typeof cost === 'object' ? cost : undefined;
  const out = options.json
    ? `${JSON.stringify({ ...comparison, cost: sizes }, null, 2)}\n`
    : printComparison(comparison) + (sizes === undefined ? '' : `\n${printCost(sizes)}`);
  if (typeof cost === 'string') notes.push(`wirecost: ${cost}`);
  if (comparison.verdict === 'unsafe')
    return shortfall(out, 'The second version is not compatible with the first', notes);
  return hasErrors ? shortfall(out, 'What the errors touch is not compared', notes) : success(out, notes);
}

const errorsOf = (which: string, { notes }: SchemaFiles): readonly string[] =>
  notes.length === 0
    ? []
    : [`wirecost: errors of the ${which} version`, ...notes.filter((note) => note !== HAS_ERRORS)];

/** The paths of both versions, and the inputs. @throws BadArguments */
function versionsIn({ before, schema, inputs }: Options): readonly [Paths, Paths, Paths] {
  if (before.length > 0 && schema.length > 0) return [before, schema, inputs];
  if (before.length > 0 || schema.length > 0) throw new BadArguments('compare takes --before and --schema together');
  const [first, second, ...rest] = inputs;
  if (first === undefined || second === undefined) throw new BadArguments('compare takes BEFORE and AFTER');
  return [[first], [second], rest];
}

/** The same messages, written in both versions; a text: why they are not, because a version does not have their type. */
async function costOf(
  inputs: readonly string[],
  before: SchemaFiles,
  after: SchemaFiles,
  options: Options,
  { types }: SchemaComparison,
): Promise<Noted<VersionSizes | string>> {
  const notes: string[] = [];
  const moved = types.filter(({ kind }) => kind === 'moved');
  const named = options.type === undefined ? undefined : namedIn(options.type, before, after, moved);
  if (named !== undefined && !before.registry.messages.has(named))
    return new Noted(`The first version has no message ${named}; there is nothing to measure its messages against`, []);
  const { type, units } = (await readTyped(inputs, before, { ...options, type: named })).into(notes);
  const became = moved.find((one) => one.before === type.fullName)?.after;
  const meter = VersionMeter.open(before.registry, after.registry, type.fullName, became);
  if (meter === null)
    return new Noted(`The second version has no message ${type.fullName}; its messages are not measured`, notes);
  for (const bytes of units.flatMap(({ messages }) => messages)) meter.add(bytes);
  return new Noted(meter.sizes(), notes);
}

/** The full name in the first version, or in the second if it is new there. @throws Refusal if neither has the type */
function namedIn(name: string, before: SchemaFiles, after: SchemaFiles, moved: readonly SymbolChange[]): string {
  const now = findNamed(before, name) === undefined ? findNamed(after, name)?.fullName : undefined;
  if (now === undefined) return findType(before, name).fullName;
  return moved.find((one) => one.after === now)?.before ?? now;
}

function printCost({ type, messages, unread, before, after, lost, lostBytes }: VersionSizes): string {
  const head = `${type}, ${plural(messages, 'message')}: ${printCount(before)} bytes before, ${printCount(after)} after (${printDelta(after - before + lostBytes)}${apartFromLost(lostBytes)})\n`;
  const left =
    unread === 0
      ? ''
      : `  ${plural(unread, 'message')} more ${unread === 1 ? 'is not complete and is' : 'are not complete and are'} not measured\n`;
  return head + left + lost.map((name) => `  the second version has no place for values of ${name}\n`).join('');
}

function printComparison({ verdict, sides, files, types, unchanged }: SchemaComparison): string {
  const parts = [
    ...files.map((file) => ({ ...file, lines: fileLines(file) })),
    ...types.map((type) => ({ ...type, lines: linesOf(type) })),
  ].sort(worstFirst);
  const head = parts.length === 0 ? '' : 'binary       JSON         source\n';
  const list = parts.flatMap(({ lines }) => lines.map((line) => `${line}\n`)).join('');
  const kinds = (['changed', 'moved', 'added', 'removed'] as const).flatMap((kind) => {
    const count = types.filter((type) => type.kind === kind).length;
    return count === 0 ? [] : [`${printCount(count)} ${kind}`];
  });
  const counts = `Types: ${[...kinds, `${printCount(unchanged)} as before`].join(', ')}.`;
  return `${head}${list}${parts.length > 0 ? '\n' : ''}${counts} Messages ${verdict}: binary ${sides.binary}, JSON ${sides.json}, source ${sides.source}\n`;
}

const fileLines = ({ path, kind, sides, reasons }: SchemaComparison['files'][number]): string[] => [
  `${sidesText(sides)} file ${path} ${kind}`,
  ...reasonLines(reasons, '  '),
];

const sidesText = ({ binary, json, source }: SideVerdicts): string =>
  [binary, json, source].map((verdict) => verdict.padEnd(12)).join(' ');

const reasonLines = (reasons: readonly DifferenceReason[], indent: string): readonly string[] =>
  reasons.map(
    ({ message, about }) =>
      `${indent}                                       ${about.map((side) => (side === 'json' ? 'JSON' : side)).join(', ')}: ${message}`,
  );

function linesOf({ type, kind, before, after, sides, reasons, fields, values, methods }: SymbolChange): string[] {
  const name =
    before === undefined || after === undefined || before === after ? (after ?? before) : `${before} → ${after}`;
  const side = (
    field: { readonly type: string; readonly name: string; readonly number: number } | undefined,
  ): string => (field === undefined ? '' : `${field.type} ${field.name} = ${field.number}`);
  const signed = (name: string, text: string | undefined): string => text?.replace('rpc (', `rpc ${name} (`) ?? '';
  const inner = [
    ...fields.map((field) => ({ ...field, before: side(field.before), after: side(field.after) })),
    ...values.map((value) => ({ ...value, before: value.before ?? '', after: value.after ?? '' })),
    ...methods.map((method) => ({
      ...method,
      before: signed(method.name, method.before),
      after: signed(method.name, method.after),
    })),
  ];
  return [
    `${sidesText(sides)} ${type} ${name} ${kind}`,
    ...reasonLines(reasons, '  '),
    ...inner.flatMap((one) => [
      `${sidesText(one.sides)}   ${one.kind}: ${[...new Set([one.before, one.after])].filter((text) => text !== '').join(' → ')}`,
      ...reasonLines(one.reasons, '    '),
    ]),
  ];
}
