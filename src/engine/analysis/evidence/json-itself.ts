/**
 * JSON with base64 in it is an envelope of messages, or it is itself a message that has `bytes`. A type that the user
 * loaded decides: if the JSON is evidence of one, it is the message.
 */
import type { ReadControl, Source } from '../../bytes/source.ts';
import { type DecodedInput, decodeText, type InputChoice, readFramed } from '../../frame/payload.ts';
import { NO_STEP } from '../../frame/unwrap/wrapper-labels.ts';
import { needed } from '../../model/needed-file.ts';
import type { TypeSource } from './classify-type.ts';
import { TextSamples } from './text-samples.ts';

/** @returns the envelope, or the JSON */
export async function envelopeOrJson(
  source: Source,
  choice: InputChoice,
  envelope: DecodedInput,
  types: readonly TypeSource[],
  control: ReadControl,
): Promise<DecodedInput> {
  const chosen = choice.steps?.length ?? 0;
  const at = envelope.steps.findIndex(({ id }, index) => id === 'json' && index >= chosen);
  // The other files of an archive may be wrapped in another way.
  if (envelope.steps.slice(0, at).some(({ files, member }) => files !== null && member === null)) return envelope;
  const before = envelope.steps.slice(0, at).map(({ id, member }) => (member === null ? id : `${id}:${member}`));
  const json = await decodeText(source, { ...choice, steps: [...before, NO_STEP] }, control);
  const sample = new TextSamples().of('json');
  await readFramed(json.source, choice, ({ format }, text) => format === 'json' && sample.add(text), control, json);
  const { classifyText } = await needed(() => import('./classify-text.ts'));
  return sample.seen > 0 && classifyText(types, sample, 'json').type !== null ? json : envelope;
}
