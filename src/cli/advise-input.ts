/** INPUT… and a schema → the messages of one type, as `advise` and `compare` measure them. */

import type { Unit } from '#engine/advise/payload.ts';
import { assignTypes } from '#engine/analysis/assign-type.ts';
import { classifyType } from '#engine/analysis/classify-type.ts';
import { planOf } from '#engine/analysis/plan-reading.ts';
import { openInput, readOpened } from '#engine/analysis/read-input.ts';
import type { InputChoice } from '#engine/frame/payload.ts';
import type { MessageDescriptor } from '#engine/schema/descriptor.ts';
import type { Options } from './arguments.ts';
import { captureOptions } from './capture-options.ts';
import { withSource } from './file-source.ts';
import { checkChoice } from './input-choice.ts';
import { Refusal } from './outcome.ts';
import { findType, printPlan, type Schema } from './schema.ts';
import { plural } from './text-table.ts';

export interface TypedMessages {
  readonly type: MessageDescriptor;
  readonly units: readonly Unit[];
  /** How the messages of captures were compressed, most frequent first. */
  readonly codecs: readonly string[];
  readonly notes: readonly string[];
}

/** Messages that choosing a type looks at. */
const SAMPLE_MESSAGES = 50;

/** Of several types in captures, the one with the most bytes. @throws Refusal */
export async function readTyped(inputs: readonly string[], schema: Schema, options: Options): Promise<TypedMessages> {
  const choice = checkChoice(options);
  const asked = options.type === undefined ? undefined : findType(schema, options.type);
  const capture = await captureOptions(options);
  const payloads: Unit[] = [];
  const captured = new Map<MessageDescriptor, Unit[]>();
  const codecs = new Map<string, number>();
  const assign = assignTypes(schema.registry, { method: options.method, direction: options.direction, type: asked });
  for (const input of inputs) {
    await withSource(input, async (source) => {
      const opened = await openInput(source, choice);
      if (opened.kind === 'payloads') {
        payloads.push(await readUnit(opened, choice));
        return;
      }
      await readOpened(
        opened,
        choice,
        (message, payload) => {
          const type = assign(message);
          if (typeof type === 'string') return;
          const units = captured.get(type) ?? [];
          captured.set(type, units);
          units.push({ isDelimited: false, messages: [payload.slice()] });
          const { compression } = message.body;
          if (compression !== null) codecs.set(compression, (codecs.get(compression) ?? 0) + 1);
        },
        capture,
      );
    });
  }
  const notes: string[] = [];
  let type = asked;
  if (payloads.length > 0 && type === undefined) {
    // Only a type of the schema that is to be changed.
    const messages = payloads.flatMap((unit) => unit.messages).slice(0, SAMPLE_MESSAGES);
    const { registry, faultsOf } = schema;
    const classification = classifyType([{ registry, isOffered: (one) => faultsOf(one).length === 0 }], messages);
    notes.push(...printPlan(planOf(classification), plural(messages.length, 'message')));
    if (classification.type === undefined) throw new Refusal('Choose the type of the messages with --type', notes);
    type = findType(schema, classification.type.fullName);
  }
  const bytesOf = (units: readonly Unit[]): number =>
    units.reduce((sum, { messages }) => sum + messages.reduce((bytes, { length }) => bytes + length, 0), 0);
  type ??= [...captured].sort(([, a], [, b]) => bytesOf(b) - bytesOf(a))[0]?.[0];
  if (type === undefined)
    throw new Refusal('No message of a type that the schema knows; "wirecost messages" lists them');
  const units = [...payloads, ...(captured.get(type) ?? [])];
  if (units.length === 0) throw new Refusal(`No message of type ${type.fullName}`);
  return { type, units, codecs: [...codecs].sort(([, a], [, b]) => b - a).map(([codec]) => codec), notes };
}

/** The messages of a file are compressed as one. */
async function readUnit(opened: Awaited<ReturnType<typeof openInput>>, choice: InputChoice): Promise<Unit> {
  const messages: Uint8Array[] = [];
  const read = await readOpened(opened, choice, (_, payload) => messages.push(payload.slice()));
  return { isDelimited: read.kind === 'payloads' && read.framing.id === 'varint', messages };
}
