/** The message in a google.protobuf.Any, for the text encodings that write it out. */
import { annotate } from '../wire/annotate.ts';
import type { FindType } from './format-read.ts';
import { addLosses, type LossCounts } from './losses.ts';
import { type MessageValue, readMessageValue } from './message-value.ts';

const EMPTY = new Uint8Array(0);
const decoder = new TextDecoder();

interface AnyContents {
  readonly url: Uint8Array;
  readonly value: MessageValue;
}

/**
 * undefined: no schema has the type, or the bytes are not a message of it, or one that is nested too deep. @param losses
 * counts what is dropped @param depth levels of messages around it
 */
export function anyContents(
  { fields }: MessageValue,
  findType: FindType,
  losses: LossCounts,
  depth: number,
): AnyContents | undefined {
  const bytesAt = (number: number): Uint8Array =>
    (fields.find(({ field }) => field.number === number)?.items[0]?.value as Uint8Array | undefined) ?? EMPTY;
  const [url, bytes] = [bytesAt(1), bytesAt(2)];
  const type = findType(decoder.decode(url).split('/').at(-1)!);
  if (type === undefined) return undefined;
  const { table, diagnostics } = annotate(bytes, type);
  if (diagnostics.some(({ severity }) => severity === 'error')) return undefined;
  const { value, dropped, isTooDeep } = readMessageValue(bytes, table, type, { isDetached: true, depth });
  if (isTooDeep) return undefined;
  addLosses(losses, dropped);
  return { url, value };
}
