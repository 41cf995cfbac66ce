/** The layers of a capture in words, and the kind of each layer: overhead, payload or lost. */
import { LAYERS, type Layer, type LayerLedger } from '#engine/capture/containers/packets-layers.ts';
import { formatBytes, formatCount, formatPercent, shareOf } from './number-text.ts';

/** `payload`: messages; `around`: what carries them; `lost`: what could not be read. */
export type LayerKind = 'around' | 'payload' | 'lost';

const around = (label: string): { readonly label: string; readonly kind: LayerKind } => ({ label, kind: 'around' });

export const LAYER_WORDS: Readonly<Record<Layer, ReturnType<typeof around>>> = {
  container: around('Capture file'),
  link: around('Link'),
  ip: around('IP'),
  tcp: around('TCP'),
  retransmitted: around('Retransmitted or late'),
  'other-protocols': around('Other protocols'),
  tls: around('TLS'),
  http1: around('HTTP/1.1'),
  http2: around('HTTP/2'),
  hpack: around('HPACK'),
  grpc: around('gRPC prefix'),
  websocket: around('WebSocket'),
  opensearch: around('OpenSearch transport'),
  kafka: around('Kafka'),
  'size-prefix': around('Size prefix'),
  kubernetes: around('Kubernetes envelope'),
  separators: around('Separators'),
  actions: around('Action lines'),
  compression: around('Compression'),
  message: { label: 'Messages', kind: 'payload' },
  compressed: { label: 'Compressed messages', kind: 'payload' },
  'other-bodies': around('Other bodies'),
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
