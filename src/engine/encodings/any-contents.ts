/** The message in a google.protobuf.Any, for the text encodings that write it out. */
import { annotate } from '../wire/annotate.ts';
import { typeNameOf } from '../wire/any.ts';
import { addLosses, type LossCounts } from './losses.ts';
import { type MessageValue, readMessageValue, type SetField } from './message-value.ts';

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
  const [url, bytes] = [bytesOf(urlField), bytesOf(valueField)];
  const type = any.namedTypes?.get(typeNameOf(decoder.decode(url)));
  if (type === undefined) return undefined;
  const { table, diagnostics } = annotate(bytes, type);
  if (diagnostics.some(({ severity }) => severity === 'error')) return undefined;
  const item = valueField?.items[0];
  const rowsBehind = item?.isContents === true ? item.row : null;
  const { value, dropped, isTooDeep } = readMessageValue(bytes, table, type, { rowsBehind, depth });
  if (isTooDeep) return undefined;
  addLosses(losses, dropped);
  return { url, value, fields: { url: urlField, value: valueField } };
}
