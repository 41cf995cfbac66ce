/**
 * The JSON forms of google.protobuf.Timestamp and similar types. Punctuation in a Struct counts as value, because it
 * belongs to no field of the schema. protobuf.dev/programming-guides/json
 */
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { anyContents } from './any-contents.ts';
import { floatText, type JsonScalars } from './json-scalar.ts';
import { countLoss, type Loss } from './losses.ts';
import { defaultOf, type MessageValue, type Scalar, type SetField } from './message-value.ts';
import type { TokenWriter } from './token-writer.ts';

/** The writer of messages. */
export interface JsonOutput {
  readonly writer: TokenWriter;
  readonly scalars: JsonScalars;
  /** Number of open messages. */
  readonly depth: number;
  comma(isFirst: boolean): void;
  message(value: MessageValue): void;
  members(value: MessageValue, isFirst: boolean): void;
}

const PREFIX = 'google.protobuf.';
const WRAPPERS = new Set(
  ['Double', 'Float', 'Int64', 'UInt64', 'Int32', 'UInt32', 'Bool', 'String', 'Bytes'].map(
    (name) => `${PREFIX}${name}Value`,
  ),
);
const FORMS: Readonly<Record<string, (json: JsonOutput, value: MessageValue) => boolean>> = {
  'google.protobuf.Timestamp': timestamp,
  'google.protobuf.Duration': duration,
  'google.protobuf.FieldMask': fieldMask,
  'google.protobuf.Struct': structure,
  'google.protobuf.Value': anyValue,
  'google.protobuf.ListValue': listValue,
  'google.protobuf.Any': any,
};

export const isWellKnown = ({ fullName }: MessageDescriptor): boolean =>
  fullName.startsWith(PREFIX) && (WRAPPERS.has(fullName) || Object.hasOwn(FORMS, fullName));

/** Writes the special form in the open row. false: the value has no such form, and nothing is written. */
export function wellKnownJson(json: JsonOutput, value: MessageValue): boolean {
  const { fullName } = value.type;
  if (!WRAPPERS.has(fullName)) return FORMS[fullName]!(json, value);
  const field = value.type.byNumber.get(1)!;
  json.scalars.scalar(field, (fieldOf(value, 1)?.items[0]?.value as Scalar | undefined) ?? defaultOf(field));
  return true;
}

const fieldOf = ({ fields }: MessageValue, number: number): SetField | undefined =>
  fields.find(({ field }) => field.number === number);

/** Both fields of a Timestamp or a Duration. */
const secondsAndNanos = (value: MessageValue): [bigint, number] => [
  (fieldOf(value, 1)?.items[0]?.value as bigint) ?? 0n,
  (fieldOf(value, 2)?.items[0]?.value as number) ?? 0,
];

function refuse(json: JsonOutput, loss: Loss = 'not-canonical'): false {
  countLoss(json.writer.losses, loss);
  return false;
}

/** 0, 3, 6 or 9 digits after the decimal point. */
function fraction(nanos: number): string {
  if (nanos === 0) return '';
  const digits = String(nanos).padStart(9, '0');
  if (nanos % 1_000_000 === 0) return `.${digits.slice(0, 3)}`;
  return nanos % 1000 === 0 ? `.${digits.slice(0, 6)}` : `.${digits}`;
}

const [FIRST_SECOND, LAST_SECOND] = [-62135596800n, 253402300799n];
const LAST_NANO = 999_999_999;

function timestamp(json: JsonOutput, value: MessageValue): boolean {
  const [seconds, nanos] = secondsAndNanos(value);
  if (seconds < FIRST_SECOND || seconds > LAST_SECOND || nanos < 0 || nanos > LAST_NANO) return refuse(json);
  const text = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  json.scalars.quoted(`${text}${fraction(nanos)}Z`);
  return true;
}

function duration(json: JsonOutput, value: MessageValue): boolean {
  const [seconds, nanos] = secondsAndNanos(value);
  const isMixed = (seconds > 0n && nanos < 0) || (seconds < 0n && nanos > 0);
  const size = seconds < 0n ? -seconds : seconds;
  if (size > 315576000000n || Math.abs(nanos) > LAST_NANO || isMixed) return refuse(json);
  const sign = seconds < 0n || nanos < 0 ? '-' : '';
  json.scalars.quoted(`${sign}${size}${fraction(Math.abs(nanos))}s`);
  return true;
}

const decoder = new TextDecoder();

function fieldMask(json: JsonOutput, value: MessageValue): boolean {
  const paths = (fieldOf(value, 1)?.items ?? []).map(({ value: path }) => decoder.decode(path as Uint8Array));
  // A path has no form if lowerCamel cannot be converted back to it.
  if (paths.some((path) => !/^[a-z0-9_.]+$/.test(path) || /_[^a-z]|_$/.test(path))) return refuse(json);
  json.scalars.quoted(paths.map((path) => path.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase())).join(','));
  return true;
}

function structure(json: JsonOutput, value: MessageValue): boolean {
  const { writer } = json;
  writer.byte('value', 0x7b);
  for (const [index, entry] of (fieldOf(value, 1)?.entries ?? []).entries()) {
    if (index > 0) writer.byte('value', 0x2c);
    json.scalars.text(entry.key.value as Uint8Array);
    writer.byte('value', 0x3a);
    json.message(entry.value.value as MessageValue);
  }
  writer.byte('value', 0x7d);
  return true;
}

function listValue(json: JsonOutput, value: MessageValue): boolean {
  const { writer } = json;
  writer.byte('value', 0x5b);
  for (const [index, item] of (fieldOf(value, 1)?.items ?? []).entries()) {
    if (index > 0) writer.byte('value', 0x2c);
    json.message(item.value as MessageValue);
  }
  writer.byte('value', 0x5d);
  return true;
}

function anyValue(json: JsonOutput, value: MessageValue): boolean {
  const set = value.fields[0];
  if (set === undefined) return refuse(json);
  const inner = set.items[0]!.value;
  if (set.field.message !== undefined) json.message(inner as MessageValue);
  else if (set.field.type === 'double' && !Number.isFinite(Number(floatText(inner as Uint8Array)))) return refuse(json);
  else json.scalars.scalar(set.field, inner as Scalar);
  return true;
}

/** Writes the message that the URL names, with `@type` before its members. */
function any(json: JsonOutput, value: MessageValue): boolean {
  const { writer, scalars } = json;
  if (value.fields.length === 0) {
    writer.ascii('punctuation', '{}');
    return true;
  }
  const contents = anyContents(value, writer.losses, json.depth);
  if (contents === undefined) return refuse(json, 'unread-any');
  const { url, value: held } = contents.fields;
  writer.byte('punctuation', 0x7b);
  writer.begin(url?.field, url?.row ?? -1);
  scalars.key('@type');
  writer.byte('punctuation', 0x3a);
  scalars.text(contents.url);
  writer.end();
  writer.begin(held?.field, held?.row ?? -1);
  if (isWellKnown(contents.value.type)) {
    writer.byte('punctuation', 0x2c);
    scalars.key('value');
    writer.byte('punctuation', 0x3a);
    json.message(contents.value);
  } else json.members(contents.value, false);
  writer.end();
  writer.byte('punctuation', 0x7d);
  return true;
}
