/** Traffic that a capture lacks. */
import type { CutPackets } from './capture-facts.ts';
import type { MissingBytes } from './transport/missing-bytes.ts';

/** Traffic that is missing from a capture. */
export interface Losses {
  readonly packets: number;
  readonly cut: CutPackets | null;
  readonly missing: MissingBytes | null;
}

/** One entry; empty: all of the traffic is in the capture. */
export const lossesOf = ({ packets, cut, missing }: Losses): readonly Losses[] =>
  cut === null && missing === null ? [] : [{ packets, cut, missing }];

/** The same without the addresses of connections: figures and shapes carry no part of the traffic. */
export const withoutAddresses = (losses: readonly Losses[]): readonly Losses[] =>
  losses.map(({ missing, ...rest }) => ({ ...rest, missing: missing && { ...missing, flow: '' } }));
