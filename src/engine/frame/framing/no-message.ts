/** No message: the input is empty, text, or a file of another format. Its bytes are unattributed. */
import type { Judgement } from '../../capture/text/text-encoding.ts';
import type { Framer, Framing } from './framing.ts';
import { otherContent } from './other-content.ts';

export const NO_MESSAGE = 'none';

export const noMessage: Framing = { id: NO_MESSAGE, label: 'No message', sniff, create };

/** Score of a signature. Size-prefixed messages that tile the input score higher. */
const BY_SIGNATURE = 0.95;

function sniff(head: Uint8Array, size: number): Judgement {
  const content = otherContent(head, size);
  if (content === null) return { score: 0, reason: 'it reads as messages' };
  const isKnownByText = ['empty', 'blank', 'json', 'markup', 'schema', 'log', 'text', 'dissected'].includes(
    content.kind,
  );
  return { score: isKnownByText ? 1 : BY_SIGNATURE, reason: `it is ${content.what}` };
}

function create(size: number): Framer {
  return {
    push() {},
    facts: () => ({
      messages: 0,
      payloadBytes: 0,
      capturedBytes: 0,
      framingBytes: 0,
      unattributedBytes: size,
      diagnostics:
        size === 0
          ? []
          : [
              {
                code: 'frame/no-message',
                severity: 'error',
                message: 'No message is read from these bytes.',
                space: 'capture',
                start: 0,
                end: size,
              },
            ],
    }),
  };
}
