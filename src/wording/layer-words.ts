/** The layers of a capture in words, and the kind of each layer: overhead, payload or lost. */
import { LAYERS, type Layer, type LayerLedger } from '#engine/capture/containers/packets-layers.ts';
import { formatBytes, formatCount, formatPercent, shareOf } from './number-text.ts';

/** `payload`: messages; `around`: what carries them; `lost`: what could not be read. */
export type LayerKind = 'around' | 'payload' | 'lost';

export const LAYER_WORDS: Readonly<
  Record<Layer, { readonly label: string; readonly about: string; readonly kind: LayerKind }>
> = {
  container: { label: 'Capture file', about: 'file and packet headers, blocks and options', kind: 'around' },
  link: { label: 'Link', about: 'Ethernet, VLAN, cooked and loopback headers', kind: 'around' },
  ip: { label: 'IP', about: 'IPv4 and IPv6 headers', kind: 'around' },
  tcp: { label: 'TCP', about: 'headers and options', kind: 'around' },
  retransmitted: { label: 'Retransmitted', about: 'TCP payload seen again', kind: 'around' },
  'other-protocols': { label: 'Other protocols', about: 'packets that are not TCP', kind: 'around' },
  tls: { label: 'TLS', about: 'record heads, nonces, tags, padding, handshakes, alerts', kind: 'around' },
  http1: { label: 'HTTP/1.1', about: 'start lines, headers, chunk sizes', kind: 'around' },
  http2: { label: 'HTTP/2', about: 'preface, frame headers, padding, control frames', kind: 'around' },
  hpack: { label: 'HPACK', about: 'compressed header blocks', kind: 'around' },
  grpc: { label: 'gRPC prefix', about: 'flag and length before each message, trailers in bodies', kind: 'around' },
  opensearch: { label: 'OpenSearch transport', about: 'fixed and variable headers, pings', kind: 'around' },
  kafka: { label: 'Kafka', about: 'sizes and headers of requests and responses', kind: 'around' },
  'size-prefix': { label: 'Size prefix', about: 'lengths before messages of a bare stream', kind: 'around' },
  compression: { label: 'Compression', about: 'markers of compressed bodies', kind: 'around' },
  message: { label: 'Messages', about: 'as captured, not compressed', kind: 'payload' },
  compressed: { label: 'Compressed messages', about: 'as captured', kind: 'payload' },
  'other-bodies': { label: 'Other bodies', about: 'HTML, text and images', kind: 'around' },
  incomplete: { label: 'Incomplete', about: 'parts of incomplete messages', kind: 'lost' },
  unattributed: { label: 'Unattributed', about: 'payload that no transport explains, and damage', kind: 'lost' },
};

export interface LayerRow {
  readonly layer: Layer;
  readonly bytes: number;
  /** Bytes of the layers before it. */
  readonly before: number;
}

/** Non-empty layers, outermost first. */
export function layerRows(layers: LayerLedger): readonly LayerRow[] {
  let before = 0;
  const rows: LayerRow[] = [];
  for (const layer of LAYERS) {
    const bytes = layers[layer];
    if (bytes > 0) rows.push({ layer, bytes, before });
    before += bytes;
  }
  return rows;
}

export const bytesOfKind = (rows: readonly LayerRow[], kind: LayerKind): number =>
  rows.reduce((sum, { layer, bytes }) => sum + (LAYER_WORDS[layer].kind === kind ? bytes : 0), 0);

export const LAYERS_CAPTION = 'Layers of the capture, outside in';

/** @param around bytes that carry the messages @param payload bytes of messages as captured, and decompressed */
export const layersWords = (
  size: number,
  around: number,
  messages: number,
  payload: { readonly captured: number; readonly decompressed: number; readonly ofLayers: number },
): string =>
  [
    `Of ${formatBytes(size)}, ${formatCount(around)} carry ${formatCount(payload.ofLayers)} bytes of messages`,
    messages > 0 ? `: ${formatBytes(Math.round(around / messages))} around each.` : '.',
    payload.captured === payload.decompressed ? '' : ` Decompressed they are ${formatBytes(payload.decompressed)}.`,
  ].join('');

export const headersWords = (headers: number, bodies: number): string =>
  `Of the transport’s headers ${formatBytes(headers)} belong to messages: ${formatPercent(shareOf(headers, headers + bodies))} of header and body together.`;
