/** Sentences about messages that a message holds compressed. */
import type { Profile } from '#engine/cost/profile.ts';
import { formatBytes, formatCount, formatSignedPercent, shareOf } from './number-text.ts';

/** `state: 1,204 bytes unpack to 9,310 (DEFLATE), org.opensearch.stream.PublishedState` */
export const contentTitle = ({
  field,
  packedBytes,
  bytes,
  compression,
  type,
}: {
  readonly field: string;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly compression: string;
  readonly type: string;
}): string => `${field}: ${formatCount(packedBytes)} bytes unpack to ${formatCount(bytes)} (${compression}), ${type}`;

/** ` 355 compressed contents count as captured, 117,204 bytes. Unpacked they are 512,300, in protobuf +3.2 %.` */
export function contentsWords({ contents = [] }: Pick<Profile, 'contents'>): string {
  if (contents.length === 0) return '';
  const sum = (of: 'count' | 'packed' | 'native' | 'protobuf') => contents.reduce((all, each) => all + each[of], 0);
  const [count, packed, native, protobuf] = [sum('count'), sum('packed'), sum('native'), sum('protobuf')];
  const [verb, subject, are] = count === 1 ? ['content counts', 'it', 'is'] : ['contents count', 'they', 'are'];
  const ratio = formatSignedPercent(shareOf(protobuf - native, native));
  return ` ${formatCount(count)} compressed ${verb} as captured, ${formatBytes(packed)}. Unpacked ${subject} ${are} ${formatBytes(native)}, in protobuf ${ratio}.`;
}
