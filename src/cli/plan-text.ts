/** `--explain`: how inputs are read and as what, with the reasons, as text or JSON. */
import type { Report } from '#engine/analysis/analyze.ts';
import type { ReadingPlan } from '#engine/analysis/plan-reading.ts';
import type { Profile } from '#engine/cost/profile.ts';
import type { NativeProfile } from '#engine/native/profiles.ts';
import { WHY_READ_SO } from '#wording/type-words.ts';
import { printInput } from './input-text.ts';
import { printCandidates } from './schema.ts';
import { plural } from './text-table.ts';

interface Planned {
  readonly plan: ReadingPlan | null;
  readonly profiles: readonly Profile[];
  readonly reports: readonly Report[];
  readonly nativeProfile: NativeProfile;
}

export function printWholePlan({ plan, profiles, reports, nativeProfile }: Planned): string {
  const inputs = reports.map(({ input }) => printInput(input));
  const native = `Native side: ${nativeProfile.label}.\n`;
  if (plan === null) {
    const types = profiles.map(
      ({ type, messages }) => `  ${type || 'by field numbers'}: ${plural(messages, 'message')}\n`,
    );
    return [...inputs, native, 'Types are those that the transports name:\n', ...types].join('');
  }
  const { type, why, compared, candidates } = plan;
  const reading = type === null ? 'Read by field numbers.' : `Read as ${type}.`;
  const how =
    compared.types === 0
      ? ''
      : ` Compared: ${plural(compared.types, 'type')} on ${plural(compared.messages, 'message')}.`;
  const ranking = candidates.length === 0 ? [] : ['Candidates:', ...printCandidates(candidates)];
  return [...inputs, native, `${reading} ${WHY_READ_SO[why]}${how}\n`, ...ranking.map((line) => `${line}\n`)].join('');
}

export function planJson({ plan, profiles, reports, nativeProfile }: Planned): string {
  const inputs = reports.map(({ input }) => {
    const { name, kind, messages } = input;
    if (input.kind === 'capture') return { name, kind, messages, format: input.format };
    return { name, kind, messages, textEncoding: input.textEncoding, framing: input.framing };
  });
  const types = profiles.map(({ type, messages }) => ({ type, messages }));
  return `${JSON.stringify({ inputs, native: nativeProfile.id, reading: plan, types }, null, 2)}\n`;
}
