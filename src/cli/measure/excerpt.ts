/** A measured message → its bytes in both encodings, around a field: the page's two hex views. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TypeSource } from '#engine/analysis/evidence/classify-type.ts';
import { type InspectedMessage, inspectMessage } from '#engine/analysis/inspect-message.ts';
import { readingOfMessage } from '#engine/analysis/message-reading.ts';
import { openInput } from '#engine/analysis/read-input.ts';
import { storeMessages } from '#engine/analysis/store/message-store.ts';
import type { Source } from '#engine/bytes/source.ts';
import type { Profile } from '#engine/cost/profile.ts';
import type { Excerpt } from '#engine/inspect/excerpt.ts';
import { firstRow } from '#engine/inspect/row-address.ts';
import { isGuessed } from '#engine/wire/guessed.ts';
import { excerptOf } from '#figures/excerpt-of.ts';
import { withSource } from '../inputs/file-source.ts';
import type { Options } from '../options/arguments.ts';
import { captureOptions } from '../options/capture-options.ts';
import { checkChoice } from '../options/input-choice.ts';
import { Refusal } from '../output/outcome.ts';
import { progressOf } from '../output/progress.ts';
import type { Measured } from './measure.ts';

/** The excerpt of the message that --message names, else of the first message of the profile's type. @throws Refusal */
export async function readExcerpt(
  measured: Measured,
  { type }: Profile,
  path: string | null,
  options: Options,
): Promise<Excerpt> {
  const { message: asked } = options;
  for (const input of measured.paths.inputs) {
    const inspected = await withSource(input, (source) => findMessage(source, measured, type, options));
    if (inspected === undefined) continue;
    return excerptOf(inspected, path === null ? null : firstRow(inspected, path), inspected.ordinal);
  }
  throw new Refusal(`There is no message${asked === undefined ? '' : ` ${asked}`} of type ${type || 'by number'}`);
}

/** Both sides, as in the page; undefined: the input has no such message. */
async function findMessage(
  source: Source,
  { request, nativeProfile, isNativeChosen, isAsked, paths }: Measured,
  type: string,
  options: Options,
): Promise<InspectedMessage | undefined> {
  const { message: asked } = options;
  const choice = checkChoice(options);
  const ordinals: number[] = [];
  const { store } = await storeMessages(await openInput(source, choice, {}, () => typesOf(request)), choice, {
    ...(await captureOptions({ ...options, ...paths })),
    nextTurn,
    onProgress: progressOf(`Reading ${source.name}`),
    onMessage: (message, ordinal) => {
      if (isAsked(message) && (asked === undefined || ordinal === asked)) ordinals.push(ordinal);
    },
  });
  for (const ordinal of ordinals) {
    const reading = await readingOfMessage(store, request, ordinal);
    if (reading !== 'native' && (reading === undefined || isGuessed(reading) ? '' : reading.fullName) !== type)
      continue;
    const inspected = await inspectMessage(store, ordinal, { ...request, nativeProfile, isNativeChosen });
    if (inspected.type === type) return inspected;
  }
  return undefined;
}

/** The type that the messages are read as. */
const typesOf = ({ library, type }: Measured['request']): readonly TypeSource[] =>
  library.registries.map((registry) => ({ registry, isOffered: (one) => one === type }));
