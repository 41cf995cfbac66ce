/** Parameters that most tests of the thread ask with. */
import type { Scope } from './input-api.ts';

export const ALL: Scope = {
  text: '',
  name: '',
  flow: null,
  minBytes: null,
  maxBytes: null,
  time: null,
  groups: [],
  ordinals: [],
};

export const EVERYTHING = { scope: ALL, types: {} } as const;

export const IN_ORDER = { column: 'ordinal', descending: false } as const;
