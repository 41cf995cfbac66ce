/**
 * Figures of what was read as protobuf → whether it is any, and what speaks against it. Any bytes get a profile, in which
 * those that no record explains are unattributed: where these are most, the reader is to know first of all.
 */
import type { Diagnostic } from '../model/diagnostic.ts';
import { isDoubtful, type Profile } from './profile.ts';

export interface Doubt {
  readonly verdict: string;
  /** Sentences. */
  readonly facts: readonly string[];
}

/** First bytes of common file formats, as Latin-1. */
const SIGNATURES: readonly (readonly [bytes: string, what: string])[] = [
  ['\x89PNG\r\n', 'a PNG picture'],
  ['\xff\xd8\xff', 'a JPEG picture'],
  ['GIF8', 'a GIF picture'],
  ['%PDF-', 'a PDF document'],
  ['\x7fELF', 'an ELF program or library'],
  ['MZ', 'a Windows program'],
  ['\xcf\xfa\xed\xfe', 'a macOS program'],
  ['\0asm', 'a WebAssembly module'],
  ['\xca\xfe\xba\xbe', 'a Java class'],
  ['PK\x03\x04', 'a ZIP archive'],
  ['\x1f\x8b', 'gzip'],
  ['\x28\xb5\x2f\xfd', 'zstd'],
  ['\xff\x06\0\0sNaPpY', 'snappy, framed'],
  ['BZh', 'bzip2'],
  ['\xfd7zXZ\0', 'xz'],
  ['SQLite format 3\0', 'an SQLite database'],
  ['wOF', 'a font'],
];

/** A message that was sound as far as it came ends with one of these. */
const CUT = /^wire\/(length-past-end|truncated-.*|unended-group)$/;
const TEXT_LOOKED_AT = 1 << 16;
/** Beyond this, field numbers are rare. */
const LARGE_NUMBER = 1000;

/** @param first the bytes of one of the messages, if they are in memory. @returns null where most bytes have a field */
export function doubtOf(profile: Profile, diagnostics: readonly Diagnostic[], first?: Uint8Array): Doubt | null {
  if (!isDoubtful(profile)) return null;
  const { messages, bytes, unattributed, fields } = profile;
  const errors = diagnostics.filter(({ severity, space }) => severity === 'error' && space === 'message');
  const known = first && signatureOf(first);
  const isText = first !== undefined && isTextual(first);
  const figures = `${count(unattributed)} of ${count(bytes.protobuf)} bytes (${printShare(unattributed / bytes.protobuf)})`;
  const isCut = errors.length > 0 && errors.every(({ code }) => CUT.test(code)) && known === undefined && !isText;
  if (isCut) {
    return {
      verdict: messages === 1 ? 'This message is cut.' : 'Messages are cut.',
      facts: [`${figures} belong to fields that do not end.`, ...stopsAt(errors, messages)],
    };
  }
  const largest = fields.reduce((most, { parent, number }) => (parent === '' ? Math.max(most, number) : most), 0);
  const verdict =
    errors.length === 0
      ? 'Most of the bytes could not be read.'
      : `${messages === 1 ? 'This does' : 'These do'} not look like protobuf.`;
  return {
    verdict,
    facts: [
      `${figures} belong to no field.`,
      ...(known === undefined ? [] : [`It begins as ${known} does.`]),
      ...(isText ? ['It is text from its first byte on.'] : []),
      ...stopsAt(errors, messages),
      ...(largest > LARGE_NUMBER ? [`Field numbers reach ${count(largest)}, which schemas seldom do.`] : []),
    ],
  };
}

/** 100 % is all of it, and nothing less. */
const printShare = (share: number): string => `${(Math.floor(share * 1000) / 10).toFixed(share === 1 ? 0 : 1)} %`;
const count = (value: number): string => value.toLocaleString('en');

function signatureOf(bytes: Uint8Array): string | undefined {
  const starts = (signature: string): boolean =>
    [...signature].every((character, at) => bytes[at] === character.charCodeAt(0));
  return SIGNATURES.find(([signature]) => starts(signature))?.[1];
}

/** A text hardly begins with a line break, which is also the commonest tag. */
function isTextual(bytes: Uint8Array): boolean {
  const seen = bytes.subarray(0, TEXT_LOOKED_AT);
  try {
    // As if more came: a character may be cut.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(seen, { stream: true });
    return [...text].every((character, at) => character >= ' ' || (at > 0 && '\t\n\r'.includes(character)));
  } catch {
    return false;
  }
}

function stopsAt(errors: readonly Diagnostic[], messages: number): readonly string[] {
  const [error] = errors;
  if (error === undefined) return [];
  const where = messages === 1 || error.ordinal === undefined ? '' : ` of message ${count(error.ordinal)}`;
  return [`Reading stops at byte ${count(error.start)}${where}. ${error.message}`];
}
