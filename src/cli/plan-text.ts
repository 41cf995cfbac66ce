/** `--explain`: how inputs are read and as what, with the reasons, as text or JSON. */
import { visible } from '#wording/escape.ts';
import { WHY_READ_SO } from '#wording/type-words.ts';
import { printInput } from './input-text.ts';
import type { Measured } from './measure.ts';
import { printCandidates } from './schema.ts';
import { plural } from './text-table.ts';

export function printWholePlan({ plan, sections, reports, nativeProfile }: Measured): string {
  const inputs = reports.map(({ input }) => printInput(input));
  const native = `Native side: ${nativeProfile.label}.\n`;
  if (plan.reading === null) {
    const types = sections.map(
      ({ profile: { type, messages }, groups }) =>
        `  ${type || `by field numbers, ${groups.map(visible).join(', ')}`}: ${plural(messages, 'message')}\n`,
    );
    return [...inputs, native, 'Types are those that the transports name:\n', ...types].join('');
  }
  const { type, why, compared, candidates } = plan.reading;
  const reading = type === null ? 'Read by field numbers.' : `Read as ${type}.`;
  const how =
    compared.types === 0
      ? ''
      : ` Compared: ${plural(compared.types, 'type')} on ${plural(compared.messages, 'message')}.`;
  const ranking = candidates.length === 0 ? [] : ['Candidates:', ...printCandidates(candidates)];
  return [...inputs, native, `${reading} ${WHY_READ_SO[why]}${how}\n`, ...ranking.map((line) => `${line}\n`)].join('');
}

export function planJson({ plan, profiles, reports, nativeProfile }: Measured): string {
  const inputs = reports.map(({ input }) => {
    const { name, kind, messages } = input;
    if (input.kind === 'capture') return { name, kind, messages, format: input.format };
    return { name, kind, messages, textEncoding: input.textEncoding, framing: input.framing };
  });
  const types = profiles.map(({ type, messages }) => ({ type, messages }));
  return `${JSON.stringify({ inputs, native: nativeProfile.id, reading: plan.reading, groups: plan.groups, types }, null, 2)}\n`;
}
