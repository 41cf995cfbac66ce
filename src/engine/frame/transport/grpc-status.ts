/**
 * The status that a call ended with. gRPC has it in the trailers, by number
 * (https://github.com/grpc/grpc/blob/master/doc/statuscodes.md). In the last part of the body, gRPC-web has the trailers
 * as text (PROTOCOL-WEB.md), and Connect has JSON with the status by name
 * (https://connectrpc.com/docs/protocol#error-end-stream).
 */
import { decodeBody } from '../../compression/registry.ts';
import type { Envelope } from './envelope.ts';
import { type AskedHttp, callOfType, parseMediaType } from './http-types.ts';
import type { Headers } from './http1-head.ts';

/** Code of the finding about a call without a response. */
export const UNANSWERED = 'grpc/no-response';

/** By number. */
const NAMES = [
  ...['OK', 'CANCELLED', 'UNKNOWN', 'INVALID_ARGUMENT', 'DEADLINE_EXCEEDED', 'NOT_FOUND', 'ALREADY_EXISTS'],
  ...['PERMISSION_DENIED', 'RESOURCE_EXHAUSTED', 'FAILED_PRECONDITION', 'ABORTED', 'OUT_OF_RANGE', 'UNIMPLEMENTED'],
  ...['INTERNAL', 'UNAVAILABLE', 'DATA_LOSS', 'UNAUTHENTICATED'],
];

/**
 * A call that ended with an error and without a message: `The call /a.B/C ended with grpc-status 5 (NOT_FOUND) …`. null:
 * its status is OK.
 */
export function unansweredCall(path: string | null, status: string): string | null {
  const isNumber = /^\d+$/.test(status);
  if (isNumber && Number(status) === 0) return null;
  const name = isNumber ? NAMES[Number(status)] : undefined;
  return sentence(path, `grpc-status ${name === undefined ? status : `${status} (${name})`}`);
}

/** RFC 9113 §7, by number. */
const RESETS = [
  ...['NO_ERROR', 'PROTOCOL_ERROR', 'INTERNAL_ERROR', 'FLOW_CONTROL_ERROR', 'SETTINGS_TIMEOUT', 'STREAM_CLOSED'],
  ...['FRAME_SIZE_ERROR', 'REFUSED_STREAM', 'CANCEL', 'COMPRESSION_ERROR', 'CONNECT_ERROR', 'ENHANCE_YOUR_CALM'],
  ...['INADEQUATE_SECURITY', 'HTTP_1_1_REQUIRED'],
];

/** A call whose h2 stream was reset. null: without an error. */
export function unansweredReset(path: string | null, code: number): string | null {
  const name = RESETS[code];
  return code === 0 ? null : sentence(path, `RST_STREAM ${name === undefined ? code : `${code} (${name})`}`);
}

const sentence = (path: string | null, error: string): string =>
  `The call ${path ?? 'of an unknown method'} ended with ${error} and without a response.`;

/** A part without a message, which ends a body. @param bytes borrowed @param codec null: it is not compressed */
export interface EndPart {
  readonly bytes: Uint8Array;
  readonly codec: string | null;
}

/** Plain bytes of an end. */
const LONGEST_END = 1 << 16;

/** The error that ends a body: `5` of gRPC-web, `not_found` of Connect; null: it has no error. */
export function endError({ bytes, codec }: EndPart, { layer }: Envelope): string | null {
  if (layer !== 'grpc') return null;
  const plain = decodeBody(bytes, codec, LONGEST_END);
  if (!plain.ok) return null;
  const text = new TextDecoder().decode(plain.bytes);
  const status = /^grpc-status:[ \t]*(\d+)[ \t]*\r?$/im.exec(text)?.[1];
  if (status === undefined) return codeOf(() => JSON.parse(text).error);
  return Number(status) === 0 ? null : String(Number(status));
}

/** A call whose body is one part without a message. @param error of that part; null: it has none */
export function unansweredBy(path: string | null, error: string | null): string | null {
  const isNumber = error !== null && /^\d+$/.test(error);
  return error === null || isNumber ? unansweredCall(path, error ?? '0') : sentence(path, `the error ${error}`);
}

/** A call, as far as its request is known. */
export type AskedCall = Pick<AskedHttp, 'call'> & { readonly path: string | null };

/** A response of HTTP to a call. */
export interface CallAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** In the trailers, or in the headers; absent: without one, or the caller reports it. */
  readonly grpcStatus?: string | null | undefined;
}

/**
 * A call that HTTP answered: with the status of gRPC and nothing else, or with an error in place of a response of the
 * call's protocol, as a proxy does. An error of Connect is one of HTTP, too, and has its code as JSON
 * (https://connectrpc.com/docs/protocol#error-codes); those of gRPC and gRPC-web have the HTTP status 200. null: the call
 * has a response, or it is not a call.
 */
export function unansweredIn(
  asked: AskedCall | null,
  { status, headers, grpcStatus }: CallAnswer,
  body: EndPart | null,
): string | null {
  const path = asked?.path ?? null;
  if (grpcStatus != null && !body?.bytes.length) return unansweredCall(path, grpcStatus);
  const call = asked?.call ?? null;
  const isError = call === 'connect' ? status >= 400 : status > 200;
  if (call === null || !isError || callOfType(parseMediaType(headers.get('content-type')).type) === call) return null;
  const plain = call === 'connect' && body !== null ? decodeBody(body.bytes, body.codec, LONGEST_END) : null;
  const code = plain?.ok ? codeOf(() => JSON.parse(new TextDecoder().decode(plain.bytes))) : null;
  return sentence(path, code === null ? `HTTP status ${status}` : `the error ${code}`);
}

/** The code of an error of Connect; null: it is not one. @param parse throws */
function codeOf(parse: () => { readonly code?: unknown } | undefined): string | null {
  try {
    const code = parse()?.code;
    return typeof code === 'string' ? code : null;
  } catch {
    return null;
  }
}
