/** Reads values of native rows. */

import type { FieldType } from '../schema/descriptor.ts';
import { Input } from './input.ts';
import type { IntForm } from './layout.ts';
import type { Int64 } from './output.ts';
import { isSigned } from './wire-values.ts';

const input = new Input();

/** The integer in bytes[start, end), sign-extended according to its proto type. */
export function readNativeInt(bytes: Uint8Array, start: number, end: number, form: IntForm, type: FieldType): Int64 {
  input.begin(bytes, start, end);
  input.int(form);
  const { low, high } = input;
  const bits = form.kind === 'fixed' ? form.bytes * 8 : form.bits;
  if (bits === 64 || isSigned(type) || (form.kind !== 'fixed' && form.zigzag)) return { low, high };
  return { low: bits === 32 ? low : low & (2 ** bits - 1), high: 0 };
}

/** Decodes a string's body, one UTF-16 unit after another. `lone`: it contains half a surrogate pair. */
export function decodeCesu8(body: Uint8Array): { text: string; lone: boolean } {
  const units: number[] = [];
  const parts: string[] = [];
  for (let at = 0; at < body.length; ) {
    const lead = body[at]!;
    if (lead < 0x80) {
      units.push(lead);
      at += 1;
    } else if (lead < 0xe0) {
      units.push(((lead & 31) << 6) | (body[at + 1]! & 63));
      at += 2;
    } else {
      units.push(((lead & 15) << 12) | ((body[at + 1]! & 63) << 6) | (body[at + 2]! & 63));
      at += 3;
    }
    if (units.length === 4096) parts.push(String.fromCharCode(...units.splice(0)));
  }
  parts.push(String.fromCharCode(...units));
  const text = parts.join('');
  return { text, lone: LONE_SURROGATE.test(text) };
}

const LONE_SURROGATE = /\p{Surrogate}/u;
