/** Sentences about messages that a message holds compressed. */
import { formatCount } from './number-text.ts';

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
