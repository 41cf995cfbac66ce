/** `annotate`: one message of an input → its rows, each with its bytes, its field and its value. */

import { classifyType } from '#engine/analysis/classify-type.ts';
import { isNative, type NativeHeader, NativeLayouts } from '#engine/analysis/native-reading.ts';
import { planOf } from '#engine/analysis/plan-reading.ts';
import { readInput } from '#engine/analysis/read-input.ts';
import type { Message } from '#engine/frame/message.ts';
import { printNative } from '#engine/native/print.ts';
import type { MessageDescriptor } from '#engine/schema/descriptor.ts';
import { annotate } from '#engine/wire/annotate.ts';
import { inferDescriptor } from '#engine/wire/infer-descriptor.ts';
import { printAnnotations } from '#engine/wire/print.ts';
import { BadArguments, CAPTURE_USAGE, parseOptions } from './arguments.ts';
import { captureOptions } from './capture-options.ts';
import { withSource } from './file-source.ts';
import { CHOICES_USAGE, checkChoice } from './input-choice.ts';
import { printInput } from './input-text.ts';
import { whyNoMessage } from './no-message.ts';
import { type Outcome, Refusal, success } from './outcome.ts';
import { printDiagnostic } from './report-text.ts';
import { findType, printPlan, readCaptureSchema, readSchema, typeSources } from './schema.ts';
import { plural } from './text-table.ts';

export const ANNOTATE_USAGE = `usage: wirecost annotate INPUT [options]

INPUT is a file, or - for the standard input.

  -s, --schema PATH     a .proto file, a folder of them, or a descriptor set; may be repeated
  -t, --type NAME       the message type; without it, the one that the message shows to be its own
      --by-number       by field numbers, even if a type fits
      --message N       which message of the input, from 0; the first one, if not given
${CHOICES_USAGE}
${CAPTURE_USAGE}
`;

export async function annotateCommand(args: readonly string[]): Promise<Outcome> {
  const options = parseOptions(args, [
    'schema',
    'type',
    'by-number',
    'message',
    'limit',
    'keys',
    'framing',
    'text-encoding',
  ]);
  const [input, more] = options.inputs;
  if (input === undefined || more !== undefined) throw new BadArguments('annotate takes one INPUT');
  if (options.type !== undefined && options.schema.length === 0) throw new BadArguments('--type needs a --schema');
  const wanted = options.message ?? 0;
  const choice = checkChoice(options);
  const schema = options.schema.length === 0 ? undefined : await readSchema(options.schema);

  const found: { message: Message; payload: Uint8Array }[] = [];
  const capture = await captureOptions(options);
  const facts = await withSource(input, (source) =>
    readInput(
      source,
      choice,
      (message, bytes) => {
        if (message.ordinal === wanted) found.push({ message, payload: bytes.slice() });
      },
      capture,
    ),
  );
  const [chosen] = found;
  if (chosen === undefined) {
    const why =
      whyNoMessage(facts) ?? `There is no message ${wanted}: ${input} holds ${plural(facts.messages, 'message')}`;
    throw new Refusal(why);
  }
  const { payload } = chosen;
  const ofInput = facts.diagnostics.map((diagnostic) => `${printDiagnostic(diagnostic)}\n`).join('');
  if (isNative(chosen.message) && options.type === undefined) {
    const bundled = schema ?? (await readCaptureSchema([]));
    const layouts = new NativeLayouts(bundled.registry);
    const reading = layouts.read(chosen.message, payload);
    if (reading !== undefined) {
      const title = `${printInput(facts)}message ${wanted}, ${reading.type.fullName}, native`;
      const body = `${title}\n\n${printNative(reading.read, payload)}`;
      return success(`${body}${printHeader(layouts.headerOf(chosen.message))}${ofInput}`, bundled.notes);
    }
    const what = chosen.message.method ?? 'an action that is not known';
    throw new Refusal(
      `Message ${wanted} is native (${what}), and no loaded schema has a layout for it: a method with (wirecost.native.action) gives one`,
    );
  }
  let type: MessageDescriptor | undefined;
  const notes = [...(schema?.notes ?? [])];
  if (schema !== undefined && options.type !== undefined) type = findType(schema, options.type);
  else if (!options.byNumber) {
    const classification = classifyType(await typeSources(schema), [payload]);
    type = classification.type;
    notes.push(...printPlan(planOf(classification), `message ${wanted}`));
  }
  // Without a type the nested messages are guessed; their rows show it.
  const { table, diagnostics } = annotate(payload, type ?? inferDescriptor([payload]), { ordinal: wanted });
  const title = [`${printInput(facts)}message ${wanted}`, ...(type === undefined ? [] : [type.fullName])].join(', ');
  return success(`${title}\n\n${printAnnotations(table, payload, diagnostics)}${ofInput}`, notes);
}

/** The header that the message came with; nothing where it has none that a layout explains. */
const printHeader = (header: NativeHeader | undefined): string =>
  header === undefined
    ? ''
    : `\nits header, ${header.reading.type.fullName}, native\n\n${printNative(header.reading.read, header.bytes)}`;
