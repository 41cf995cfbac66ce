/** Notes beside the verdict. */
import { formatBytes, formatPercent, shareOf } from './number-text.ts';

export const VERDICT_NOTES = {
  opaque: 'The bodies are written one value after the other, without tags.',
  noLayout: 'No layout says in which order, so they are shown as bytes and never taken for protobuf.',
  failed: 'It could not be measured.',
  uncompressed: 'These messages were captured uncompressed; choose a compressor.',
  types: 'Types of the messages, side by side',
  chooseA: 'Two inputs side by side: choose A.',
  scope: 'Messages in the sums',
  opaqueTable: 'Header and body by action',
  drawn: 'Figures of bars and picture',
} as const;

export const headerShare = (header: number, body: number): string =>
  `Header ${formatBytes(header)}, body ${formatBytes(body)}: the header is ${formatPercent(shareOf(header, header + body))}.`;
