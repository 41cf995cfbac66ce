/** The message in a google.protobuf.Any, for the text encodings that write it out. */
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { annotate } from '../wire/annotate.ts';
import { typeNameOf } from '../wire/any.ts';
import { addLosses, type LossCounts } from './losses.ts';
import { type MessageValue, type ReadMessage, readMessageValue, type SetField } from './message-value.ts';

const EMPTY = new Uint8Array(0);
const decoder = new TextDecoder();

interface AnyContents {
  readonly url: Uint8Array;
  readonly value: MessageValue;
  /** The fields of the URL and of the value; undefined: it is empty. */
  readonly fields: { readonly url: SetField | undefined; readonly value: SetField | undefined };
}

/**
 * undefined: no schema has the type, or the bytes are not a message of it, or one that is nested too deep. @param losses
 * counts what is dropped @param depth levels of messages around it
 */
export function anyContents(
  { type: any, fields }: MessageValue,
  losses: LossCounts,
  depth: number,
): AnyContents | undefined {
  const fieldAt = (number: number): SetField | undefined => fields.find(({ field }) => field.number === number);
  const bytesOf = (set: SetField | undefined): Uint8Array => (set?.items[0]?.value as Uint8Array | undefined) ?? EMPTY;
  const [urlField, valueField] = [fieldAt(1), fieldAt(2)];
  const url = bytesOf(urlField);
  const type = any.namedTypes?.get(typeNameOf(decoder.decode(url)));
  // Its own record may name another type than the last URL does.
  const contents = valueField?.items[0]?.contents?.(depth);
  const read = contents?.value.type === type ? contents : readAlone(bytesOf(valueField), type, depth);
  if (read === undefined || read.isTooDeep) return undefined;
  addLosses(losses, read.dropped);
  return { url, value: read.value, fields: { url: urlField, value: valueField } };
}

/** Contents without rows in the table of their message. */
function readAlone(bytes: Uint8Array, type: MessageDescriptor | undefined, depth: number): ReadMessage | undefined {
  if (type === undefined) return undefined;
  const { table, diagnostics } = annotate(bytes, type);
  if (diagnostics.some(({ severity }) => severity === 'error')) return undefined;
  return readMessageValue(bytes, table, type, { isDetached: true, depth });
}
