import { expect, test } from 'vitest';
import type { Diagnostic } from '#engine/model/diagnostic.ts';
import type { SessionState } from '#state/session-state.ts';
import { createAppStore } from '#state/store.ts';
import { analysisFindings, findingsLabel } from './findings-of.ts';

const at = (ordinal: number, start: number): Diagnostic => {
  const span = { start, end: start + 1 };
  return { code: 'wire/truncated', severity: 'error', message: 'It ends here.', space: 'message', ordinal, ...span };
};

test.each([
  ['none', [], [], [], '0'],
  ['of the messages that are added up', [at(1, 0), at(2, 0)], [], [], '2'],
  ['of the open message, among them', [at(1, 0), at(5, 0)], [at(5, 0)], [], '2'],
  ['of the open message, beside them', [at(1, 0)], [at(5, 0), at(5, 9)], [], '1 + 2 in message 5'],
  ['of the open message alone', [], [at(5, 0)], [], '1 in message 5'],
  ['of the open message, which alone is added up', [], [at(5, 0)], [[5, 6]], '1'],
] as const)('findings %s', (_, ofAll, ofMessage, ordinals, label) => {
  const { session, view } = createAppStore().getState();
  const analysis = { diagnostics: ofAll } as Partial<SessionState['analysis']> as SessionState['analysis'];
  const inspection = { ordinal: 5, diagnostics: ofMessage } as Partial<
    SessionState['inspection']
  > as SessionState['inspection'];
  const state = {
    session: { ...session, analysis, inspection },
    view: { ...view, scope: { ...view.scope, ordinals } },
  };
  expect(findingsLabel(analysisFindings(state.session), state)).toBe(label);
});
