/** An input of which no message was read → what it is and what to do next. */
import type { InputRead } from '#engine/analysis/read-input.ts';
import { emptyCaptureWords, lossWords, noMessageWords } from '#wording/no-message-words.ts';

/** Findings are printed above. */
const alreadySaid = ({ code }: { readonly code: string }) => ({ code, message: '' });

/** null: it has messages. */
export function whyNoMessage(input: InputRead): string | null {
  if (input.messages > 0) return null;
  if (input.kind === 'capture') {
    const { says, next } = emptyCaptureWords(input.name, { ...input, format: input.format ?? '' });
    return `${says} ${next}`;
  }
  if (input.content === null) return `No message is read from ${input.name}.`;
  const { says, next } = noMessageWords(input.name, input.content, input.diagnostics.map(alreadySaid));
  const isBytes = ['empty', 'blank', 'json', 'log', 'text'].includes(input.content.kind);
  return `${says} ${next}${isBytes ? ' --framing single reads it as one message anyway.' : ''}`;
}

/** Missing traffic of a capture, one line per reason. */
export const printLosses = (input: InputRead): string =>
  input.kind === 'capture'
    ? lossWords(input)
        .map(({ says, next }) => `${says} ${next}\n`)
        .join('')
    : '';
