/** INPUT… and a schema → the messages of one type, as `advise` and `compare` measure them. */
import type { Unit } from '#engine/advise/payload.ts';
import { type CollectedInput, collectUnits } from '#engine/analysis/measure/collect-units.ts';
import { messagesOfType } from '#engine/analysis/measure/sample-messages.ts';
import type { CapturedWith } from '#engine/compression/captured-with.ts';
import type { MessageDescriptor } from '#engine/schema/descriptor.ts';
import { computedNote } from '#wording/advice-notes.ts';
import type { Options } from '../options/arguments.ts';
import { Noted, Refusal } from '../output/outcome.ts';
import { plural, printCount } from '../output/text-table.ts';
import { whyNoMessage } from './no-message.ts';
import { noteGroups, type Planned, withPlan } from './plan-inputs.ts';
import { findType, type SchemaFiles, touchedNotes } from './schema.ts';

/** The values of each message take memory of their own, beside its bytes. */
const LIMIT = { bytes: Number.POSITIVE_INFINITY, messages: 100_000 };

export interface TypedInputs {
  readonly type: MessageDescriptor;
  /** The one that has the type: the given one, or that of the descriptors in a capture. */
  readonly schema: SchemaFiles;
  readonly units: readonly Unit[];
  /** The number of messages that were captured in another encoding than protobuf. */
  readonly computed: number;
  /** How the messages were compressed as captured. */
  readonly capturedWith: CapturedWith;
}

/** Among several types in captures, the type with the most bytes is chosen. @throws Refusal */
export function readTyped(
  inputs: readonly string[],
  schema: SchemaFiles,
  options: Options,
): Promise<Noted<TypedInputs>> {
  // Only a type of the schema that is to be changed.
  return withPlan({ ...options, inputs }, (planned) => collectTyped(planned, planned.schema ?? schema, options.type), {
    schema,
  });
}

async function collectTyped(
  planned: Planned,
  schema: SchemaFiles,
  asked: string | undefined,
): Promise<Noted<TypedInputs>> {
  noteGroups(planned);
  const { selected, request, inputs } = planned;
  const notes = planned.notes.slice(schema.notes.length);
  const without = inputs.flatMap((input) => whyNoMessage(input) ?? []);
  if (without.length === inputs.length) throw new Refusal(without.join('\n'), notes);
  const type = asked === undefined ? mostBytes(planned) : findType(schema, asked).fullName;
  if (type === null) {
    throw planned.isCapture
      ? new Refusal('No message of a type that the schema knows; "wirecost messages" lists them', notes)
      : new Refusal('Choose the type of the messages with --type', notes);
  }
  const typed: CollectedInput[] = [];
  for (const one of selected) {
    const found = await messagesOfType(one, type, request);
    if (found !== null) typed.push({ store: one.store, ...found });
  }
  const { units, messages, outOf, computed, capturedWith } = await collectUnits(typed, request.library, LIMIT);
  if (units.length === 0) throw new Refusal(`No message of type ${type}`);
  if (messages < outOf) notes.push(`wirecost: ${printCount(messages)} of ${plural(outOf, 'message')} are measured`);
  if (computed > 0) notes.push(`wirecost: ${computedNote(computed, messages)}`);
  const found = findType(schema, type);
  notes.push(...touchedNotes(found, schema));
  return new Noted({ type: found, schema, units, computed, capturedWith }, notes);
}

/** Full name of the type whose messages have the most bytes; null: no type is known. */
function mostBytes({ isCapture, request, plan, selected }: Planned): string | null {
  if (!isCapture) return request.type?.fullName ?? null;
  const bytes = new Map<string, number>();
  for (const { store, ordinals } of selected) {
    const { messages } = store;
    for (const ordinal of ordinals) {
      const type = plan.groups[messages.groups.at(messages.groupAt(ordinal)).key]?.type ?? null;
      if (type !== null) bytes.set(type, (bytes.get(type) ?? 0) + messages.sizeAt(ordinal));
    }
  }
  return [...bytes].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}
