/** What a capture lacks of the traffic that it was made of. */
import type { CutPackets } from './read-capture.ts';
import type { MissingBytes } from './transport/missing-bytes.ts';

/** What of a capture's traffic is not in it. */
export interface Losses {
  readonly packets: number;
  readonly cut: CutPackets | null;
  readonly missing: MissingBytes | null;
}

/** One, or none where all of the traffic is in the capture. */
export const lossesOf = ({ packets, cut, missing }: Losses): readonly Losses[] =>
  cut === null && missing === null ? [] : [{ packets, cut, missing }];
