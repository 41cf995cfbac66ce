/**
 * A body that contains several messages, each after a prefix.
 *
 *   gRPC       flags, size as 4 bytes big-endian │ message     gRPC-web, Connect
 *   delimited  size as varint │ message                        Prometheus's metrics in protobuf
 *   streamed   size as varint, CRC-32C │ message               Prometheus's remote read, `ChunkedReadResponse`
 */
import { uint32be } from '../../bytes/integers.ts';
import { varintEnd, varintNumber } from '../../bytes/varint.ts';
import { sniffCodec } from '../../compression/signatures.ts';

/** `layer`: where prefixes are entered. */
export type Envelope =
  /** Flag bit 0: compressed with `codec`. `end`: the flag bit of a part without a message. */
  | { readonly layer: 'grpc'; readonly codec: string | null; readonly end: number }
  /** `checksum`: bytes after the size. */
  | { readonly layer: 'size-prefix'; readonly checksum: number };

export interface EnvelopePart {
  /** Bytes before the message. */
  readonly prefix: number;
  /** Offsets of the message in the body. */
  readonly start: number;
  readonly end: number;
  readonly isMessage: boolean;
  /** null: it is not compressed. */
  readonly codec: string | null;
}

const GRPC_PREFIX = 5;

/** The part whose prefix begins at `at`; null: it is not whole. */
export const partAt = (body: Uint8Array, at: number, envelope: Envelope): EnvelopePart | null =>
  envelope.layer === 'grpc' ? grpcPart(body, at, envelope) : sizedPart(body, at, envelope.checksum);

function grpcPart(
  body: Uint8Array,
  at: number,
  { codec, end: endFlag }: Extract<Envelope, { layer: 'grpc' }>,
): EnvelopePart | null {
  const start = at + GRPC_PREFIX;
  if (start > body.length) return null;
  const flags = body[at]!;
  const end = start + uint32be(body, at + 1);
  if (end > body.length) return null;
  const isMessage = (flags & endFlag) === 0;
  const packedBy = (): string => codec ?? sniffCodec(body.subarray(start, end)) ?? 'unknown';
  return { prefix: GRPC_PREFIX, start, end, isMessage, codec: isMessage && flags & 1 ? packedBy() : null };
}

function sizedPart(body: Uint8Array, at: number, checksum: number): EnvelopePart | null {
  const sizeEnd = varintEnd(body, at, body.length);
  if (sizeEnd < 0) return null;
  const start = sizeEnd + checksum;
  const end = start + varintNumber(body, at, sizeEnd);
  return end > body.length ? null : { prefix: start - at, start, end, isMessage: true, codec: null };
}

/** Bytes of the parts that are whole. */
export function wholeParts(body: Uint8Array, envelope: Envelope): number {
  let at = 0;
  for (let part = partAt(body, 0, envelope); part !== null; part = partAt(body, at, envelope)) at = part.end;
  return at;
}
