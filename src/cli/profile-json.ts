/** Profiles → the JSON that docs/profile-json.md describes. */
import { fieldJson, profileJson } from '#engine/cost/profile-json.ts';
import type { Diagnostic } from '#engine/model/diagnostic.ts';
import { jsonParts, made } from '#permalink/json-parts.ts';
import type { CompressedSizes } from './compressed-sizes.ts';
import type { InputReport, Measured } from './measure.ts';

/** Raised when a name is removed or changes its meaning; a new name does not raise it. */
const VERSION = 2;

/** In parts: a profile of many fields is much larger as text than its messages are. */
export function* printJson(
  { sections, reports, coverage }: Measured,
  compressed: CompressedSizes | null,
): Generator<string> {
  const isCapture = reports.some(({ input }) => input.kind === 'capture');
  yield* jsonParts({
    version: VERSION,
    inputs: reports.map(inputOf),
    ...(coverage && { coverage }),
    types: made(sections, ({ profile, groups }) => ({
      ...profileJson({ ...profile, fields: [] }),
      fields: made(profile.fields, (field) => fieldJson(field, profile)),
      ...(isCapture ? { groups } : {}),
      ...(compressed === null ? {} : { compressed: compressed.of(profile.type) }),
    })),
    diagnostics: reports.flatMap(({ input, diagnostics }, n) =>
      [...input.diagnostics, ...diagnostics].map((diagnostic) => entry(diagnostic, n)),
    ),
  });
  yield '\n';
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

const entry = ({ code, severity, message, space, start, end, ordinal }: Diagnostic, input: number) => ({
  code,
  severity,
  offset: start,
  end,
  space,
  input,
  ...(ordinal === undefined ? {} : { ordinal }),
  message,
});
