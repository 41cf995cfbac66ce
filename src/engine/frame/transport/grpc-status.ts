/** Statuses of gRPC: https://github.com/grpc/grpc/blob/master/doc/statuscodes.md */

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
export function unansweredCall(path: string | undefined, status: string): string | null {
  if (status === '0') return null;
  const name = /^\d+$/.test(status) ? NAMES[Number(status)] : undefined;
  const said = name === undefined ? status : `${status} (${name})`;
  return `The call ${path ?? 'of an unknown method'} ended with grpc-status ${said} and without a response.`;
}
