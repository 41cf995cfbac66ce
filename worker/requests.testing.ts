/** Parameters that most tests of the worker ask with. */
import { NO_SCOPE } from './input-api.ts';

export const ALL = NO_SCOPE;

export const EVERYTHING = { scope: ALL, types: {} } as const;

export const IN_ORDER = { column: 'ordinal', descending: false } as const;
