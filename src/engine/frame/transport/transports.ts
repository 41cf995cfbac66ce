/** The transports, the ones with the most specific first bytes first. To add a transport, add a row here. */

import { http1 } from './http1.ts';
import { http2 } from './http2.ts';
import { kafka } from './kafka.ts';
import { opensearch } from './opensearch.ts';
import { describedTransport, SIZE_PREFIXED_TRANSPORTS } from './size-prefixed.ts';
import type { Transport } from './transport.ts';

export const TRANSPORTS: readonly Transport[] = [opensearch, http1, http2, kafka, ...SIZE_PREFIXED_TRANSPORTS];

/** All, and before those that nothing names the one that a person describes. @throws if it is not a description */
export const transportsWith = (description: string): readonly Transport[] => [
  ...TRANSPORTS.filter((transport) => !SIZE_PREFIXED_TRANSPORTS.includes(transport)),
  describedTransport(description),
  ...SIZE_PREFIXED_TRANSPORTS,
];
