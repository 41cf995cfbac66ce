/**
 * The codings of an HTTP body: those of its headers, unless its bytes show another one. Clients of Loki send snappy
 * blocks without a Content-Encoding, for example.
 */
import { SLICE } from '../../compression/codec.ts';
import { formatOf } from '../../compression/formats.ts';
import { decodeBody } from '../../compression/registry.ts';
import { maySnappy, sniffCodec } from '../../compression/signatures.ts';
import { looksLikeMessage } from '../plausible-message.ts';
import type { HttpBody } from './http-types.ts';
import type { EmittedMessage } from './transport.ts';

/** @param body borrowed */
export function bodySteps(explained: HttpBody, body: Uint8Array): Pick<EmittedMessage, 'steps' | 'otherCoding'> {
  const { steps } = explained;
  const [outer, ...inner] = steps;
  const found = codingOf(explained, body);
  if (found === null || found === outer) return { steps };
  const [actual, named = 'none'] = [found, outer].map((id) => id && (formatOf(id)?.label ?? id));
  return { steps: [found, ...inner], otherCoding: `is compressed with ${actual}, though its headers name ${named}` };
}

/** The coding that the bytes show; null: none. */
function codingOf({ steps, format, envelope }: HttpBody, body: Uint8Array): string | null {
  const signed = sniffCodec(body);
  if (signed !== null) {
    if (signed === steps[0]) return signed;
    const decoded = decodeBody(body, signed, SLICE);
    // The rest of a large one is decoded later.
    return decoded.ok || decoded.reason === 'limit' ? signed : null;
  }
  // A snappy block has no signature.
  const mayBeBlock = steps.length === 0 && format === undefined && envelope === undefined;
  if (!mayBeBlock || !maySnappy(body, body.length) || isMessage(body)) return null;
  const plain = decodeBody(body, 'snappy');
  return plain.ok && isMessage(plain.bytes) ? 'snappy' : null;
}

const isMessage = (bytes: Uint8Array): boolean => looksLikeMessage(bytes, 0, bytes.length, new Map());
