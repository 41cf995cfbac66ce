/** Charts in words: the rules that they draw, and text alternatives for screen readers. */
import { plural } from '#engine/model/count-text.ts';
import { rounded } from '#engine/model/percent-text.ts';
import { formatBytes, formatCount, formatMean, formatPercent } from './number-text.ts';

/** Costs of both sides at one share of presence, in bytes a parent. */
interface CostAtPresence {
  readonly presence: number;
  readonly protobuf: number;
  readonly native: number;
}

/** `Here, at 40 %, a parent message costs 3.2 in protobuf and 4 in native: protobuf saves 0.8.` */
export function breakEvenHere({ presence, protobuf, native }: CostAtPresence): string {
  const difference = rounded(protobuf - native, 2);
  const verdict =
    difference === 0
      ? 'no difference'
      : `protobuf ${difference > 0 ? `costs ${formatMean(difference)} more` : `saves ${formatMean(-difference)}`}`;
  return `Here, at ${formatPercent(presence)}, a parent message costs ${formatMean(protobuf)} in protobuf and ${formatMean(native)} in native: ${verdict}.`;
}

/**
 * Where each side is the smaller one.
 *
 * @param atZero protobuf minus native where the field is always absent. @param atOne the same where it is always present
 * @param crossing the presence at which both cost the same; null: none
 */
export function breakEvenRule(atZero: number, atOne: number, crossing: number | null): string {
  if (atZero === 0 && atOne === 0) return 'Both cost the same at any presence.';
  if (crossing === null) return `${atZero + atOne < 0 ? 'Protobuf' : 'Native'} is smaller at any presence.`;
  if (crossing === 1)
    return `Both cost the same when always present; ${atZero < 0 ? 'protobuf' : 'native'} is smaller if the field is sometimes absent.`;
  if (crossing === 0)
    return `Both cost the same when always absent; ${atOne < 0 ? 'protobuf' : 'native'} is smaller if the field is sometimes present.`;
  const [below, above] = atZero < 0 ? ['Protobuf', 'native'] : ['Native', 'protobuf'];
  return `${below} is smaller below ${formatPercent(crossing)} presence, ${above} above.`;
}

/** A name as it stands inside a sentence: `native`, but `JSON`. */
export const inSentence = (label: string): string => (/^[A-Z][a-z]+$/.test(label) ? label.toLowerCase() : label);

export const waterfallTitle = (from: string, to: string, by: string): string =>
  `From ${inSentence(from)} to ${inSentence(to)}, by ${by}`;

/** The row of the causes that have none of their own. */
export const smallerCauses = (count: number): string => `${formatCount(count)} smaller causes`;

interface Amount {
  readonly label: string;
  /** As it is printed. */
  readonly bytes: string;
}

export const waterfallContents = (from: Amount, steps: readonly Amount[], to: Amount): string =>
  `${from.label} ${from.bytes} bytes; ${steps.map(({ label, bytes }) => `${label} ${bytes}`).join('; ') || 'no difference'}; ${inSentence(to.label)} ${to.bytes} bytes.`;

export const varintWidths = (count: number, bytes: number, bars: readonly { size: number; count: number }[]): string =>
  `${plural(count, 'varint')} in ${formatBytes(bytes)}, ${formatMean(count === 0 ? 0 : bytes / count)} ${bytes === count ? 'byte' : 'bytes'} each. ${bars
    .map((bar) => `${formatBytes(bar.size)}: ${formatCount(bar.count)}`)
    .join('; ')}.`;

export const icicleContents = (name: string, bytes: number, largest: readonly string[]): string =>
  `${name} ${formatCount(bytes)} bytes; ${largest.join('; ')}.`;

export const CHART_TITLES = {
  presence: 'Bytes per parent, by presence',
  icicle: 'Bytes by field path, as an icicle',
} as const;

/** Title of the picture of one side before and after compression. */
export const AFTER_COMPRESSION = 'Bytes by field, before and after compression';

/** Which of a row's two bars is which. */
export const barsWords = (above: string, below: string): string => `Bars: ${above} above, ${below} below.`;
