/** The sample of a group, and the type that an address or a header names → its plan. */
import type { PayloadFormat } from '../model/payload-format.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { classifyText, FORMS } from './classify-text.ts';
import { MIN_SHARE, type TypeClassifier, type TypeSource } from './classify-type.ts';
import { planOf, type ReadingPlan } from './plan-reading.ts';
import type { SpreadSample } from './spread-sample.ts';
import { TextFit } from './text-fit.ts';
import { TypeReading } from './type-reading.ts';

/** @param format absent: protobuf @returns null: the messages do not contradict the named type */
export function planGroup(
  classifier: TypeClassifier,
  named: MessageDescriptor | undefined,
  format: PayloadFormat | undefined,
  sources: readonly TypeSource[],
): ReadingPlan | null {
  const { sample } = classifier;
  if (format === undefined)
    return named === undefined || isOther(named, sample) ? planOf(classifier.classify(true)) : null;
  return named === undefined || isOtherText(named, sample, format) ? classifyText(sources, sample, format) : null;
}

/** Most of the bytes have no field of the type: what they have does not fit, or they have no field of it at all. */
function isOther(type: MessageDescriptor, { kept }: SpreadSample): boolean {
  const reading = new TypeReading(type);
  for (const { bytes, isCut } of kept) reading.add(bytes, isCut);
  const { share } = reading;
  const isEmpty = kept.every(({ bytes }) => bytes.length === 0);
  return !isEmpty && share < MIN_SHARE && (share === 0 || reading.weigh().contradictions > 0);
}

/** The type has none of the names. */
function isOtherText(type: MessageDescriptor, { kept }: SpreadSample, format: PayloadFormat): boolean {
  const form = FORMS[format];
  const reading = new TextFit(form);
  for (const { bytes } of kept) {
    const tree = form.tree(bytes);
    if (tree?.kind === 'object') reading.members(tree, type, '');
  }
  return reading.fits === 0 && reading.unknown.size + reading.misfits.size > 0;
}
