/**
 * Values → canonical protobuf: fields sorted by number, map entries sorted by key, packed if the schema packs, shortest
 * varints. Each singular field has one record, and unknown fields are left out.
 */

import { Output } from '../native/output.ts';
import { halvesOf, toVarint } from '../native/wire-values.ts';
import type { FieldDescriptor } from '../schema/descriptor.ts';
import { isMessageSet } from '../schema/link/rules.ts';
import { wireTypeOf } from '../schema/wire-types.ts';
import { fixedSize } from '../wire/encoding-facts.ts';
import { isMessageField, type MessageValue, type Scalar, type SetField } from './message-value.ts';

export function writeProtobuf(value: MessageValue): Uint8Array {
  const out = new Output();
  message(out, value);
  return out.finish();
}

const tag = (out: Output, number: number, wireType: number): void => out.varint64((number << 3) | wireType, 0);

function message(out: Output, { type, fields }: MessageValue): void {
  for (const set of fields) {
    if (set.field.isExtension && isMessageSet(type)) setItem(out, set);
    else field(out, set);
  }
}

/** `group 1 { type_id = 2 │ message = 3 }`: descriptor.proto, message_set_wire_format. */
function setItem(out: Output, { field: { number }, items }: SetField): void {
  for (const { value } of items) {
    tag(out, 1, 3);
    tag(out, 2, 0);
    out.varint64(number, 0);
    prefixed(out, 3, (inner) => message(inner, value as MessageValue));
    tag(out, 1, 4);
  }
}

function field(out: Output, { field: descriptor, items, entries }: SetField): void {
  const { number } = descriptor;
  if (descriptor.cardinality === 'map') {
    const [key, value] = [descriptor.message!.byNumber.get(1)!, descriptor.message!.byNumber.get(2)!];
    for (const entry of entries) {
      prefixed(out, number, (inner) => {
        record(inner, key, entry.key.value);
        record(inner, value, entry.value.value);
      });
    }
  } else if (descriptor.packed && descriptor.cardinality === 'repeated') {
    prefixed(out, number, (inner) => {
      for (const { value } of items) scalar(inner, descriptor, value as Scalar);
    });
  } else for (const { value } of items) record(out, descriptor, value);
}

function record(out: Output, descriptor: FieldDescriptor, value: Scalar | MessageValue): void {
  const wireType = wireTypeOf(descriptor.type);
  if (isMessageField(descriptor)) {
    if (wireType === 2) prefixed(out, descriptor.number, (inner) => message(inner, value as MessageValue));
    else {
      tag(out, descriptor.number, wireType);
      message(out, value as MessageValue);
      tag(out, descriptor.number, 4);
    }
    return;
  }
  tag(out, descriptor.number, wireType);
  if (wireType === 2) out.varint64((value as Uint8Array).length, 0);
  scalar(out, descriptor, value as Scalar);
}

/** Contents are written first, and then moved by the width of their length. */
function prefixed(out: Output, number: number, contents: (out: Output) => void): void {
  tag(out, number, 2);
  const start = out.length;
  contents(out);
  out.insertInt(start, { kind: 'varint', bits: 64, zigzag: false }, out.length - start);
}

function scalar(out: Output, { type }: FieldDescriptor, value: Scalar): void {
  if (value instanceof Uint8Array) {
    out.raw(value);
    return;
  }
  const { low, high } = halvesOf(value);
  if (fixedSize(type) === 8) out.int({ kind: 'fixed', bytes: 8, order: 'little' }, low, high);
  else if (fixedSize(type) === 4) out.int({ kind: 'fixed', bytes: 4, order: 'little' }, low, high);
  else {
    const varint = toVarint({ low, high }, type);
    out.varint64(varint.low, varint.high);
  }
}
