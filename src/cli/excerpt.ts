/** What was measured → bytes of one of its messages in both encodings, around a field: the page's two hex views. */

import { readInput } from '#engine/analysis/read-input.ts';
import { AbortError } from '#engine/bytes/source.ts';
import type { Profile } from '#engine/cost/profile.ts';
import type { Message, MessageSink } from '#engine/frame/message.ts';
import type { Excerpt } from '#engine/inspect/excerpt.ts';
import { type Inspected, inspect, inspectNative } from '#engine/inspect/inspect.ts';
import { firstRow } from '#engine/inspect/row-address.ts';
import { deriveLayouts } from '#engine/native/derive.ts';
import { LAID_OUT } from '#engine/native/profiles.ts';
import { toWire } from '#engine/native/to-wire.ts';
import { excerptOf } from '#figures/excerpt-of.ts';
import type { Measured } from './analyze-command.ts';
import type { Options } from './arguments.ts';
import { withSource } from './file-source.ts';
import { checkChoice } from './input-choice.ts';
import { Refusal } from './outcome.ts';

/** Of the message that --message names, else of the first one of the profile's type. @throws Refusal */
export async function readExcerpt(
  measured: Measured,
  { type }: Profile,
  path: string | null,
  options: Options,
): Promise<Excerpt> {
  const { message: asked } = options;
  for (const input of options.inputs) {
    const found = await findMessage(input, options, ({ ordinal, ...message }, payload) => {
      if (asked !== undefined && ordinal !== asked) return undefined;
      const inspected = inspectAs(measured, { ordinal, ...message }, payload);
      return inspected?.type === type ? { ordinal, inspected: inspected.both } : undefined;
    });
    if (found === undefined) continue;
    const { inspected, ordinal } = found;
    return excerptOf(inspected, path === null ? null : firstRow(inspected, path), ordinal);
  }
  throw new Refusal(`There is no message${asked === undefined ? '' : ` ${asked}`} of type ${type || 'by number'}`);
}

/** The first thing that `look` finds; reading stops there. */
async function findMessage<T>(
  input: string,
  options: Options,
  look: (message: Message, payload: Uint8Array) => T | undefined,
): Promise<T | undefined> {
  const enough = { aborted: false };
  let found: T | undefined;
  const sink: MessageSink = (message, payload) => {
    if (enough.aborted) return;
    found = look(message, payload.slice());
    enough.aborted = found !== undefined;
  };
  await withSource(input, (source) =>
    readInput(source, checkChoice(options), sink, { limit: options.limit, signal: enough }),
  ).catch((error: unknown) => {
    if (!(error instanceof AbortError)) throw error;
  });
  return found;
}

/** Both sides, as the page has them; undefined where the message was left out of what was measured. */
function inspectAs(
  { request, nativeProfile }: Measured,
  message: Message,
  payload: Uint8Array,
): { readonly type: string; readonly both: Inspected } | undefined {
  const layoutOf = deriveLayouts(nativeProfile);
  const assigned = request.assigns?.(message) ?? request.type ?? 'by number';
  if (assigned === 'left out') return undefined;
  if (assigned === 'by number') return { type: '', both: inspect(payload, { type: undefined, layoutOf }) };
  if (assigned !== 'native') return { type: assigned.fullName, both: inspect(payload, { type: assigned, layoutOf }) };
  const reading = request.native?.read(message, payload);
  if (reading === undefined) return undefined;
  const { type, read } = reading;
  return {
    type: type.fullName,
    both:
      nativeProfile === LAID_OUT
        ? inspectNative(payload, reading)
        : inspect(toWire(payload, read).bytes.slice(), { type, layoutOf }),
  };
}
