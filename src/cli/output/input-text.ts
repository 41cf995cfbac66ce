/** An input's kind, in a line. */
import type { CaptureRead } from '#engine/analysis/opened-capture.ts';
import type { InputRead } from '#engine/analysis/read-input.ts';
import type { UnwrapStep } from '#engine/frame/unwrap/unwrap.ts';
import { withKeyLogs } from '#wording/input-notes.ts';
import { visible } from '#wording/visible.ts';
import { printLosses } from '../inputs/no-message.ts';
import { plural } from './text-table.ts';

export function printInput(input: InputRead): string {
  if (input.kind === 'capture') return `${printCapture(input)}${printLosses(input)}`;
  const { name, size, bytes, steps, textEncoding, framing, messages, framingBytes, unattributedBytes } = input;
  const parts = [
    `${visible(name)}: ${plural(size, 'byte')}`,
    textEncoding.id === 'binary' ? '' : `${textEncoding.label} of ${plural(bytes, 'byte')}`,
    ...steps.map((step, at) => printStep(step, steps.slice(0, at).some(hasSeveral))),
    steps.some(hasSeveral)
      ? `${plural(messages, 'message')} (in the largest file: ${framing.label.toLowerCase()}, ${framing.reason})`
      : `${framing.label.toLowerCase() === 'one message' ? 'one message' : `${framing.label}: ${plural(messages, 'message')}`} (${framing.reason})`,
    framingBytes === 0 ? '' : `${plural(framingBytes, 'byte')} of framing`,
    unattributedBytes === 0 ? '' : `${plural(unattributedBytes, 'byte')} unattributed`,
  ];
  return `${parts.filter((part) => part !== '').join(', ')}\n`;
}

const hasSeveral = ({ files, member }: UnwrapStep): boolean => files !== null && member === null;

/** @param isWithin it unwraps files of an archive, perhaps not all of them */
function printStep({ label, bytes, files, count, member, keyLogs }: UnwrapStep, isWithin: boolean): string {
  if (files !== null)
    return `${label} of ${member === null ? plural(count, 'file') : visible(member)}${withKeyLogs(keyLogs)}`;
  return isWithin ? `${label} in it` : `${label} of ${plural(bytes, 'byte')}${withKeyLogs(keyLogs)}`;
}

function printCapture({
  name,
  size,
  bytes,
  format,
  packets,
  connectionCount,
  messages,
  plainBytes,
  steps,
}: CaptureRead): string {
  const parts = [
    `${visible(name)}: ${plural(size, 'byte')}`,
    ...steps.filter(({ count, keyLogs }) => count > 1 || keyLogs !== undefined).map((step) => printStep(step, false)),
    bytes === size ? '' : `decoded to ${plural(bytes, 'byte')}`,
    // A HAR has neither.
    packets === 0 ? (format ?? '') : `${format} of ${plural(packets, 'packet')}`,
    packets === 0 ? '' : plural(connectionCount, 'connection'),
    `${plural(messages, 'message')} of ${plural(plainBytes, 'byte')}`,
  ];
  return `${parts.filter((part) => part !== '').join(', ')}\n`;
}
