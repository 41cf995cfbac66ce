/**
 * The headers of an HTTP message → whether its body is a message, its type, and its envelope.
 *
 *   remote write 1   application/x-protobuf, X-Prometheus-Remote-Write-Version     POST …/api/v1/write
 *   remote write 2   application/x-protobuf;proto=io.prometheus.write.v2.Request
 *   remote read      application/x-streamed-protobuf; proto=prometheus.ChunkedReadResponse
 *   metrics          application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited
 *   OTLP/HTTP        application/x-protobuf                                        POST …/v1/traces, /v1/metrics, /v1/logs,
 *                                                                                  /v1development/profiles
 *   gRPC             application/grpc(+proto)                                       POST /package.Service/Method
 *   gRPC-web         application/grpc-web(-text)(+proto)                            POST /package.Service/Method
 *   Connect          application/proto, application/connect+proto                  POST /package.Service/Method
 *   Kubernetes       application/vnd.kubernetes.protobuf(;stream=watch)            any
 *   JSON             application/json, …+json, application/x-amz-json-1.1 …        any
 *   JSON lines       application/x-ndjson, application/jsonl                       APM's intake
 *   action lines     the same, or JSON                                             POST …/_bulk, …/_msearch
 *   JSON in events   text/event-stream                                             any
 *   JSON sequence    application/json-seq                                          any
 */
import { FORMATS } from '../../compression/formats.ts';
import type { PayloadFormat } from '../../model/payload-format.ts';
import type { ActionForm } from './action-lines.ts';
import type { Envelope } from './envelope.ts';
import type { Headers } from './http1-head.ts';
import type { JsonEnvelope, SeparatedForm } from './json-parts.ts';

