/** All findings, by the stage that found them: schema, input, messages, the open message. */
import type { Diagnostic } from '#engine/model/diagnostic.ts';
import type { SessionState } from '#state/session-state.ts';
import type { AppState } from '#state/store.ts';
import { isOneMessage } from '#state/view-state.ts';
import { findingsCount } from '#wording/app-notes.ts';

export function analysisFindings({
  schema,
  inputSummary,
  analysis,
  inspection,
}: Pick<SessionState, 'schema' | 'inputSummary' | 'analysis' | 'inspection'>): readonly Diagnostic[] {
  const listed = [
    ...(schema?.diagnostics ?? []),
    ...(inputSummary?.diagnostics ?? []),
    ...(analysis?.diagnostics ?? []),
  ];
  const keys = new Set(listed.map(keyOf));
  // The analysis lists the findings of a limited number of messages; those of the open message are complete.
  return [...listed, ...(inspection?.diagnostics ?? []).filter((diagnostic) => !keys.has(keyOf(diagnostic)))];
}

const keyOf = ({ code, space, ordinal, start, end, file }: Diagnostic): string =>
  `${code} ${space} ${ordinal} ${file} ${start} ${end}`;

/** Their number. Findings of the open message alone are counted apart, because another message has others. */
export function findingsLabel(findings: readonly Diagnostic[], { session, view }: AppState): string {
  const { inspection, inputSummary } = session;
  if (inspection === null || inputSummary?.messages === 1 || isOneMessage(view.scope))
    return findingsCount(findings.length);
  const own = new Set(inspection.diagnostics);
  const ofAll = findings.filter((finding) => !own.has(finding)).length;
  return findingsCount(ofAll, findings.length - ofAll, inspection.ordinal);
}
