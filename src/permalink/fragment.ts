/**
 * Shared data ⇄ the fragment of a link, the part after `#`, which browsers do not send.
 *
 *   w2-9881-1x2ab3c-7Vpdb9s2FH3Pr…w
 *   │  │    │       │            └ because chat programs may cut a trailing - or _
 *   │  │    │       └ base64url of raw DEFLATE (RFC 1951) of the parcel
 *   │  │    └ CRC-32 of all but length and checksum itself, base 36
 *   │  └ characters after the last -, decimal
 *   └ version
 *
 *   parcel   length of the JSON, four bytes, big-endian │ JSON, UTF-8 │ the bytes that it names by start and end
 *
 * Length and checksum come first, so that a link which was cut or changed on its way is detected. Text behind a whole
 * link is not read: programs that make links of text take a full stop or a bracket behind it for its end. Reading takes
 * at most MAX_FRAGMENT characters and MAX_PARCEL bytes for any input, and never throws.
 */
import { deflateSync } from 'fflate';
import { crc32 } from '#engine/bytes/crc32.ts';
import { decodeBase64url, encodeBase64url } from './base64url.ts';
import { inflateWithin } from './bounded-inflate.ts';
import { faulty, type Opening } from './fault.ts';
import { packShared, unpackShared } from './pack-shared.ts';
import type { Shared } from './shared.ts';
import { VERSION } from './upgrades.ts';

/** The maximum length of a fragment in characters. Browsers accept 2 MB; software must accept 8,000. */
export const MAX_FRAGMENT = 1_000_000;
/** Most plain bytes of a link, 8 MiB. */
export const MAX_PARCEL = 8 << 20;

const HEADER = /^w([1-9]\d{0,3})-(0|[1-9]\d{0,9})-([0-9a-z]{7})-/;
const END = 'w';

/** The fragment without `#`; null: it would be too large to be opened. */
export function encodeFragment(shared: Shared): string | null {
  const { json, bytes } = packShared(shared);
  const text = new TextEncoder().encode(json);
  if (4 + text.length + bytes.length > MAX_PARCEL) return null;
  const parcel = new Uint8Array(4 + text.length + bytes.length);
  new DataView(parcel.buffer).setUint32(0, text.length);
  parcel.set(text, 4);
  parcel.set(bytes, 4 + text.length);
  const body = encodeBase64url(deflateSync(parcel, { level: 9 })) + END;
  const fragment = `w${VERSION}-${body.length}-${checksum(String(VERSION), body)}-${body}`;
  return fragment.length > MAX_FRAGMENT ? null : fragment;
}

export async function decodeFragment(fragment: string): Promise<Opening<Shared>> {
  if (fragment.length > MAX_FRAGMENT) {
    return faulty(
      'too-large',
      `The link has ${fragment.length} characters; ${MAX_FRAGMENT} are the most that are read.`,
    );
  }
  const header = HEADER.exec(fragment);
  if (header === null) return withoutHeader(fragment);
  const [all, version, claimed, sum] = header as unknown as [string, string, string, string];
  const length = Number(claimed);
  const carried = fragment.length - all.length;
  const body = fragment.slice(all.length, all.length + length);
  const isWhole = checksum(version, body) === sum;
  if (!isWhole && carried < length) {
    const whole = all.length + length;
    const missing = length - carried;
    return faulty(
      'cut',
      `The link was cut: ${fragment.length} of its ${whole} characters are there, ${missing} ${missing === 1 ? 'is' : 'are'} missing.`,
    );
  }
  if (isWhole ? carried < length : carried !== length) {
    return faulty('altered', `The link was changed: it says ${length} characters and has ${carried}.`);
  }
  if (!isWhole) {
    return faulty('altered', 'The link was changed: its checksum is wrong.');
  }
  if (Number(version) > VERSION) {
    return faulty('newer', `The link is of version ${version}; this app reads versions up to ${VERSION}.`);
  }
  const packed = body.endsWith(END) ? decodeBase64url(body.slice(0, -END.length)) : undefined;
  if (packed === undefined) return faulty('malformed', 'The link holds characters outside its alphabet.');
  const parcel = await inflateWithin(packed, MAX_PARCEL);
  if (!parcel.ok) {
    return parcel.reason === 'limit'
      ? faulty('too-large', `The link decompresses to more than ${MAX_PARCEL} bytes.`)
      : faulty('malformed', 'The link cannot be decompressed.');
  }
  return openParcel(parcel.bytes, Number(version));
}

function openParcel(parcel: Uint8Array, version: number): Opening<Shared> {
  const length = parcel.length < 4 ? Number.NaN : new DataView(parcel.buffer, parcel.byteOffset).getUint32(0);
  if (!(length <= parcel.length - 4)) return faulty('malformed', 'The link is shorter than its beginning states.');
  let json: string;
  try {
    json = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(parcel.subarray(4, 4 + length));
  } catch {
    return faulty('malformed', 'The text of the link is not UTF-8.');
  }
  return unpackShared(json, parcel.subarray(4 + length), version);
}

/** Refuses a fragment whose header is incomplete. */
function withoutHeader(fragment: string): Opening<Shared> {
  const began = /^w(\d{0,4}(-(\d{0,10}(-([0-9a-z]{0,7})?)?)?)?)?$/.test(fragment);
  return began
    ? faulty('cut', 'The link was cut near its beginning; all it carries is missing.')
    : faulty('no-link', 'The part after # is not a link of this app, or its beginning changed.');
}

function checksum(version: string, body: string): string {
  return crc32(new TextEncoder().encode(`w${version}-${body}`))
    .toString(36)
    .padStart(7, '0');
}
