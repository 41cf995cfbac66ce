/** `analyze`: inputs and a schema → one profile over all of them, as text or JSON. */
import { analyze, type Report } from '#engine/analyze.ts';
import { AbortError, type Source } from '#engine/bytes/source.ts';
import { mergeProfiles } from '#engine/cost/merge-profiles.ts';
import type { Profile } from '#engine/cost/profile.ts';
import type { Diagnostic } from '#engine/diagnostic.ts';
import { type InputChoice, readPayloads } from '#engine/frame/payload.ts';
import { NATIVE_PROFILES, type NativeProfile } from '#engine/native/profiles.ts';
import type { MessageDescriptor } from '#engine/schema/descriptor.ts';
import { BadArguments, parseOptions } from './arguments.ts';
import { withSource } from './file-source.ts';
import { CHOICES_USAGE, checkChoice } from './input-choice.ts';
import { printInput } from './input-text.ts';
import { type Outcome, success } from './outcome.ts';
import { printJson } from './profile-json.ts';
import { printDiagnostic, printProfile } from './report-text.ts';
import { chooseType, findType, readRegistry } from './schema.ts';

export const ANALYZE_USAGE = `usage: wirecost analyze INPUT... [options]

INPUT is a file, or - for the standard input. All inputs are added up into one profile.

  -s, --schema PATH     a .proto file, a folder of them, or a descriptor set; may be repeated
  -t, --type NAME       the message type; without it, the type that explains the messages best
      --native PROFILE  how the native side is written: ${NATIVE_PROFILES.map(({ id }) => id).join(', ')}
${CHOICES_USAGE}
      --json            the profile as JSON (docs/profile-json.md)
`;

/** Messages that choosing a type looks at. */
const SAMPLE_MESSAGES = 50;
const SAMPLE_BYTES = 1 << 20;
const SHOWN_DIAGNOSTICS = 20;

export async function analyzeCommand(args: readonly string[]): Promise<Outcome> {
  const options = parseOptions(args, ['schema', 'type', 'native', 'framing', 'dress', 'json']);
  if (options.inputs.length === 0) throw new BadArguments('analyze takes at least one INPUT');
  if (options.type !== undefined && options.schema.length === 0) throw new BadArguments('--type needs a --schema');
  const nativeProfile = nativeProfileOf(options.native);
  const choice = checkChoice(options);
  const notes: string[] = [];

  let type: MessageDescriptor | undefined;
  if (options.schema.length > 0) {
    const registry = await readRegistry(options.schema);
    if (options.type !== undefined) type = findType(registry, options.type);
    else {
      const chosen = chooseType(registry, await sample(options.inputs, choice));
      type = chosen.type;
      notes.push(chosen.note);
    }
  }
  const reports: Report[] = [];
  for (const input of options.inputs) {
    reports.push(await withSource(input, (source) => analyze(source, choice, { type, nativeProfile })));
  }
  const profile = reports.map((report) => report.profile).reduce(mergeProfiles);
  return options.json
    ? success(printJson(profile, reports), notes)
    : success(printReport(profile, reports, nativeProfile), notes);
}

function printReport(profile: Profile, reports: readonly Report[], { label }: NativeProfile): string {
  const findings: readonly Diagnostic[] = reports.flatMap(({ input, diagnostics }) => [
    ...input.diagnostics,
    ...diagnostics,
  ]);
  const shown = findings.slice(0, SHOWN_DIAGNOSTICS).map(printDiagnostic);
  if (findings.length > shown.length) shown.push(`and ${findings.length - shown.length} more; --json has them all`);
  return [
    reports.map(({ input }) => printInput(input)).join(''),
    printProfile(profile, label),
    shown.map((line) => `${line}\n`).join(''),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function nativeProfileOf(id: string | undefined): NativeProfile {
  const found = id === undefined ? NATIVE_PROFILES[0] : NATIVE_PROFILES.find((profile) => profile.id === id);
  if (found === undefined) {
    throw new BadArguments(
      `No native profile ${id}; there are ${NATIVE_PROFILES.map((profile) => profile.id).join(', ')}`,
    );
  }
  return found;
}

/** The first messages of the inputs; reading stops when there are enough. */
async function sample(inputs: readonly string[], choice: InputChoice): Promise<readonly Uint8Array[]> {
  const messages: Uint8Array[] = [];
  const enough = { aborted: false };
  let bytes = 0;
  for (const input of inputs) {
    if (enough.aborted) break;
    const collect = (source: Source) =>
      readPayloads(
        source,
        choice,
        (_, payload) => {
          if (enough.aborted) return;
          messages.push(payload.slice(0, SAMPLE_BYTES));
          bytes += payload.length;
          enough.aborted = messages.length >= SAMPLE_MESSAGES || bytes >= SAMPLE_BYTES;
        },
        { signal: enough },
      );
    await withSource(input, collect).catch((error: unknown) => {
      if (!(error instanceof AbortError)) throw error;
    });
  }
  return messages;
}
