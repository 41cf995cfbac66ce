/** The transports, those with the most specific first bytes first. One more is one line here. */

import { http1 } from './http1.ts';
import { http2 } from './http2.ts';
import { kafka } from './kafka.ts';
import { opensearch } from './opensearch.ts';
import { SIZE_PREFIXED_TRANSPORTS } from './size-prefixed.ts';
import type { Transport } from './transport.ts';

export const TRANSPORTS: readonly Transport[] = [opensearch, http1, http2, kafka, ...SIZE_PREFIXED_TRANSPORTS];
