/**
 * A body whose headers name no coding → the coding that its contents show. Clients of Loki send snappy blocks without a
 * Content-Encoding, for example.
 */
import { decodeBody } from '../../compression/registry.ts';
import { maySnappy, sniffCodec } from '../../compression/signatures.ts';
import { looksLikeMessage } from '../plausible-message.ts';
import type { HttpBody } from './http-types.ts';

const isMessage = (bytes: Uint8Array): boolean => looksLikeMessage(bytes, 0, bytes.length, new Map());

/** The decoders of the body: those that its headers name, or, where they name none, those of a body that is not a message as it is. */
export function bodySteps({ steps, format, envelope }: HttpBody, body: Uint8Array): readonly string[] {
  if (steps.length > 0 || format !== undefined || envelope !== undefined) return steps;
  const signed = sniffCodec(body);
  const codec = signed ?? (maySnappy(body, body.length) ? 'snappy' : null);
  if (codec === null || isMessage(body)) return steps;
  const plain = decodeBody(body, codec);
  return plain.ok && (signed !== null || isMessage(plain.bytes)) ? [codec] : steps;
}
