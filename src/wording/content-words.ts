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

/** ` 355 compressed contents count as captured, 117,204 bytes. Unpacked: 512,300 bytes, in protobuf +3.2 %.` */
export function contentsWords({ contents = [] }: Pick<Profile, 'contents'>): string {
  if (contents.length === 0) return '';
  const sum = (of: 'count' | 'packed' | 'native' | 'protobuf') => contents.reduce((all, each) => all + each[of], 0);
  const [count, native] = [sum('count'), sum('native')];
  const ratio = formatSignedPercent(shareOf(sum('protobuf') - native, native));
  return ` ${formatCount(count)} compressed ${count === 1 ? 'content counts' : 'contents count'} as captured, ${formatBytes(sum('packed'))}. Unpacked: ${formatBytes(native)}, in protobuf ${ratio}.`;
}
