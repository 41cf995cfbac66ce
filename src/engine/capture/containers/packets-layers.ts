/**
 * The ledger of a capture: each byte of the file counts in exactly one layer.
 * Σ layers = the file's size, for any content.
 */

/** Outermost first. */
export const LAYERS = [
  /** File and packet headers, blocks, options; in recordings of exchanges, all but the bodies. */
  'container',
  /** Ethernet, VLAN, cooked and loopback headers, those of tunnels, and padding after the packet. */
  'link',
  'ip',
  'tcp',
  /** TCP payload that was captured more than once. */
  'retransmitted',
  /** Packets of protocols other than TCP, after the IP or link header. */
  'other-protocols',
  /** Record headers, nonces, authentication tags, content types, padding; handshakes and alerts. */
  'tls',
  /** Start lines, headers, chunk sizes. */
  'http1',
  /** Preface, frame headers, padding, control frames. */
  'http2',
  /** Header blocks of HTTP/2. */
  'hpack',
  /** Frame headers and masking keys of WebSocket messages; control frames. */
  'websocket',
  /** Flag and length before each gRPC, gRPC-web or Connect message, and trailers in a body. */
  'grpc',
  /** Fixed and variable headers of OpenSearch's transport, and its pings. */
  'opensearch',
  /** Sizes and headers of Kafka's requests and responses. */
  'kafka',
  /** Size prefixes of messages on a plain stream. */
  'size-prefix',
  /** Bytes around objects of Kubernetes: types, lengths, events of a watch. */
  'kubernetes',
  /** Around texts of JSON in a body: line ends, fields of events, record separators. */
  'separators',
  /** Action lines of `_bulk`, headers of `_msearch`, and line ends. */
  'actions',
  /** Markers before a compressed body that are not part of a codec. */
  'compression',
  /** Uncompressed messages as captured. */
  'message',
  /** Compressed messages as captured. */
  'compressed',
  /** Bodies that are not messages: pages, metrics text, images. */
  'other-bodies',
  /** Parts of messages that cannot be read because something is missing or wrong. */
  'incomplete',
  /** Payload that no transport explains, and damaged bytes. */
  'unattributed',
] as const;
export type Layer = (typeof LAYERS)[number];

/** Bytes by layer. */
export type LayerLedger = Readonly<Record<Layer, number>>;
/** Layers of bytes that belong to no message. Only `CaptureLog` enters them, each with its reason. */
export type LossLayer = 'incomplete' | 'unattributed';
export type LayerTally = Record<Exclude<Layer, LossLayer>, number>;

export const emptyLayers = (): Record<Layer, number> =>
  Object.fromEntries(LAYERS.map((layer) => [layer, 0])) as Record<Layer, number>;

export const sumLayers = (layers: LayerLedger): number => LAYERS.reduce((sum, layer) => sum + layers[layer], 0);
