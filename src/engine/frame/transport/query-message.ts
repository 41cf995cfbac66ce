/**
 * Connect's unary GET, whose message is in the query. https://connectrpc.com/docs/protocol/#unary-get-request
 *
 *   /package.Service/Method?encoding=proto&base64=1&compression=gzip&message=…
 */
import type { PayloadFormat } from '../../model/payload-format.ts';
import { contentEncodings } from './http-types.ts';

export interface QueryMessage {
  /** The path without the query. */
  readonly path: string;
  /** Offset of the message in the target. */
  readonly start: number;
  readonly end: number;
  /** absent: protobuf. */
  readonly format: PayloadFormat | undefined;
  /** Codec ids that lead from the text to the payload. */
  readonly steps: readonly string[];
}

interface Parameter {
  readonly start: number;
  readonly end: number;
}

/** In a JSON string, an ampersand may be escaped. */
const PARAMETER = /(?:[?&]|\\u0026)([a-z0-9]+)=([^&#\\]*)/g;

/** @param target as sent: a path or an address with its query @returns null: it contains no message */
export function findQueryMessage(target: string): QueryMessage | null {
  const question = target.indexOf('?');
  if (question < 0) return null;
  const parameters = new Map<string, Parameter>();
  for (const found of target.matchAll(PARAMETER)) {
    const end = found.index + found[0].length;
    parameters.set(found[1]!, { start: end - found[2]!.length, end });
  }
  const textOf = (name: string): string | undefined => {
    const parameter = parameters.get(name);
    return parameter && target.slice(parameter.start, parameter.end);
  };
  const message = parameters.get('message');
  const isJson = textOf('encoding') === 'json' && textOf('connect') === 'v1';
  if (message === undefined || !(isJson || textOf('encoding') === 'proto')) return null;
  const { start } = message;
  const isBase64 = textOf('base64') === '1';
  const padding = isBase64 ? target.indexOf('%', start) : -1;
  return {
    path: target.slice(0, question),
    start,
    format: isJson ? 'json' : undefined,
    end: padding >= 0 && padding < message.end ? padding : message.end,
    steps: [isBase64 ? 'base64' : 'query', ...contentEncodings(textOf('compression'))],
  };
}
