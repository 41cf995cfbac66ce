/** `annotate`: one message of an input → its rows, each with its bytes, its field and its value. */
import { formatReader } from '#engine/analysis/format-readers.ts';
import { headerByLayout, readByLayout, readingOfMessage } from '#engine/analysis/message-reading.ts';
import { type PackedContent, type PackedContents, packedContents } from '#engine/analysis/packed-contents.ts';
import type { NativeHeader, NativeReading } from '#engine/analysis/plan/native-reading.ts';
import { touchedFinding } from '#engine/analysis/plan/touched-types.ts';
import { bodyAt, headerOf } from '#engine/analysis/store/message-body.ts';
import { lacksRequest, type MessageGroup } from '#engine/analysis/store/message-groups.ts';
import { printTokens, tokenText } from '#engine/encodings/print-tokens.ts';
import { native } from '#engine/frame/framing/native.ts';
import { type AnnotationTable, startAt } from '#engine/model/annotation.ts';
import type { Diagnostic } from '#engine/model/diagnostic.ts';
import { ALL_ROWS, type RowRange, rowsIn } from '#engine/model/row-range.ts';
import { printNative } from '#engine/native/print.ts';
import { toWire } from '#engine/native/to-wire.ts';
import { describeNative } from '#engine/native/value.ts';
import { annotate } from '#engine/wire/annotate.ts';
import { isGuessed } from '#engine/wire/guessed.ts';
import { inferDescriptor } from '#engine/wire/infer-descriptor.ts';
import { printAnnotations } from '#engine/wire/print.ts';
import { describeRow } from '#engine/wire/value.ts';
import { contentTitle } from '#wording/content-words.ts';
import { whyNoMessage } from '../inputs/no-message.ts';
import { type Planned, withPlan } from '../inputs/plan-inputs.ts';
import { BadArguments, CAPTURE_USAGE, parseOptions, SHOWN_ROWS } from '../options/arguments.ts';
import { CHOICES_USAGE } from '../options/input-choice.ts';
import { printInput } from '../output/input-text.ts';
import { type Outcome, Refusal, success } from '../output/outcome.ts';
import { findingJson } from '../output/profile-json.ts';
import { printDiagnostic } from '../output/report-text.ts';
import { rowsJson } from '../output/rows-json.ts';
import { plural } from '../output/text-table.ts';

export const ANNOTATE_USAGE = `usage: wirecost annotate INPUT [options]

INPUT is a file, or - for the standard input.

  -s, --schema PATH     a .proto file, a folder of them, or a descriptor set; -: the standard input; may be repeated
  -t, --type NAME       the message type, of the schema or a bundled one; without it, the one that the message fits
      --by-number       by field numbers, even if a type fits
      --message N       which message of the input, from 0; the first one, if not given
      --from OFFSET     the first byte of the message whose row is printed; 0, if not given
      --rows N          how many rows are printed; ${SHOWN_ROWS}, if not given
${CHOICES_USAGE}
${CAPTURE_USAGE}
      --json            as JSON (docs/annotate-json.md)
`;

/** Raised when a name is removed or changes its meaning; a new name does not raise it. */
const VERSION = 1;

const printed = (found: readonly Diagnostic[]): string => found.map((one) => `${printDiagnostic(one)}\n`).join('');

const TAKES_ONE = 'annotate takes one INPUT';

