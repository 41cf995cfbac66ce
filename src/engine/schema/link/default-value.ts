/** Converts a written default to the text that protoc stores in FieldDescriptorProto.default_value. */
import type { RawValue } from '../declaration.ts';
import type { FieldType } from '../descriptor.ts';
import { integerOf, numberOf } from '../text/literal.ts';

export type Default = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly expected: string };

const bad = (expected: string): Default => ({ ok: false, expected });
const good = (text: string): Default => ({ ok: true, text });

export function printDefault(value: RawValue, type: FieldType, enumNames: readonly string[] | undefined): Default {
  switch (type) {
    case 'message':
    case 'group':
      return bad('no default: messages have none');
    case 'string':
      return value.kind === 'string' ? good(new TextDecoder().decode(value.bytes)) : bad('text in quotes');
    case 'bytes':
      return value.kind === 'string' ? good(escapeBytes(value.bytes)) : bad('text in quotes');
    case 'bool':
      return value.kind === 'identifier' && /^(true|false)$/.test(value.text) ? good(value.text) : bad('true or false');
    case 'enum':
      return value.kind === 'identifier' && enumNames?.includes(value.text)
        ? good(value.text)
        : bad('a value of the enum');
    case 'float':
    case 'double': {
      const read = numberOf(value);
      if (read === undefined) return bad('a number');
      // The sign of a default is kept, unlike that of an option.
      const number = read === 0 && value.kind === 'number' && value.negative ? -0 : read;
      return good(type === 'float' ? printFloat(number) : printDouble(number));
    }
    default: {
      const integer =
        value.kind === 'number' && value.negative && /^(uint|fixed)/.test(type) ? undefined : integerOf(value, type);
      return integer === undefined ? bad(`a whole number that ${type} holds`) : good(String(integer));
    }
  }
}

/** C's `%.*g`. */
function printG(value: number, digits: number): string {
  const [mantissa, exponentText] = roundEven(value, digits).split('e') as [string, string];
  const exponent = Number(exponentText);
  const trim = (text: string) => (text.includes('.') ? text.replace(/\.?0*$/, '') : text);
  if (exponent < -4 || exponent >= digits) {
    const sign = exponent < 0 ? '-' : '+';
    return `${trim(mantissa)}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
  }
  return trim(movePoint(mantissa, exponent));
}

/** `1.25` by 1 → `12.5`, by −2 → `0.0125`. The given digits must extend beyond the decimal point. */
function movePoint(mantissa: string, by: number): string {
  const sign = mantissa.startsWith('-') ? '-' : '';
  const written = mantissa.replace(/[-.]/g, '');
  const digits = '0'.repeat(Math.max(0, -by)) + written;
  const whole = Math.max(by, 0) + 1;
  return `${sign}${digits.slice(0, whole)}.${digits.slice(whole)}`;
}

/** JavaScript rounds ties away from zero, and C rounds them to the even digit. */
function roundEven(value: number, digits: number): string {
  const exact = value.toExponential(100);
  const cut = exact.indexOf('.') + digits;
  const isTie = /^50*e/.test(exact.slice(cut));
  if (!isTie || Number(exact[cut - 1]) % 2 === 1) return value.toExponential(digits - 1);
  return exact.slice(0, cut) + exact.slice(exact.indexOf('e'));
}

const special = (value: number): string | undefined => {
  if (Number.isNaN(value)) return 'nan';
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0' : undefined;
  return value > 0 ? 'inf' : '-inf';
};

/** Prints 15 digits if they read back as the same value, else 17. */
function printDouble(value: number): string {
  const short = special(value) ?? printG(value, 15);
  return special(value) !== undefined || Number(short) === value ? short : printG(value, 17);
}

/** Prints 6 digits if they read back as the same float, else 9. protoc always prints 9 for subnormal values. */
function printFloat(written: number): string {
  const value = Math.fround(written);
  const known = special(value);
  if (known !== undefined) return known;
  const short = printG(value, 6);
  const isNormal = value === 0 || Math.abs(value) >= 2 ** -126;
  return isNormal && Math.fround(Number(short)) === value ? short : printG(value, 9);
}

const NAMED: Readonly<Record<number, string>> = { 9: '\\t', 10: '\\n', 13: '\\r', 34: '\\"', 39: "\\'", 92: '\\\\' };

/** C escapes; octal for bytes without a named escape. */
export function escapeBytes(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) {
    if (NAMED[byte] !== undefined) text += NAMED[byte];
    else if (byte >= 32 && byte < 127) text += String.fromCharCode(byte);
    else text += `\\${byte.toString(8).padStart(3, '0')}`;
  }
  return text;
}
