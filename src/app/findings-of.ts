/** Everything that was found wrong, by the stage that found it: schema, input, messages, the message that is open. */
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
  // The analysis lists the findings of so many messages; the open one's are all there.
  return [...listed, ...(inspection?.diagnostics ?? []).filter((diagnostic) => !keys.has(keyOf(diagnostic)))];
}

const keyOf = ({ code, space, ordinal, start, end, file }: Diagnostic): string =>
  `${code} ${space} ${ordinal} ${file} ${start} ${end}`;
