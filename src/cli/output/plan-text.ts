/** `--explain`: how inputs are read and as which types, with the reasons, as text or JSON. */

import { WHY_READ_SO } from '#wording/type-words.ts';
import { visible } from '#wording/visible.ts';
import { printCandidates } from '../inputs/schema.ts';
import type { Measured } from '../measure/measure.ts';
import { printInputs } from './input-text.ts';
import { plural } from './text-table.ts';

export function printWholePlan({ plan, sections, reports, nativeProfile }: Measured): string {
  const inputs = printInputs(reports.map(({ input }) => input));
  const native = nativeProfile === null ? '' : `Native side: ${nativeProfile.label}.\n`;
  if (plan.reading === null) {
    const types = sections.map(({ profile: { type, messages }, groups }) => {
      const isShown = type !== '' && groups.every((key) => plan.groups[key]?.by === 'evidence');
      const why = isShown ? ', detected from the messages' : '';
      return `  ${type || `by field numbers, ${groups.map(visible).join(', ')}`}: ${plural(messages, 'message')}${why}\n`;
    });
    const ranked = [...plan.evidence]
      .filter(([key, { candidates }]) => plan.groups[key]?.by === 'guess' && candidates.length > 0)
      .flatMap(([key, { why, candidates }]) => [
        `Candidates of ${visible(key)}. ${WHY_READ_SO[why]}`,
        ...printCandidates(candidates),
      ]);
    const how = 'Types, named by the transport or detected from the messages:\n';
    return [inputs, native, how, ...types, ...ranked.map((line) => `${line}\n`)].join('');
  }
  const { type, why, compared, candidates } = plan.reading;
  const reading = type === null ? 'Read by field numbers.' : `Read as ${type}.`;
  const how =
    compared.types === 0
      ? ''
      : ` Compared: ${plural(compared.types, 'type')} on ${plural(compared.messages, 'message')}.`;
  const ranking = candidates.length === 0 ? [] : ['Candidates:', ...printCandidates(candidates)];
  return [inputs, native, `${reading} ${WHY_READ_SO[why]}${how}\n`, ...ranking.map((line) => `${line}\n`)].join('');
}

export function planJson({ plan, profiles, reports, nativeProfile }: Measured): string {
  const inputs = reports.map(({ input }) => {
    const { name, kind, messages } = input;
    if (input.kind === 'capture') return { name, kind, messages, format: input.format };
    return { name, kind, messages, textEncoding: input.textEncoding, framing: input.framing };
  });
  const types = profiles.map(({ type, messages }) => ({ type, messages }));
  return `${JSON.stringify({ inputs, native: nativeProfile?.id ?? null, reading: plan.reading, groups: plan.groups, types }, null, 2)}\n`;
}
