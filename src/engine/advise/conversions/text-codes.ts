/** Text forms of bytes or of a number: hex, UUID, base64, base64url, decimal. */
import { hexOf } from '../../bytes/hex.ts';
import { latin1 } from '../../bytes/latin1.ts';
import { integer, type TreeValue } from '../value-tree.ts';
import type { ValueMapping } from './conversion.ts';

export interface TextCode {
  /** The name in the `value` of a change. */
  readonly name: string;
  readonly matches: RegExp;
  /** The kind of value that the text represents: bytes, or an integer. */
  readonly spells: 'bytes' | 'integer';
  readonly mapping: ValueMapping;
}

const textOf = (value: TreeValue): string => latin1(value as Uint8Array, 0, (value as Uint8Array).length);

const bytesOf = (text: string): Uint8Array => {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
};

const fromHex = (text: string): Uint8Array => {
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return bytes;
};

const only =
  (pattern: RegExp, map: (text: string) => TreeValue) =>
  (value: TreeValue): TreeValue | undefined => {
    const text = textOf(value);
    return pattern.test(text) ? map(text) : undefined;
  };

const uuidText = (hex: string): string =>
  hex === '' ? '' : [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');

const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const STANDARD = `${LETTERS_AND_DIGITS}+/`;
const OF_URLS = `${LETTERS_AND_DIGITS}-_`;

function base64Of(bytes: Uint8Array, digits: string, pad: string): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const group = (bytes[at]! << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    const four = [18, 12, 6, 0].map((shift) => digits[(group >> shift) & 63]!);
    text += four
      .slice(0, Math.min(4, bytes.length - at + 1))
      .join('')
      .padEnd(4, pad);
  }
  return text;
}

function fromBase64(text: string, digits: string): Uint8Array | undefined {
  const own = text.replace(/={0,2}$/, '');
  const bytes = new Uint8Array(Math.floor((own.length * 3) / 4));
  let group = 0;
  let at = 0;
  for (let i = 0; i < own.length; i++) {
    const digit = digits.indexOf(own[i]!);
    if (digit < 0) return undefined;
    group = ((group << 6) | digit) & 0xff_ffff;
    if (i % 4 > 0) bytes[at++] = (group >> (6 - 2 * (i % 4))) & 255;
  }
  return bytes;
}

/** https://www.rfc-editor.org/rfc/rfc4648 @param pad '': without padding */
function base64(name: string, matches: RegExp, digits: string, pad: '=' | ''): TextCode {
  return {
    name,
    matches,
    spells: 'bytes',
    mapping: {
      to(value) {
        const text = textOf(value);
        const bytes = fromBase64(text, digits);
        return bytes !== undefined && base64Of(bytes, digits, pad) === text ? bytes : undefined;
      },
      back: (value) => bytesOf(base64Of(value as Uint8Array, digits, pad)),
    },
  };
}

/** Texts of digits alone are also hex: the first that fits is proposed. */
export const TEXT_CODES: readonly TextCode[] = [
  {
    name: 'decimal',
    matches: /^decimal/i,
    spells: 'integer',
    mapping: {
      // As many digits as 64 bits may have.
      to: only(/^(0|-?[1-9][0-9]{0,19})$/, (text) => integer(BigInt(text))),
      back: (value) => bytesOf(String(value)),
    },
  },
  {
    name: 'lower-case hex',
    matches: /^lower-case hex/i,
    spells: 'bytes',
    mapping: {
      to: only(/^([0-9a-f]{2})*$/, fromHex),
      back: (value) => bytesOf(hexOf(value as Uint8Array)),
    },
  },
  {
    name: 'upper-case hex',
    matches: /^upper-case hex/i,
    spells: 'bytes',
    mapping: {
      to: only(/^([0-9A-F]{2})*$/, fromHex),
      back: (value) => bytesOf(hexOf(value as Uint8Array).toUpperCase()),
    },
  },
  {
    name: 'lower-case UUID',
    matches: /^(lower-case )?uuid/i,
    spells: 'bytes',
    mapping: {
      to: only(/^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})?$/, (text) =>
        fromHex(text.replaceAll('-', '')),
      ),
      back: (value) => bytesOf(uuidText(hexOf(value as Uint8Array))),
    },
  },
  base64('base64', /^base64\b/i, STANDARD, '='),
  base64('padded base64url', /^padded base64url/i, OF_URLS, '='),
  base64('base64url', /^base64url/i, OF_URLS, ''),
];
