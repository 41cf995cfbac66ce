/** All findings, by the stage that found them: schema, input, messages, the open message. */
import type { Diagnostic } from '#engine/model/diagnostic.ts';
import type { SessionState } from '#state/session-state.ts';

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
