/** Protobuf's text format: the whole text is one message. */
import { textKind } from '../../capture/text/ascii.ts';
import type { Judgement } from '../../capture/text/text-encoding.ts';
import type { Framing } from './framing.ts';
import { otherContent } from './other-content.ts';
import { oneMessage } from './single.ts';

export const txtpb: Framing = {
  id: 'txtpb',
  label: 'Protobuf’s text format, one message',
  sniff,
  create: oneMessage('txtpb', 'txtpb'),
};

/** File extensions of protobuf.dev/reference/protobuf/textformat-spec#text-format-files, and older ones. */
export const TXTPB_NAME = /\.(?:txtpb|textproto|textpb|pbtxt|prototxt|pb\.txt)$/i;

function sniff(head: Uint8Array, size: number, name = ''): Judgement {
  const content = otherContent(head, size);
  if (content?.kind === 'txtpb') return { score: 1, reason: `it is ${content.what}` };
  return TXTPB_NAME.test(name) && textKind(head) !== 'none'
    ? { score: 1, reason: 'it is named as a file of protobuf’s text format' }
    : { score: 0, reason: 'no fields of protobuf’s text format' };
}
