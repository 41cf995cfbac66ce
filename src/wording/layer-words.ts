/** The layers of a capture in words, and the kind of each layer: overhead, payload or lost. */
import { LAYERS, type Layer, type LayerLedger } from '#engine/capture/containers/packets-layers.ts';
import { formatBytes, formatCount, formatPercent, shareOf } from './number-text.ts';

/** `payload`: messages; `around`: what carries them; `lost`: what could not be read. */
export type LayerKind = 'around' | 'payload' | 'lost';

export const LAYER_WORDS: Readonly<Record<Layer, { readonly label: string; readonly kind: LayerKind }>> = {
  container: { label: 'Capture file', kind: 'around' },
  link: { label: 'Link', kind: 'around' },
  ip: { label: 'IP', kind: 'around' },
  tcp: { label: 'TCP', kind: 'around' },
  retransmitted: { label: 'Retransmitted or late', kind: 'around' },
  'other-protocols': { label: 'Other protocols', kind: 'around' },
  tls: { label: 'TLS', kind: 'around' },
  http1: { label: 'HTTP/1.1', kind: 'around' },
  http2: { label: 'HTTP/2', kind: 'around' },
  hpack: { label: 'HPACK', kind: 'around' },
  grpc: { label: 'gRPC prefix', kind: 'around' },
  websocket: { label: 'WebSocket', kind: 'around' },
  opensearch: { label: 'OpenSearch transport', kind: 'around' },
  kafka: { label: 'Kafka', kind: 'around' },
  'size-prefix': { label: 'Size prefix', kind: 'around' },
  kubernetes: { label: 'Kubernetes envelope', kind: 'around' },
  separators: { label: 'Separators', kind: 'around' },
  compression: { label: 'Compression', kind: 'around' },
  message: { label: 'Messages', kind: 'payload' },
  compressed: { label: 'Compressed messages', kind: 'payload' },
  'other-bodies': { label: 'Other bodies', kind: 'around' },
  incomplete: { label: 'Incomplete', kind: 'lost' },
  unattributed: { label: 'Unattributed', kind: 'lost' },
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

/** @param around bytes that carry the messages @param payload bytes of messages as captured, and decoded */
export const layersWords = (
  size: number,
  around: number,
  messages: number,
  payload: { readonly captured: number; readonly decoded: number; readonly ofLayers: number },
): string =>
  [
    `Of ${formatBytes(size)}, ${formatCount(around)} carry ${formatCount(payload.ofLayers)} bytes of messages`,
    messages > 0 ? `: ${formatBytes(Math.round(around / messages))} around each.` : '.',
    payload.captured === payload.decoded ? '' : ` Decoded they are ${formatBytes(payload.decoded)}.`,
  ].join('');

export const headersWords = (headers: number, bodies: number): string =>
  `Of the transport’s headers ${formatBytes(headers)} belong to messages: ${formatPercent(shareOf(headers, headers + bodies))} of header and body together.`;
