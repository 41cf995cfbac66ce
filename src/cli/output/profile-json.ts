/** Profiles → the JSON that docs/profile-json.md describes. */
import { type FieldJson, fieldJson, profileJson } from '#engine/cost/profile-json.ts';
import type { Diagnostic } from '#engine/model/diagnostic.ts';
import { jsonParts, made } from '#permalink/json-parts.ts';
import type { CompressedSizes } from '../measure/compressed-sizes.ts';
import type { InputReport, Measured, ProfileSection } from '../measure/measure.ts';
import { type ListedType, listRows, printedSize, roomFor } from './listed-rows.ts';

/** Raised when a name is removed or changes its meaning; a new name does not raise it. */
const VERSION = 2;

/**
 * In parts: a profile of many fields is much larger as text than its messages are.
 * @param from the first row that is printed
 */
export function* printJson(
  { sections, reports, coverage }: Measured,
  compressed: CompressedSizes | null,
  from = 0,
): Generator<string> {
  const isCapture = reports.some(({ input }) => input.kind === 'capture');
  const inputs = reports.map(inputOf);
  const findings = reports.flatMap(({ input, diagnostics }, n) =>
    [...input.diagnostics, ...diagnostics].map((diagnostic) => findingJson(diagnostic, n)),
  );
  const room = roomFor(reports) - printedSize({ version: VERSION, inputs, coverage, types: [], diagnostics: [] }, 0);
  const diagnostics = listFindings(findings, room / 2);
  const headOf = ({ profile, groups }: ProfileSection) => ({
    ...profileJson({ ...profile, fields: [] }),
    ...(isCapture ? { groups } : {}),
    ...(compressed === null ? {} : { compressed: compressed.of(profile) }),
  });
  const listed = listRows(sections, headOf, { room: room - printedSize(diagnostics, 1), from });
  yield* jsonParts({
    version: VERSION,
    inputs,
    ...(coverage && { coverage }),
    types: [
      ...listed.types.map((type) => ({ ...headOf(type.section), fields: made(rowsOf(type), (row) => row) })),
      ...(listed.folded === null ? [] : [listed.folded]),
    ],
    diagnostics,
  });
  yield '\n';
}

function* rowsOf({ section, fields, folded }: ListedType<ProfileSection>): Generator<FieldJson> {
  for (const field of fields) yield fieldJson(field, section.profile);
  if (folded !== null) yield folded;
}

/** Findings in their order, as many as fit; the last entry names the number of the others. */
function listFindings(findings: readonly Finding[], room: number): readonly Finding[] {
  let left = room;
  const count = findings.findIndex((finding) => {
    left -= printedSize(finding, 2);
    return left < 0;
  });
  if (count === -1) return findings;
  const more = findings.length - count;
  const place = { offset: 0, end: 0, space: 'capture', input: findings[count]!.input } as const;
  const message = `${more} more findings are not listed.`;
  return [...findings.slice(0, count), { code: 'analyze/more-findings', severity: 'info', ...place, message }];
}

function inputOf({ input, leftOut }: InputReport) {
  const { name, size, bytes, messages } = input;
  if (input.kind === 'capture') {
    const { format, packets, cut, missing, connectionCount: connections, plainBytes: payloadBytes, layers } = input;
    const counts = { packets, cut, missing, connections, messages, payloadBytes, leftOut };
    return { name, size, bytes, format, ...counts, layers };
  }
  const { compression, textEncoding, framing, payloadBytes, capturedBytes, framingBytes, unattributedBytes } = input;
  return {
    name,
    size,
    bytes,
    ...(compression === null ? {} : { compression }),
    dress: textEncoding,
    textEncoding,
    framing,
    messages,
    payloadBytes,
    wireBytes: capturedBytes,
    framingBytes,
    unattributedBytes,
  };
}

type Finding = ReturnType<typeof findingJson>;

export const findingJson = ({ code, severity, message, space, start, end, ordinal }: Diagnostic, input: number) => ({
  code,
  severity,
  offset: start,
  end,
  space,
  input,
  ...(ordinal === undefined ? {} : { ordinal }),
  message,
});
