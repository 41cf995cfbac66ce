/** The transports, most telling first bytes first. One more is one line here. */
import type { Transport } from './transport.ts';
import { http1 } from './transport-http1.ts';
import { http2 } from './transport-http2.ts';
import { opensearch } from './transport-opensearch.ts';
import { SIZE_PREFIXED } from './transport-size-prefixed.ts';

export const TRANSPORTS: readonly Transport[] = [opensearch, http1, http2, ...SIZE_PREFIXED];
