/**
 * OTLP/JSON as the OpenTelemetry Collector writes it: ProtoJSON with trace and span ids in hex and enums as numbers.
 * opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
import type { FieldDescriptor } from '../schema/descriptor.ts';
import type { EncodingRow } from './encoding-row.ts';
import { encodeJson, keyNameOf } from './json.ts';
import { FEW_ESCAPES, floatText, type JsonScalars } from './json-scalar.ts';
import type { Scalar } from './message-value.ts';
import type { TokenWriter } from './token-writer.ts';

const IDS = new Set(['trace_id', 'span_id', 'parent_span_id', 'profile_id']);

export const isOtlp = (fullName: string): boolean => fullName.startsWith('opentelemetry.proto.');

/** Whether a field's bytes are written as hex. */
export const isOtlpId = (field: FieldDescriptor): boolean => field.type === 'bytes' && IDS.has(field.name);

function scalar(field: FieldDescriptor, value: Scalar, writer: TokenWriter, scalars: JsonScalars): boolean {
  if (field.type === 'enum') {
    writer.ascii('value', String(value));
    return true;
  }
  if (field.type === 'double' || field.type === 'float') {
    const text = floatText(value as Uint8Array);
    // The Collector writes at least two digits of an exponent: 1e-09.
    const [exponent] = /e[+-]\d$/.exec(text) ?? [];
    if (exponent === undefined) return false;
    writer.ascii('value', `${text.slice(0, -1)}0${text.at(-1)}`);
    return true;
  }
  if (!isOtlpId(field)) return false;
  scalars.quoted([...(value as Uint8Array)].map((byte) => byte.toString(16).padStart(2, '0')).join(''));
  return true;
}

export const JSON_OTLP: EncodingRow = {
  id: 'json-otlp',
  label: 'OTLP/JSON',
  mapping: 'As JSON, with trace and span ids in hex and enums as numbers: the form of OTLP over HTTP.',
  isCommon: true,
  separator: 0x0a,
  isFor: ({ fullName }) => isOtlp(fullName),
  write: (subject, rows) => encodeJson(subject, rows, { nameOf: keyNameOf, scalar, escapes: FEW_ESCAPES }),
};
