/** The sample of a group, and the type that an address, a header or a method names → its plan. */
import type { PayloadFormat } from '../../model/payload-format.ts';
import type { MessageDescriptor } from '../../schema/descriptor.ts';
import { classifyText, FORMS } from '../evidence/classify-text.ts';
import { MIN_SHARE, type TypeClassifier, type TypeSource } from '../evidence/classify-type.ts';
import { TextFit } from '../evidence/text-fit.ts';
import { TypeReading } from '../evidence/type-reading.ts';
import type { SpreadSample } from '../measure/spread-sample.ts';
import type { MessageGroup } from '../store/message-groups.ts';
import { planOf, type ReadingPlan } from './plan-reading.ts';

export interface Planned extends Pick<MessageGroup, 'format' | 'typeHint' | 'method'> {
  /** The type that an address, a header (`typeHint`) or a method names. */
  readonly named: MessageDescriptor | undefined;
}

/** @returns null: the messages do not contradict the named type */
export function planGroup(
  classifier: TypeClassifier,
  { named, format, typeHint, method }: Planned,
  sources: readonly TypeSource[],
): ReadingPlan | null {
  const { sample } = classifier;
  // A method names its type for certain, but the loaded schema may be of another version.
  const isCertain = typeHint === null;
  const planFor = (kept: SpreadSample['kept']): ReadingPlan =>
    format === undefined ? planOf(classifier.classify(true, kept)) : classifyText(sources, { kept }, format);
  const plan = (): ReadingPlan => {
    const found = planFor(sample.kept);
    if (method !== null || found.type === null) return found;
    // Messages without a method may be of several types, so that each has to be evidence enough.
    const some = format === undefined ? shortest(classifier.typeNamed(found.type)!, sample.kept) : sample.kept;
    const isEach = some.every((one) => one.bytes.length === 0 || planFor([one]).type === found.type);
    return isEach ? found : { ...found, type: null, why: 'unproven', twins: [] };
  };
  if (named === undefined) return plan();
  const isContradicted =
    format === undefined ? isOther(named, sample, isCertain) : isOtherText(named, sample, format, isCertain);
  return isContradicted ? { ...plan(), contradicted: named.fullName } : null;
}

/**
 * The shortest message of those that are read alike: it is the least evidence. Each that the type does not fit stays.
 */
function shortest(type: MessageDescriptor, kept: SpreadSample['kept']): SpreadSample['kept'] {
  const found = new Map<string | number, SpreadSample['kept'][number]>();
  for (const one of kept) {
    const reading = new TypeReading(type);
    reading.add(one.bytes, one.isCut);
    const isFit = reading.share === 1 && reading.weigh().contradictions === 0;
    const key = isFit ? reading.signature() : found.size;
    const known = found.get(key);
    if (known === undefined || one.bytes.length < known.bytes.length) found.set(key, one);
  }
  return [...found.values()];
}

/**
 * Most of the bytes have no field of the type: what they have does not fit, or they have no field of it at all. If the
 * name is certain, both must hold.
 */
function isOther(type: MessageDescriptor, { kept }: SpreadSample, isCertain: boolean): boolean {
  const reading = new TypeReading(type);
  for (const { bytes, isCut } of kept) reading.add(bytes, isCut);
  const { share } = reading;
  if (share >= MIN_SHARE || kept.every(({ bytes }) => bytes.length === 0)) return false;
  const contradicts = reading.weigh().contradictions > 0;
  return isCertain ? share === 0 && contradicts : share === 0 || contradicts;
}

/** The type has none of the names. If its name is certain, a value contradicts it, too. */
function isOtherText(
  type: MessageDescriptor,
  { kept }: SpreadSample,
  format: PayloadFormat,
  isCertain: boolean,
): boolean {
  const form = FORMS[format];
  const reading = new TextFit(form);
  for (const { bytes } of kept) {
    const tree = form.tree(bytes);
    if (tree?.kind === 'object') reading.members(tree, type, '');
  }
  return reading.fits === 0 && (isCertain ? 0 : reading.unknown.size) + reading.misfits.size > 0;
}
