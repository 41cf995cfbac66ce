/**
 * A body that contains several messages, each after a prefix or up to a separator, or one in the envelope of Kubernetes.
 *
 *   gRPC        flags, size as 4 bytes big-endian │ message     gRPC-web, Connect
 *   delimited   size as varint │ message                        Prometheus's metrics in protobuf
 *   streamed    size as varint, CRC-32C │ message               Prometheus's remote read, `ChunkedReadResponse`
 *   Kubernetes  `kubernetes.ts`                                 objects, and the events of a watch
 *   JSON        `json-parts.ts`                                 an object on each line, in each event, in each record
 */
import { uint32be } from '../../bytes/integers.ts';
import { VARINT_TRUNCATED, varintEnd, varintNumber } from '../../bytes/varint.ts';
import type { LayerTally } from '../../capture/containers/packets-layers.ts';
import { isCompressed } from '../../compression/registry.ts';
import { sniffCodec } from '../../compression/signatures.ts';
import { kubernetesObject, SIZE, watchEventEnd, watchedObject } from '../unwrap/kubernetes.ts';
import { isJson } from './detect-message-body.ts';
import type { EnvelopePart } from './envelope-part.ts';
import { type JsonEnvelope, jsonPartAt, jsonPartEnd } from './json-parts.ts';

export interface GrpcEnvelope {
  readonly layer: 'grpc';
  /** Flag bit 0: compressed with it. */
  readonly codec: string | null;
  /** The flag bit of a part without a message; 0: no flag has this meaning. */
  readonly end: number;
  /** A longer message is evidence that this is not the envelope. */
  readonly longest?: number;
}

/** `layer`: where the bytes around messages are entered. */
export type Envelope =
  | GrpcEnvelope
  /** `checksum`: bytes after the size. */
  | { readonly layer: 'size-prefix'; readonly checksum: number }
  /** Otherwise the body is one object. */
  | { readonly layer: 'kubernetes'; readonly isWatch: boolean }
  | JsonEnvelope;

const GRPC_PREFIX = 5;

/** Whether parts of the body are known before its end. */
const isStreamed = (envelope: Envelope): boolean => envelope.layer !== 'kubernetes' || envelope.isWatch;

/** The envelope whose messages are read as they come; null: the body is one message, or it is read when it is whole. */
export const streamedEnvelope = (
  body: { readonly envelope?: Envelope; readonly steps: readonly string[] } | null,
): Envelope | null =>
  body?.envelope !== undefined && body.steps.length === 0 && isStreamed(body.envelope) ? body.envelope : null;

/** The code of a finding about a message in an envelope. */
export const codeIn = ({ layer }: Envelope, fault: 'incomplete' | 'prefix' | 'too-large'): string =>
  `${layer === 'grpc' ? 'grpc' : 'http'}/${fault}`;

/**
 * Bytes that have to be known to look for a part that begins at 0. Infinity: more than `bytes` has.
 * @param known bytes that are known
 * @param last the last one of them; null: there are none
 * @param bytes the following bytes, from `at` on
 */
export function goalOf(envelope: Envelope, known: number, last: number | null, bytes: Uint8Array, at: number): number {
  if ('form' in envelope) {
    const end = jsonPartEnd(envelope.form, last, bytes, at);
    return end < 0 ? Number.POSITIVE_INFINITY : known + end - at;
  }
  return envelope.layer === 'grpc' ? GRPC_PREFIX : envelope.layer === 'kubernetes' ? SIZE : known + 1;
}

/** Enters the bytes of a whole part. @param at where it begins in its body */
export function enterPart(
  layers: LayerTally,
  { layer }: Envelope,
  { start, end, next, isMessage, isOther = false, codec }: EnvelopePart,
  at: number,
): void {
  const size = isMessage || isOther ? end - start : 0;
  layers[isOther ? 'other-bodies' : codec !== null && isCompressed([codec]) ? 'compressed' : 'message'] += size;
  layers[layer] += next - at - size;
}

/**
 * The part that begins at `at`. `more`: its prefix or what is before its separator is not whole; `no`: none begins there.
 * @param isEnd the bytes are all of the body
 */
export function partAt(body: Uint8Array, at: number, envelope: Envelope, isEnd: boolean): EnvelopePart | 'more' | 'no' {
  if ('form' in envelope) return jsonPartAt(body, at, envelope, isEnd);
  if (envelope.layer === 'grpc') return grpcPart(body, at, envelope);
  return envelope.layer === 'size-prefix'
    ? sizedPart(body, at, envelope.checksum)
    : kubernetesPart(body, at, envelope.isWatch);
}

/** Whether the bytes are whole messages, at least one. */
export function tiles(bytes: Uint8Array, envelope: Envelope): boolean {
  let messages = 0;
  for (let at = 0; at < bytes.length; ) {
    const part = partAt(bytes, at, envelope, true);
    if (typeof part === 'string' || part.next > bytes.length) return false;
    // Any text is lines.
    if ('form' in envelope && (part.isOther || (part.isMessage && !isWholeText(bytes, part)))) return false;
    at = part.next;
    if (part.isMessage) messages++;
  }
  return messages > 0;
}

/** Whether a part that may begin before these bytes does not. */
export const isWholeText = (bytes: Uint8Array, { start, end, isMessage }: EnvelopePart): boolean =>
  isMessage && isJson(bytes.subarray(start, end));

function grpcPart(
  body: Uint8Array,
  at: number,
  { codec, end: endFlag, longest = Number.POSITIVE_INFINITY }: GrpcEnvelope,
): EnvelopePart | 'more' | 'no' {
  if (at === body.length) return 'more';
  const flags = body[at]!;
  if ((flags & ~(endFlag | 1)) !== 0) return 'no';
  const start = at + GRPC_PREFIX;
  if (start > body.length) return 'more';
  const end = start + uint32be(body, at + 1);
  if (end - start > longest) return 'no';
  const isMessage = (flags & endFlag) === 0;
  const packedBy = (): string => codec ?? sniffCodec(body.subarray(start, end)) ?? 'unknown';
  return { start, end, next: end, isMessage, codec: flags & 1 ? packedBy() : null };
}

function sizedPart(body: Uint8Array, at: number, checksum: number): EnvelopePart | 'more' | 'no' {
  const sizeEnd = varintEnd(body, at, body.length);
  if (sizeEnd < 0) return sizeEnd === VARINT_TRUNCATED ? 'more' : 'no';
  const start = sizeEnd + checksum;
  const end = start + varintNumber(body, at, sizeEnd);
  return { start, end, next: end, isMessage: true, codec: null };
}

function kubernetesPart(body: Uint8Array, at: number, isWatch: boolean): EnvelopePart | 'more' | 'no' {
  const next = isWatch ? watchEventEnd(body, at) : body.length;
  if (next === null) return 'more';
  if (!isWatch) {
    const object = kubernetesObject(body, { start: at, end: next });
    return object === null ? 'no' : { ...object, next, isMessage: true, codec: null };
  }
  const object = next > body.length ? null : watchedObject(body, at, next);
  return { ...(object ?? { start: at + SIZE, end: next }), next, isMessage: object !== null, codec: null };
}
