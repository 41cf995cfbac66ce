/** The headers of both sides of an HTTP/2 stream, and what they say of its bodies. Either side may have been captured alone. */
import type { ConnectionSide } from '../../stream/connection-sink.ts';
import type { AskedCall } from './grpc-status.ts';
import { type AskedHttp, askedOf, callOf, explainHttpBody, type HttpBody, parseMediaType } from './http-types.ts';
import { findQueryMessage } from './query-message.ts';
import type { EmittedMessage } from './transport.ts';

export interface SideHeaders {
  headers: ReadonlyMap<string, string> | null;
  /** Whether all headers are known. */
  complete: boolean;
}

const NO_HEADERS: ReadonlyMap<string, string> = new Map();

export class StreamHeaders {
  readonly #id: number;
  readonly #sides: readonly [SideHeaders, SideHeaders];
  readonly #client: () => ConnectionSide | null;

  /** @param id of the stream */
  constructor(id: number, sides: readonly [SideHeaders, SideHeaders], client: () => ConnectionSide | null) {
    this.#id = id;
    this.#sides = sides;
    this.#client = client;
  }

  directionOf(side: ConnectionSide): EmittedMessage['direction'] {
    const asker = this.#client();
    return asker === null ? null : asker === side ? 'request' : 'response';
  }

  get #request(): ReadonlyMap<string, string> | null {
    return this.#sides.map(({ headers }) => headers).find((headers) => headers?.has(':path')) ?? null;
  }

  get asked(): AskedHttp | null {
    const request = this.#request;
    const path = request?.get(':path');
    if (request === null || path === undefined) return null;
    return askedOf(request.get(':method') ?? '', path, request, findQueryMessage(path));
  }

  /** The call that this side asks for. */
  callFrom(asker: ConnectionSide): AskedCall {
    return this.asked ?? { call: callOf(this.#sides[asker].headers), path: null };
  }

  /** The body of this side, named in a sentence. */
  printTitle(side: ConnectionSide): string {
    const request = this.#request;
    const path = request?.get(':path');
    if (path === undefined) return `h2 stream ${this.#id}`;
    const name = `${request?.get(':method') ?? ''} ${path}`.trim();
    return this.directionOf(side) === 'response' ? `the response to ${name}` : name;
  }

  /** The media type of this side, else that of the other one; null: both are unknown. */
  typeOf(side: ConnectionSide): string | null {
    const [own, other] = [side, otherOf(side)].map((each) => this.#sides[each]!.headers?.get('content-type'));
    if (own === undefined && (other === undefined || isUntypedError(this.#sides[side]))) return null;
    return parseMediaType(own ?? other).type;
  }

  /** null: the headers are unknown. */
  explain(side: ConnectionSide): { readonly body: HttpBody | null } | null {
    const headers = this.#describing(side);
    return headers === null ? null : { body: this.#explain(side, headers) };
  }

  /** The body of a side whose type is unknown, by the headers that were captured. */
  explainUntyped(side: ConnectionSide): HttpBody | null {
    return this.#explain(side, this.#sides[side].headers ?? NO_HEADERS);
  }

  #explain(side: ConnectionSide, headers: ReadonlyMap<string, string>): HttpBody | null {
    return explainHttpBody({
      direction: this.directionOf(side) ?? 'request',
      asked: this.asked,
      headers,
      status: headers.has(':status') ? statusOf(headers) : undefined,
      transport: 'http2',
    });
  }

  /** The headers that describe a body; null: unknown. In streams of messages, both sides have the same content type. */
  #describing(side: ConnectionSide): ReadonlyMap<string, string> | null {
    const { headers, complete } = this.#sides[side];
    if (headers !== null && (complete || headers.has('content-type'))) return headers;
    const other = this.#sides[otherOf(side)].headers?.get('content-type') ?? '';
    if (!/^application\/(connect\+|grpc-web)/.test(other)) return null;
    return new Map([...(headers ?? []), ['content-type', other]]);
  }
}

export const otherOf = (side: ConnectionSide): ConnectionSide => (side === 0 ? 1 : 0);

/** NaN: unknown, or a request. */
export const statusOf = (headers: ReadonlyMap<string, string> | null): number => Number(headers?.get(':status'));

/** The type of the other side is not that of its body. */
const isUntypedError = ({ headers, complete }: SideHeaders): boolean => complete && statusOf(headers) >= 400;
