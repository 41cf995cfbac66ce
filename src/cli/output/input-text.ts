/** An input's kind, in a line. */
import type { CaptureRead } from '#engine/analysis/opened-capture.ts';
import type { InputRead } from '#engine/analysis/read-input.ts';
import { lossesOf } from '#engine/frame/losses.ts';
import type { UnwrapStep } from '#engine/frame/unwrap/unwrap.ts';
import { framingWord } from '#wording/beside-words.ts';
import { withKeyLogs } from '#wording/input-notes.ts';
import { visible } from '#wording/visible.ts';
import { printLosses } from '../inputs/no-message.ts';
import { plural, printCount } from './text-table.ts';

/** The maximum of listed inputs, and of others that are listed for their losses; one more line has the sums of the rest. */
const LISTED = 20;

/** A line for each input, and what captures lack. */
export function printInputs(inputs: readonly InputRead[]): string {
  const lossy = inputs.slice(LISTED).filter(hasLosses).slice(0, LISTED);
  const listed = new Set([...inputs.slice(0, LISTED), ...lossy]);
  const others = inputs.filter((input) => !listed.has(input));
  if (others.length < 2) return inputs.map(printInput).join('');
  return [...listed].map(printInput).join('') + printOthers(others);
}

function printOthers(inputs: readonly InputRead[]): string {
  const sum = (of: (input: InputRead) => number): number => inputs.reduce((all, input) => all + of(input), 0);
  const unattributed = sum((input) => (input.kind === 'capture' ? input.layers.unattributed : input.unattributedBytes));
  const lossy = inputs.filter(hasLosses).length;
  const parts = [
    `and ${printCount(inputs.length)} inputs more: ${plural(
      sum(({ size }) => size),
      'byte',
    )}`,
    plural(
      sum(({ messages }) => messages),
      'message',
    ),
    unattributed === 0 ? '' : `${plural(unattributed, 'byte')} unattributed`,
    lossy === 0 ? '' : `packets of ${plural(lossy, 'capture')} are cut or missing`,
  ];
  return `${parts.filter((part) => part !== '').join(', ')}\n`;
}

const hasLosses = (input: InputRead): boolean => input.kind === 'capture' && lossesOf(input).length > 0;

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
    framingBytes === 0 ? '' : `${plural(framingBytes, 'byte')} of ${framingWord(framing.id).toLowerCase()}`,
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
