/** Notes beside native messages that no layout explains. */
import { formatBytes, formatPercent, shareOf } from './number-text.ts';

export const OPAQUE_NOTES = {
  opaque: 'The bodies are written one value after the other, without tags.',
  noLayout: 'No layout says in which order, so they are shown as bytes and never taken for protobuf.',
  noRequest: 'A response does not name its action: without its request in the capture, no layout is known.',
  wholeActions: 'The table counts all messages of each action, also those that are left out here.',
  opaqueTable: 'Header and body by action',
} as const;

export const headerShare = (header: number, body: number): string =>
  `Header ${formatBytes(header)}, body ${formatBytes(body)}: the header is ${formatPercent(shareOf(header, header + body))}.`;
