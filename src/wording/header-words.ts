/** The transport header of native messages, written in the same encoding: both encodings of it, in a sentence. */
import { headerSides, type Profile, totalIn } from '#engine/cost/profile.ts';
import { formatBytes, formatCount, formatSigned, formatSignedPercent, shareOf } from './number-text.ts';

/**
 * `Header +96: thread context and action take 2,654 bytes natively and 2,750 in protobuf. With it protobuf 11,941 bytes,
 * native 11,779: +1.38 %.` null: the messages have no such header.
 */
export function headerWords(profile: Profile): string | null {
  const header = headerSides(profile);
  if (header === null) return null;
  const protobuf = totalIn(profile, profile.pair[0]) + header.protobuf;
  const native = totalIn(profile, profile.pair[1]) + header.native;
  const difference = header.protobuf - header.native;
  return (
    `Header ${formatSigned(difference)}: thread context and action take ${formatBytes(header.native)} natively and ` +
    `${formatCount(header.protobuf)} in protobuf. With it protobuf ${formatBytes(protobuf)}, native ` +
    `${formatCount(native)}: ${formatSignedPercent(shareOf(protobuf - native, native))}.`
  );
}
