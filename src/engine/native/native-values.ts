/** Values of native rows. */

import { varintHigh, varintLow } from '../bytes/varint.ts';
import type { FieldType } from '../schema/descriptor.ts';
import type { IntForm } from './layout.ts';
import type { Int64 } from './output.ts';
import { isSigned } from './wire-values.ts';

/** The integer in bytes[start, end), sign-extended by its proto type; without a form, a boolean byte. */
export function readNativeInt(
  bytes: Uint8Array,
  start: number,
  end: number,
  form: IntForm | undefined,
  type: FieldType,
): Int64 {
  if (form === undefined) return { low: bytes[start]!, high: 0 };
  if (form.kind === 'varint') {
    const low = varintLow(bytes, start, end);
    const high = varintHigh(bytes, start, end);
    if (form.zigzag) {
      const sign = -(low & 1);
      return { low: ((low >>> 1) | (high << 31)) ^ sign, high: (high >>> 1) ^ sign };
    }
    return form.bits === 32 ? { low, high: isSigned(type) ? low >> 31 : 0 } : { low, high };
  }
  let low = 0;
  let high = 0;
  for (let i = 0; i < form.bytes; i++) {
    const byte = bytes[form.order === 'little' ? start + i : end - 1 - i]!;
    if (i < 4) low |= byte << (i * 8);
    else high |= byte << ((i - 4) * 8);
  }
  if (form.bytes === 8) return { low, high };
  if (!isSigned(type)) return { low, high: 0 };
  const unused = 32 - form.bytes * 8;
  low = unused > 0 ? (low << unused) >> unused : low;
  return { low, high: low >> 31 };
}

/** A string's body, one UTF-16 unit after the other; `lone`: half a surrogate pair is among them. */
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
