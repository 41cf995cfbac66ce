/** Profiles → the JSON that docs/profile-json.md describes. */
import { ledgerIds, ledgerOf } from '#engine/cost/encoding-ledger.ts';
import type { Profile } from '#engine/cost/profile.ts';
import type { Diagnostic } from '#engine/model/diagnostic.ts';
import type { CompressedSizes } from './compressed-sizes.ts';
import type { InputReport, Measured } from './measure.ts';

/** Raised when a name goes or changes its meaning; new names may come without. */
const VERSION = 2;

export function printJson({ sections, reports, coverage }: Measured, compressed: CompressedSizes | null): string {
  const inputs = reports.map(inputOf);
  const diagnostics = reports.flatMap(({ input, diagnostics }, n) =>
    [...input.diagnostics, ...diagnostics].map((diagnostic) => entry(diagnostic, n)),
  );
  const isCapture = reports.some(({ input }) => input.kind === 'capture');
  const types = sections.map(({ profile, groups }) => ({
    ...typeJson(profile),
    ...(isCapture ? { groups } : {}),
    ...(compressed === null ? {} : { compressed: compressed.of(profile.type) }),
  }));
  const json = JSON.stringify({ version: VERSION, inputs, ...(coverage && { coverage }), types, diagnostics }, null, 2);
  // Histograms on one line each; a string cannot match, its line ends are escaped.
  return `${json.replace(/\[\s+\d+(?:,\s+\d+)*\s+\]/g, (list) => list.replace(/\s+/g, ' ').replace('[ ', '[').replace(' ]', ']'))}\n`;
}

/** A profile with every ledger by its id: of each field its bytes, of the profile the rest. */
export function typeJson(profile: Profile) {
  const ledgers = ledgerIds(profile).map((id) => [id, ledgerOf(profile, id)!] as const);
  const paths = new Set(profile.fields.map(({ path }) => path));
  return {
    ...profile,
    ledgers: Object.fromEntries(
      ledgers.map(([id, { fields, ...ledger }]) => {
        const own = Object.entries(fields).filter(([path]) => !paths.has(path));
        return [id, { ...ledger, own: Object.fromEntries(own) }];
      }),
    ),
    fields: profile.fields.map((field) => ({
      ...field,
      ledgers: Object.fromEntries(ledgers.map(([id, { fields }]) => [id, fields[field.path] ?? {}])),
    })),
  };
}

function inputOf({ input, leftOut }: InputReport) {
  const { name, size, bytes, messages } = input;
  if (input.kind === 'capture') {
    const { format, packets, cut, missing, connectionCount: connections, plainBytes: payloadBytes, layers } = input;
    const counts = { packets, cut, missing, connections, messages, payloadBytes, leftOut };
    return { name, size, bytes, format, ...counts, layers };
  }
  const { compression, textEncoding, framing, payloadBytes, wireBytes, framingBytes, unattributedBytes } = input;
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
    wireBytes,
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