export async function annotateCommand(args: readonly string[]): Promise<Outcome> {
  const options = parseOptions(args, [
    'schema',
    'type',
    'by-number',
    'message',
    'from',
    'rows',
    'limit',
    'keys',
    'framing',
    'text-encoding',
    'json',
  ]);
  const [input, more] = options.inputs;
  if (input === undefined || more !== undefined) throw new BadArguments(TAKES_ONE);
  const isNativeFile = options.framing === native.id;
  const wanted = options.message ?? 0;
  const range: RowRange = { from: options.from, most: options.rows };
  const use = async (planned: Planned): Promise<Outcome> => {
    const { isCapture, request, inputs, selected, schema } = planned;
    const [[facts], [chosen]] = [inputs, selected] as const;
    const { store } = chosen!;
    if (wanted >= store.messages.length) {
      const held = plural(store.messages.length, 'message');
      throw new Refusal(whyNoMessage(facts!) ?? `There is no message ${wanted}: ${input} holds ${held}`);
    }
    const payload = (await bodyAt(store, wanted)).slice();
    const title = `${printInput(facts!)}message ${wanted}`;
    const document = (rows: object, found: readonly Diagnostic[], said: readonly string[]): Outcome => {
      const diagnostics = found.map((one) => findingJson(one, 0));
      const head = { version: VERSION, input: facts!.name, message: wanted, bytes: payload.length };
      return success(`${JSON.stringify({ ...head, ...rows, diagnostics }, null, 2)}\n`, said);
    };
    const asked = isNativeFile ? undefined : planned.chosen;
    const reading = asked ?? (options.byNumber ? undefined : await readingOfMessage(store, request, wanted));
    if (reading === 'native') {
      const found = readByLayout(store, request, wanted, payload);
      if (found === null) throw withoutLayout(wanted, store.messages.groups.at(store.messages.groupAt(wanted)));
      const lost = toWire(payload, found.read).diagnostics.filter(({ severity }) => severity === 'warning');
      const header = headerByLayout(store, request.library, wanted, await headerOf(store, wanted));
      const packed = packedContents(payload, found);
      if (options.json) {
        const inside = {
          contents: packed.contents.map((one) => contentJson(one, range)),
          header: header === undefined ? null : nativeJson(header.reading, header.bytes, ALL_ROWS),
        };
        const all = [...found.read.diagnostics, ...lost, ...packed.diagnostics, ...facts!.diagnostics];
        return document({ ...nativeJson(found, payload, range), ...inside }, all, schema?.notes ?? []);
      }
      const body = `${title}, ${found.type.fullName}, native\n\n${printNative(found.read, payload, [...found.read.diagnostics, ...lost], range)}${goOn(found.read.table, range)}`;
      const inside = printContents(packed, range);
      return success(`${body}${inside}${printHeader(header)}${printed(facts!.diagnostics)}`, schema?.notes ?? []);
    }
    const type = reading === undefined || isGuessed(reading) ? undefined : reading;
    const touched = type && touchedFinding(type, request.library.faults);
    const notes = isCapture ? [...(schema?.notes ?? [])] : planned.notes;
    if (isCapture && type === undefined && !options.byNumber) {
      notes.push(`wirecost: message ${wanted} names no type that the schemas know; it is read by field numbers`);
    }
    const { format } = store.messages.groups.at(store.messages.groupAt(wanted));
    const about = [...(touched === undefined ? [] : [touched]), ...facts!.diagnostics];
    if (format !== undefined) {
      const read = (await formatReader(format, request.library))(payload, type);
      if (options.json) {
        const shown = rowsJson(read.table, range, (row) => tokenText(read.table, payload, row));
        return document(
          { encoding: format, type: type?.fullName ?? null, ...shown },
          [...read.diagnostics, ...about],
          notes,
        );
      }
      const rows = `${printTokens(read.table, payload, read.diagnostics, range)}${goOn(read.table, range)}`;
      return success(`${title}${type === undefined ? '' : `, ${type.fullName}`}\n\n${rows}${printed(about)}`, notes);
    }
    // Without a type the nested messages are guessed; their rows show it.
    const guess = reading ?? inferDescriptor([payload]);
    const { table, diagnostics } = annotate(payload, guess, { ordinal: wanted });
    if (options.json) {
      const shown = rowsJson(table, range, (row) => describeRow(table, payload, row).value);
      return document(
        { encoding: 'protobuf', type: type?.fullName ?? null, ...shown },
        [...diagnostics, ...about],
        notes,
      );
    }
    const name = type === undefined ? '' : `, ${type.fullName}`;
    const rows = `${printAnnotations(table, payload, diagnostics, range)}${goOn(table, range)}`;
    return success(`${title}${name}\n\n${rows}${printed(about)}`, notes);
  };
  return withPlan(options, use, { takesOne: TAKES_ONE });
}

const nativeJson = ({ type, read }: NativeReading, bytes: Uint8Array, range: RowRange): object => ({
  ...{ encoding: 'native', type: type.fullName },
  ...rowsJson(read.table, range, (row) => describeNative(read, bytes, row)),
});

const contentJson = ({ field, start, end, compression, bytes, reading }: PackedContent, range: RowRange): object => ({
  ...{ field: field.name, start, end, compression, bytes: bytes.length },
  ...nativeJson(reading, bytes, range),
  diagnostics: reading.read.diagnostics.map((one) => findingJson(one, 0)),
});

/** How to print the rows after the printed ones; nothing if there are none. */
function goOn(table: AnnotationTable, range: RowRange): string {
  const { end } = rowsIn(table, range);
  if (end === table.length) return '';
  // A row without bytes begins at the same offset as the next one, so a printed row may be repeated.
  return `… and ${plural(table.length - end, 'row')} more: --from ${startAt(table, end)}, or --rows ${table.length} for all\n`;
}

const withoutLayout = (ordinal: number, group: MessageGroup): Refusal =>
  new Refusal(
    lacksRequest(group)
      ? `Message ${ordinal} is a native response without its request in the capture: only that names the action, and so the layout`
      : `Message ${ordinal} is native (${group.method ?? 'an unknown action'}), and no loaded schema has a layout for it: a method with (wirecost.native.action) gives one`,
  );

/** The messages that the message holds compressed. */
function printContents({ contents, diagnostics }: PackedContents, range: RowRange): string {
  const texts = contents.map(({ field, start, end, compression, bytes, reading: { type, read } }) => {
    const facts = { field: field.name, packedBytes: end - start, bytes: bytes.length, compression };
    const title = `\nits compressed contents at ${start}, ${contentTitle({ ...facts, type: type.fullName })}, native\n\n`;
    return `${title}${printNative(read, bytes, read.diagnostics, range)}${goOn(read.table, range)}`;
  });
  return `${texts.join('')}${printed(diagnostics)}`;
}

/** The header of the message; nothing if it has no header that a layout explains. */
const printHeader = (header: NativeHeader | undefined): string =>
  header === undefined
    ? ''
    : `\nits header, ${header.reading.type.fullName}, native\n\n${printNative(header.reading.read, header.bytes)}`;
