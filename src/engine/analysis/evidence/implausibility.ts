/**
 * Figures of bytes that were read as protobuf → whether they are protobuf, and the evidence against it. Any bytes get a
 * profile; bytes without a record are unattributed. If most bytes are unattributed, the reader must see that first.
 */

import { isImplausible, PROTOBUF, type Profile, totalIn } from '../../cost/profile.ts';
import { isReadableText, signatureOf } from '../../frame/framing/other-content.ts';
import { countText, plural } from '../../model/count-text.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { formatPercent } from '../../model/percent-text.ts';
import type { OwnFindings } from '../messages-run.ts';

export interface Implausibility {
  readonly verdict: string;
  /** Sentences. */
  readonly facts: readonly string[];
}

const NOISE_LOOKED_AT = 4096;
/** Fewer bytes may be evenly distributed by chance. */
const MIN_NOISE = 256;
/** Six standard deviations above the mean of chi-squared with 255 degrees of freedom. */
const MAX_CHI_SQUARED = 390;
/** Findings at the end of a valid message that was cut. */
const CUT = /^wire\/(length-past-end|truncated-.*|unended-group)$/;
/** Larger field numbers are rare. */
const LARGE_NUMBER = 1000;

/** @param findings absent: the figures alone are known. @returns null: most bytes belong to a field */
export function implausibilityOf(
  profile: Profile,
  { diagnostics, head }: OwnFindings = { diagnostics: [], head: null },
): Implausibility | null {
  if (!isImplausible(profile)) return null;
  const { messages, unattributed, fields } = profile;
  const total = totalIn(profile, PROTOBUF);
  const errors = diagnostics.filter(({ severity, space }) => severity === 'error' && space === 'message');
  const facts = [
    ...(head === null ? [] : contentFacts(head, profile.type === '' ? errors[0] : undefined)),
    ...(errors.length > 0 && errors.every(isTagAlone) ? [TAG_ALONE] : []),
  ];
  const figures = `${countText(unattributed)} of ${plural(total, 'byte')} (${formatPercent(unattributed / total)}) ${unattributed === 1 ? 'belongs' : 'belong'} to`;
  const isCut = errors.length > 0 && errors.every(({ code }) => CUT.test(code)) && facts.length === 0;
  if (isCut) {
    return {
      verdict: messages === 1 ? 'This message is cut.' : 'Messages are cut.',
      facts: [`${figures} fields that do not end.`, ...stopsAt(errors, messages)],
    };
  }
  const largest = fields.reduce((most, { parent, number }) => (parent === '' ? Math.max(most, number) : most), 0);
  const verdict =
    errors.length === 0
      ? 'Most of the bytes could not be read.'
      : `${messages === 1 ? 'This does' : 'These do'} not look like protobuf.`;
  return {
    verdict,
    facts: [
      `${figures} no field.`,
      ...facts,
      ...stopsAt(errors, messages),
      ...(largest > LARGE_NUMBER ? [`Field numbers reach ${countText(largest)}, which schemas seldom do.`] : []),
    ],
  };
}

/** Bytes of a tag without its end: its field number is large. */
const LONG_TAG = 3;
const TAG_ALONE = `The first tag does not end, and would be of a field number above ${countText(LARGE_NUMBER)}, which schemas seldom have.`;

const isTagAlone = ({ code, start, end }: Diagnostic): boolean =>
  code === 'wire/truncated-tag' && start === 0 && end >= LONG_TAG;

/**
 * @param head first bytes of a message @param cut the first error in it; absent: a type shows what it is, and may have
 * random bytes in a field
 */
function contentFacts(head: Uint8Array, cut: Diagnostic | undefined): readonly string[] {
  const known = signatureOf(head);
  return [
    ...(known ? [`It begins as ${known.what} does.`] : []),
    ...(isReadableText(head) ? ['It is text from its first byte on.'] : []),
    ...(cut?.code === 'wire/length-past-end' && isNoise(head.subarray(cut.end))
      ? ['The bytes of the field that does not end are as evenly distributed as random data.']
      : []),
  ];
}

/** Whether each value of a byte is about as frequent as any other, unlike in text, numbers and messages. */
function isNoise(bytes: Uint8Array): boolean {
  const some = bytes.subarray(0, NOISE_LOOKED_AT);
  if (some.length < MIN_NOISE) return false;
  const counts = new Uint32Array(256);
  for (const byte of some) counts[byte]!++;
  const expected = some.length / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0) < MAX_CHI_SQUARED;
}

function stopsAt(errors: readonly Diagnostic[], messages: number): readonly string[] {
  const [error] = errors;
  if (error === undefined) return [];
  const where = messages === 1 || error.ordinal === undefined ? '' : ` of message ${countText(error.ordinal)}`;
  return [`Reading stops at byte ${countText(error.start)}${where}. ${error.message}`];
}
