/** `annotate`: one message of an input → its rows, each with its bytes, its field and its value. */

import { readInput } from '#engine/read-input.ts';
import type { MessageDescriptor } from '#engine/schema/descriptor.ts';
import { annotate } from '#engine/wire/annotate.ts';
import { inferDescriptor } from '#engine/wire/infer-descriptor.ts';
import { printAnnotations } from '#engine/wire/print.ts';
import { BadArguments, parseOptions } from './arguments.ts';
import { withSource } from './file-source.ts';
import { CHOICES_USAGE, checkChoice } from './input-choice.ts';
import { printInput } from './input-text.ts';
import { type Outcome, Refusal, success } from './outcome.ts';
import { printDiagnostic } from './report-text.ts';
import { chooseType, findType, readSchema } from './schema.ts';
import { plural } from './text-table.ts';

export const ANNOTATE_USAGE = `usage: wirecost annotate INPUT [options]

INPUT is a file, or - for the standard input.

  -s, --schema PATH     a .proto file, a folder of them, or a descriptor set; may be repeated
  -t, --type NAME       the message type; without it, the type that explains the message best
      --message N       which message of the input, from 0; the first one, if not given
${CHOICES_USAGE}
`;

export async function annotateCommand(args: readonly string[]): Promise<Outcome> {
  const options = parseOptions(args, ['schema', 'type', 'message', 'framing', 'dress']);
  const [input, more] = options.inputs;
  if (input === undefined || more !== undefined) throw new BadArguments('annotate takes one INPUT');
  if (options.type !== undefined && options.schema.length === 0) throw new BadArguments('--type needs a --schema');
  const choice = checkChoice(options);
  const schema = options.schema.length === 0 ? undefined : await readSchema(options.schema);

  let payload: Uint8Array | undefined;
  const facts = await withSource(input, (source) =>
    readInput(source, choice, ({ ordinal }, bytes) => {
      if (ordinal === options.message) payload = bytes.slice();
    }),
  );
  if (payload === undefined) {
    throw new Refusal(`There is no message ${options.message}: ${input} holds ${plural(facts.messages, 'message')}`);
  }
  let type: MessageDescriptor | undefined;
  const notes = [...(schema?.notes ?? [])];
  if (schema !== undefined && options.type !== undefined) type = findType(schema, options.type);
  else if (schema !== undefined) {
    const chosen = chooseType(schema, [payload]);
    type = chosen.type;
    notes.push(chosen.note);
  }
  // Without a schema the nested messages are guessed; their rows say so.
  const { table, diagnostics } = annotate(payload, type ?? inferDescriptor([payload]), { ordinal: options.message });
  const title = [`${printInput(facts)}message ${options.message}`, ...(type === undefined ? [] : [type.fullName])].join(
    ', ',
  );
  const ofInput = facts.diagnostics.map((diagnostic) => `${printDiagnostic(diagnostic)}\n`).join('');
  return success(`${title}\n\n${printAnnotations(table, payload, diagnostics)}${ofInput}`, notes);
}
