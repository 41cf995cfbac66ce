/**
 * Figures of bytes that were read as protobuf → whether they are protobuf, and the evidence against it. Any bytes get a
 * profile; bytes without a record are unattributed. If most bytes are unattributed, the reader must see that first.
 */

import { isImplausible, PROTOBUF, type Profile, totalIn } from '../cost/profile.ts';
import { isReadableText, signatureOf } from '../frame/framing/other-content.ts';
import { countText } from '../model/count-text.ts';
import type { Diagnostic } from '../model/diagnostic.ts';

export interface Implausibility {
  readonly verdict: string;
  /** Sentences. */
  readonly facts: readonly string[];
}

/** Findings at the end of a valid message that was cut. */
const CUT = /^wire\/(length-past-end|truncated-.*|unended-group)$/;
const TEXT_LOOKED_AT = 1 << 16;
/** Larger field numbers are rare. */
const LARGE_NUMBER = 1000;

/** @param first the bytes of one of the messages, if they are in memory. @returns null: most bytes belong to a field */
export function implausibilityOf(
  profile: Profile,
  diagnostics: readonly Diagnostic[],
  first?: Uint8Array,
): Implausibility | null {
  if (!isImplausible(profile)) return null;
  const { messages, unattributed, fields } = profile;
  const total = totalIn(profile, PROTOBUF);
  const errors = diagnostics.filter(({ severity, space }) => severity === 'error' && space === 'message');
  const known = first && signatureOf(first);
  const isTextual = first !== undefined && isReadableText(first.subarray(0, TEXT_LOOKED_AT));
  const figures = `${countText(unattributed)} of ${countText(total)} ${total === 1 ? 'byte' : 'bytes'} (${printShare(unattributed / total)}) ${unattributed === 1 ? 'belongs' : 'belong'} to`;
  const isCut = errors.length > 0 && errors.every(({ code }) => CUT.test(code)) && !known && !isTextual;
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
      ...(known ? [`It begins as ${known.what} does.`] : []),
      ...(isTextual ? ['It is text from its first byte on.'] : []),
      ...stopsAt(errors, messages),
      ...(largest > LARGE_NUMBER ? [`Field numbers reach ${countText(largest)}, which schemas seldom do.`] : []),
    ],
  };
}

/** Rounds down, so that 100 % means every byte. */
const printShare = (share: number): string => `${(Math.floor(share * 1000) / 10).toFixed(share === 1 ? 0 : 1)}\u00a0%`;

function stopsAt(errors: readonly Diagnostic[], messages: number): readonly string[] {
  const [error] = errors;
  if (error === undefined) return [];
  const where = messages === 1 || error.ordinal === undefined ? '' : ` of message ${countText(error.ordinal)}`;
  return [`Reading stops at byte ${countText(error.start)}${where}. ${error.message}`];
}
