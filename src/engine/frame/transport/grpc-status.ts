/**
 * The status that a call ended with. gRPC has it in the trailers, by number
 * (https://github.com/grpc/grpc/blob/master/doc/statuscodes.md). In the last part of the body, gRPC-web has the trailers
 * as text (PROTOCOL-WEB.md), and Connect has JSON with the status by name
 * (https://connectrpc.com/docs/protocol#error-end-stream).
 */
import type { Envelope } from './envelope.ts';

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
  if (status === '0') return null;
  const name = /^\d+$/.test(status) ? NAMES[Number(status)] : undefined;
  return sentence(path, `grpc-status ${name === undefined ? status : `${status} (${name})`}`);
}

const sentence = (path: string | null, error: string): string =>
  `The call ${path ?? 'of an unknown method'} ended with ${error} and without a response.`;

/** The same of a call whose body is one part without a message. */
export function unansweredBy(end: Uint8Array, { layer }: Envelope, path: string | null): string | null {
  if (layer !== 'grpc') return null;
  const text = new TextDecoder().decode(end);
  const status = /^grpc-status:[ \t]*(\d+)[ \t]*\r?$/im.exec(text)?.[1];
  if (status !== undefined) return unansweredCall(path, status);
  const code = connectError(text);
  return code === null ? null : sentence(path, `the error ${code}`);
}

function connectError(text: string): string | null {
  try {
    const { error } = JSON.parse(text) as { readonly error?: { readonly code?: unknown } };
    return typeof error?.code === 'string' ? error.code : null;
  } catch {
    return null;
  }
}
