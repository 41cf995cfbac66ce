/** The view of a newly opened input: all messages, nothing selected. */
import type { SharedView } from './shared.ts';

export const plainView = (type: string | null, nativeProfile: string | null): SharedView => ({
  type,
  types: {},
  scope: { text: '', name: '', flow: null, minBytes: null, maxBytes: null, time: null, groups: [], ordinals: [] },
  shown: null,
  question: null,
  root: null,
  nativeProfile,
  overrides: {},
  selection: { path: null, ordinal: 0, row: null },
  cause: null,
  table: null,
  changes: [],
  compressor: null,
  panel: 'costs',
  messageForm: 'bytes',
  paid: null,
  drawn: 'plain',
  matrix: { per: null, level: null, against: null, isAll: false },
});
