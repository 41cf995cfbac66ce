/** What an input was taken for, in a line. */
import type { InputFacts } from '#engine/frame/payload.ts';
import { plural } from './text-table.ts';

export function printInput(input: InputFacts): string {
  const { name, size, bytes, dress, framing, messages, framingBytes, unattributedBytes } = input;
  const parts = [
    `${name}: ${plural(size, 'byte')}`,
    dress.id === 'binary' ? '' : `${dress.label} of ${plural(bytes, 'byte')}`,
    `${framing.label.toLowerCase() === 'one message' ? 'one message' : `${framing.label}: ${plural(messages, 'message')}`} (${framing.reason})`,
    framingBytes === 0 ? '' : `${plural(framingBytes, 'byte')} of framing`,
    unattributedBytes === 0 ? '' : `${plural(unattributedBytes, 'byte')} unattributed`,
  ];
  return `${parts.filter((part) => part !== '').join(', ')}\n`;
}
