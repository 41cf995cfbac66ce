/** An input's kind, in a line. */
import type { CaptureRead } from '#engine/analysis/opened-capture.ts';
import type { InputRead } from '#engine/analysis/read-input.ts';
import type { UnwrapStep } from '#engine/frame/unwrap/unwrap.ts';
import { withKeyLogs } from '#wording/input-notes.ts';
import { visible } from '#wording/visible.ts';
import { printLosses } from '../inputs/no-message.ts';
import { plural, printCount } from './text-table.ts';

/** The maximum of listed inputs; one more line has the sums of the others. */
const LISTED = 20;

/** A line for each input. */
export function printInputs(inputs: readonly InputRead[]): string {
  const shown = inputs.slice(0, inputs.length > LISTED + 1 ? LISTED : inputs.length);
  const others = inputs.slice(shown.length);
  const sum = (of: 'size' | 'messages'): number => others.reduce((all, input) => all + input[of], 0);
  const rest = `and ${printCount(others.length)} inputs more: ${plural(sum('size'), 'byte')}, ${plural(sum('messages'), 'message')}\n`;
  return shown.map(printInput).join('') + (others.length === 0 ? '' : rest);
}

export function printInput(input: InputRead): string {
  if (input.kind === 'capture') return `${printCapture(input)}${printLosses(input)}`;
  const { name, size, bytes, steps, textEncoding, framing, messages, framingBytes, unattributedBytes } = input;
  const parts = [
    `${visible(name)}: ${plural(size, 'byte')}`,
    textEncoding.id === 'binary' ? '' : `${textEncoding.label} of ${plural(bytes, 'byte')}`,
    ...steps.map((step, at) => printStep(step, steps.slice(0, at).some(hasSeveral))),
    steps.some(hasSeveral)
      ? `${plural(messages, 'message')} (in the largest file: ${framing.label.toLowerCase()}, ${framing.reason})`
      : `${printFraming(framing.label, messages)} (${framing.reason})`,
    framingBytes === 0 ? '' : `${plural(framingBytes, 'byte')} of framing`,
    unattributedBytes === 0 ? '' : `${plural(unattributedBytes, 'byte')} unattributed`,
  ];
  return `${parts.filter((part) => part !== '').join(', ')}\n`;
}

/** Two labels count the messages themselves. */
const printFraming = (label: string, messages: number): string =>
  /^(no|one) message$/i.test(label) ? label.toLowerCase() : `${label}: ${plural(messages, 'message')}`;

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
