/**
 * The ledger of a capture: each byte of the file once, under the layer it is spent on.
 * Σ layers = the file's size, for any content.
 */

/** Outside in. */
export const LAYERS = [
  /** File and packet headers, blocks, options; a HAR's JSON around the bodies. */
  'container',
  /** Ethernet, VLAN, cooked and loopback headers, and padding behind the packet. */
  'link',
  'ip',
  'tcp',
  /** TCP payload seen again. */
  'retransmitted',
  /** Packets of other protocols than TCP, from behind the IP or link header on. */
  'other-protocols',
  /** Record heads, nonces, authentication tags, content types, padding; handshakes and alerts. */
  'tls',
  /** Start lines, headers, chunk sizes. */
  'http1',
  /** Preface, frame headers, padding, control frames. */
  'http2',
  /** Header blocks of HTTP/2. */
  'hpack',
  /** Flag and length before each gRPC, gRPC-web or Connect message, and trailers within a body. */
  'grpc',
  /** Fixed and variable headers of OpenSearch's transport, and its pings. */
  'opensearch',
  /** Sizes and headers of Kafka's requests and responses. */
  'kafka',
  /** Lengths before the messages of a bare stream. */
  'size-prefix',
  /** Markers before a compressed body that belong to no codec. */
  'compression',
  /** Messages as captured, not compressed. */
  'message',
  /** Messages as captured, compressed. */
  'compressed',
  /** Bodies that are not messages: pages, metrics text, images. */
  'other-bodies',
  /** Parts of messages that cannot be given since something is missing or wrong. */
  'incomplete',
  /** Payload that no transport explains, and damage. */
  'unattributed',
] as const;
export type Layer = (typeof LAYERS)[number];

/** Bytes by layer. */
export type LayerLedger = Readonly<Record<Layer, number>>;
/** Layers of bytes that are part of no message: only `CaptureLog` enters them, each with its reason. */
export type LossLayer = 'incomplete' | 'unattributed';
export type LayerTally = Record<Exclude<Layer, LossLayer>, number>;

export const emptyLayers = (): Record<Layer, number> =>
  Object.fromEntries(LAYERS.map((layer) => [layer, 0])) as Record<Layer, number>;

export const sumLayers = (layers: LayerLedger): number => LAYERS.reduce((sum, layer) => sum + layers[layer], 0);