export interface MediaType {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Recently parsed media types, with a limit. A capture has only a few. */
const known = new Map<string, MediaType>();
const MAX_KNOWN = 256;

/** Parses `application/x-protobuf; proto=a.b`. Type and parameter names become lower case. */
export function parseMediaType(value: string | undefined): MediaType {
  const text = value ?? '';
  let mediaType = known.get(text);
  if (mediaType === undefined) {
    mediaType = readMediaType(text);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(text, mediaType);
  }
  return mediaType;
}

function readMediaType(text: string): MediaType {
  const [type = '', ...rest] = text.split(';').map((part) => part.trim());
  const parameters = new Map<string, string>();
  for (const part of rest) {
    const at = part.indexOf('=');
    if (at > 0) parameters.set(part.slice(0, at).toLowerCase(), part.slice(at + 1).replace(/^"|"$/g, ''));
  }
  return { type: type.toLowerCase(), parameters };
}

/** https://kubernetes.io/docs/reference/using-api/api-concepts/#protobuf-encoding */
const KUBERNETES = 'application/vnd.kubernetes.protobuf';

/**
 * Media types of protobuf, with the message type that they name. The first three:
 * https://datatracker.ietf.org/doc/draft-ietf-dispatch-mime-protobuf/; of vector tiles:
 * https://www.iana.org/assignments/media-types/application/vnd.mapbox-vector-tile
 */
const PROTOBUF_TYPES: ReadonlyMap<string, string | null> = new Map([
  ['application/protobuf', null],
  ['application/x-protobuf', null],
  ['application/x-protobuffer', null],
  ['application/proto', null],
  ['application/vnd.google.protobuf', null],
  ['application/x-google-protobuf', null],
  ['application/x-streamed-protobuf', null],
  ['application/vnd.mapbox-vector-tile', 'vector_tile.Tile'],
  [KUBERNETES, null],
]);

/** As servers send events of a watch. */
const LINES_OR_ONE: JsonEnvelope = { layer: 'separators', form: 'lines', mayBeOne: true };

const OTLP: Readonly<Record<string, string>> = {
  'v1/traces': 'opentelemetry.proto.collector.trace.v1.ExportTraceService',
  'v1/metrics': 'opentelemetry.proto.collector.metrics.v1.ExportMetricsService',
  'v1/logs': 'opentelemetry.proto.collector.logs.v1.ExportLogsService',
  'v1development/profiles': 'opentelemetry.proto.collector.profiles.v1development.ExportProfilesService',
};

export interface HttpBody {
  /** `http1`, `grpc-web`, `connect` … */
  readonly transport: string;
  readonly typeHint: string | null;
  readonly format?: PayloadFormat | undefined;
  /** Decoders of the body that the headers name, outermost first. */
  readonly steps: readonly string[];
  readonly envelope?: Envelope;
  /** No header declares a message, so the contents decide (`detect-message-body.ts`). */
  readonly undeclared: boolean;
  /** An empty body is a message whose fields are all absent. */
  readonly emptyCounts: boolean;
}

/** A request, as far as it explains both bodies. */
export interface AskedHttp {
  readonly method: string;
  readonly path: string;
  /** The response may not repeat it. null: it is not a call. */
  readonly call: CallProtocol | null;
  /** AWS's protocols of JSON name it in a header, and post all to `/`. null: the path names it. */
  readonly operation: string | null;
}

/** Protocols of calls, whose methods are paths. */
export type CallProtocol = 'grpc' | 'grpc-web' | 'connect';

/** The protocol of calls that a media type belongs to; null: it belongs to another one. */
export function callOfType(type: string): CallProtocol | null {
  if (isGrpcType(type)) return 'grpc';
  if (type.startsWith('application/grpc-web')) return 'grpc-web';
  return type === 'application/proto' || type.startsWith('application/connect+') ? 'connect' : null;
}

/** The protocol of the call that a request is; null: it is not a call. @param hasQuery its message is in the query, as in Connect */
export const callOf = (headers: Headers | null | undefined, hasQuery = false): CallProtocol | null =>
  callOfType(parseMediaType(headers?.get('content-type')).type) ??
  (hasQuery || headers?.has('connect-protocol-version') ? 'connect' : null);

/** @param query the message in the query, without which the path is */
export const askedOf = (
  method: string,
  path: string,
  headers: Headers,
  query: { readonly path: string } | null,
): AskedHttp => ({
  method,
  path: query?.path ?? path,
  call: callOf(headers, query !== null),
  // https://smithy.io/2.0/aws/protocols/aws-json-1_1-protocol.html
  operation: path === '/' ? (headers.get('x-amz-target') ?? null) : null,
});

/** The method of a message: `POST /a`, `DynamoDB_20120810.GetItem`. gRPC always posts, so its path is enough. */
export const methodOf = ({ method, path, operation }: AskedHttp, transport: string): string =>
  operation ?? (transport === 'grpc' ? path : `${method} ${path}`);

/** Whether a message has no body, though its headers may describe one (RFC 9112 §6.3). */
export const isBodiless = (method: string | undefined, status: number): boolean =>
  method === 'HEAD' || status < 200 || status === 204 || status === 304;

export interface HttpFacts {
  readonly direction: 'request' | 'response';
  /** null: the request was not captured. */
  readonly asked: AskedHttp | null;
  readonly headers: Headers;
  /** Status of a response; absent: unknown, or a request. */
  readonly status?: number | undefined;
  /** The id that is used if no other transport is recognised: `http1`, `http2`, `har`. */
  readonly transport: string;
}

/** The last part of a subtype: `application/vnd.elasticsearch+x-ndjson`. */
const JSON_PARTS: ReadonlyMap<string, SeparatedForm> = new Map([
  ...(['ndjson', 'nd-json', 'jsonl', 'jsonlines', 'json-lines', 'ldjson'] as const).map(
    (name) => [name, 'lines'] as const,
  ),
  ['json-seq', 'sequence'],
]);

/**
 * One text of JSON: its registered names, its older ones, those of JSON-RPC, and AWS's
 * (https://smithy.io/2.0/aws/protocols/aws-json-1_1-protocol.html).
 */
const JSON_TYPE =
  /^(?:application\/(?:x-)?json|text\/(?:x-)?json|application\/(?:json-rpc|jsonrequest|x-amz-json-1\.[01]|.+\+json))$/;

/** How a type says that the body contains several texts of JSON; null: it does not. */
const jsonParts = (type: string): SeparatedForm | null =>
  type === 'text/event-stream' ? 'events' : (JSON_PARTS.get(type.replace(/^.*[/+]/, '').replace(/^x-/, '')) ?? null);

/** Paths of OpenSearch and Elasticsearch whose requests have action lines; their type may also be that of one text. */
const ACTIONS = /\/_(?:monitoring\/)?(bulk|msearch)(?:\/stream|\/template)?\/?$/;

/** The envelope of a body that contains several texts; null: it is one text, or its contents decide. */
function textsIn(type: string, isJson: boolean, { direction, asked }: HttpFacts): JsonEnvelope | null {
  const form = jsonParts(type);
  const api = direction === 'request' && (isJson || form === 'lines') && ACTIONS.exec(plainPath(asked))?.[1];
  if (api) return { layer: 'actions', form: api as ActionForm };
  return form === null ? null : { layer: 'separators', form };
}

const plainPath = (asked: AskedHttp | null): string => asked?.path.split('?')[0] ?? '';

/** The codec that a type of gRPC, gRPC-web or Connect names: `application/grpc+json`. undefined: protobuf, or not named. */
export const formatOfCodec = (type: string): PayloadFormat | undefined => (type.endsWith('+json') ? 'json' : undefined);

/** Whether a media type is that of gRPC. */
export const isGrpcType = (type: string): boolean =>
  type === 'application/grpc' || type.startsWith('application/grpc+');

/** Whether the body is a part of one (RFC 9110 §14.4). */
function isPart({ direction, headers, status }: HttpFacts): boolean {
  const range = headers.get('content-range');
  if (range === undefined || (direction === 'response' && status !== 206)) return false;
  const [, from, to, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(range) ?? [];
  return from !== '0' || Number(to) + 1 !== Number(size);
}

/**
 * null: it is a part of a body, it explains an error, or the content type declares a page, a picture or text, so the
 * body is not a message.
 */
export function explainHttpBody(facts: HttpFacts): HttpBody | null {
  if (isPart(facts)) return null;
  const { direction, asked, headers, status = 200, transport } = facts;
  const { type, parameters } = parseMediaType(headers.get('content-type'));
  const steps = contentEncodings(headers.get('content-encoding'));
  const format = formatOfCodec(type);
  if (status >= 400 && type === '') return null;
  const called = callOfType(type);
  if (called === 'grpc') {
    const envelope = { layer: 'grpc', codec: grpcCodec(headers.get('grpc-encoding')), end: 0 } as const;
    return { transport: 'grpc', typeHint: null, format, steps: [], envelope, undeclared: false, emptyCounts: false };
  }
  if (called === 'grpc-web') {
    return {
      format,
      transport: 'grpc-web',
      typeHint: null,
      steps: type.startsWith('application/grpc-web-text') ? [...steps, 'base64'] : steps,
      envelope: { layer: 'grpc', codec: grpcCodec(headers.get('grpc-encoding')), end: 0x80 },
      undeclared: false,
      emptyCounts: false,
    };
  }
  if (type.startsWith('application/connect+')) {
    if (!type.endsWith('+json') && !type.endsWith('+proto')) return null;
    const codec = grpcCodec(headers.get('connect-content-encoding'));
    const envelope = { layer: 'grpc', codec, end: 2 } as const;
    return { transport: 'connect', typeHint: null, format, steps, envelope, undeclared: false, emptyCounts: false };
  }
  const isConnect = (callOf(headers) ?? asked?.call) === 'connect';
  const isJson = JSON_TYPE.test(type);
  // An error response is not a message of its method's type.
  if (status >= 400 && isJson) return null;
  const envelope = textsIn(type, isJson, facts);
  if (envelope !== null) {
    if (status >= 400) return null;
    const typeHint = nameType(facts, parameters, 'json');
    return { transport, typeHint, format: 'json', steps, envelope, undeclared: false, emptyCounts: false };
  }
  if (isJson) {
    return {
      transport: isConnect ? 'connect' : transport,
      typeHint: nameType(facts, parameters, 'json'),
      format: 'json',
      steps,
      envelope: LINES_OR_ONE,
      undeclared: true,
      emptyCounts: false,
    };
  }
  // JSON with field numbers as names: it is text, although its type name contains protobuf.
  if (type.startsWith('application/json')) return null;
  const isProtobuf = PROTOBUF_TYPES.has(type) || type.endsWith('+protobuf') || type.endsWith('+proto');
  if (!isProtobuf && !isUndeclared(type)) return null;
  const messages = envelopeOf(type, parameters);
  return {
    transport: isConnect ? 'connect' : transport,
    typeHint: isProtobuf ? (PROTOBUF_TYPES.get(type) ?? nameType(facts, parameters)) : null,
    steps: remoteWriteSteps(steps, direction, headers),
    ...(messages === null ? {} : { envelope: messages }),
    undeclared: !isProtobuf,
    emptyCounts:
      isProtobuf &&
      messages === null &&
      !(direction === 'request' ? /^(GET|HEAD)$/.test(asked?.method ?? '') : isBodiless(asked?.method, status)),
  };
}

/** The envelope of the messages in a body; null: it is one message. */
function envelopeOf(type: string, parameters: ReadonlyMap<string, string>): Envelope | null {
  if (type === 'application/x-streamed-protobuf') return { layer: 'size-prefix', checksum: 4 };
  if (type === KUBERNETES) return { layer: 'kubernetes', isWatch: parameters.get('stream') === 'watch' };
  return parameters.get('encoding') === 'delimited' ? { layer: 'size-prefix', checksum: 0 } : null;
}

/** Whether a type does not describe the contents. All other types except protobuf's exclude a message. */
const isUndeclared = (type: string): boolean =>
  type === '' ||
  type === 'application/octet-stream' ||
  type === 'binary/octet-stream' ||
  type === 'application/x-snappy';

function nameType(
  { direction, asked, headers, status = 200 }: HttpFacts,
  parameters: ReadonlyMap<string, string>,
  format?: PayloadFormat,
): string | null {
  const named = parameters.get('proto') ?? parameters.get('messagetype');
  if (named !== undefined) return named;
  const plain = plainPath(asked);
  const signal = /\/(v1\/(?:traces|metrics|logs)|v1development\/profiles)$/.exec(plain)?.[1];
  // https://opentelemetry.io/docs/specs/otlp/#failures
  if (signal !== undefined && status >= 400) return 'google.rpc.Status';
  if (signal !== undefined) return `${OTLP[signal]}${direction === 'request' ? 'Request' : 'Response'}`;
  if (format !== undefined) return null;
  const isWrite = headers.has(REMOTE_WRITE) || plain.endsWith('/api/v1/write');
  return direction === 'request' && isWrite ? 'prometheus.WriteRequest' : null;
}

/** Every sender sends it. https://prometheus.io/docs/specs/prw/remote_write_spec/#protocol */
const REMOTE_WRITE = 'x-prometheus-remote-write-version';

/** In remote write, `snappy` means the block format. Requests without a named encoding are also snappy. */
const remoteWriteSteps = (
  steps: readonly string[],
  direction: 'request' | 'response',
  headers: Headers,
): readonly string[] =>
  steps.length === 0 && direction === 'request' && headers.has(REMOTE_WRITE) ? ['snappy'] : steps;

/** Formats by their HTTP names. */
const BY_CODING: ReadonlyMap<string, string> = new Map(
  Object.entries(FORMATS).flatMap(([id, { codings }]) => codings.map((coding) => [coding, id] as const)),
);

/**
 * Content-Encoding lists codings in the order of application; decoders run in reverse order. An unknown coding keeps
 * its name.
 */
export const contentEncodings = (value: string | undefined): readonly string[] =>
  (value ?? '') === ''
    ? []
    : (value ?? '')
        .split(',')
        .map((name) => name.trim().toLowerCase())
        .filter((name) => name !== '' && name !== 'identity')
        .map((name) => BY_CODING.get(name) ?? name)
        .reverse();

/** In gRPC, `snappy` means the framed format. null: identity, or not stated. */
export function grpcCodec(value: string | undefined): string | null {
  const name = value?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') return null;
  return name === 'snappy' ? 'snappy-framed' : (BY_CODING.get(name) ?? name);
}
