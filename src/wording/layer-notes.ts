/** The contents of each layer of a capture, in words. */
import type { Layer } from '#engine/capture/containers/packets-layers.ts';

export const LAYER_NOTES: Readonly<Record<Layer, string>> = {
  container: 'file and packet headers, blocks and options; in recordings of exchanges, as a HAR, all but the bodies',
  link: 'Ethernet, VLAN, cooked and loopback headers, and those of tunnels',
  ip: 'IPv4 and IPv6 headers',
  tcp: 'headers and options',
  retransmitted: 'TCP payload seen again or too late',
  'other-protocols': 'packets that are not TCP',
  tls: 'record heads, nonces, tags, padding, handshakes, alerts',
  http1: 'start lines, headers, chunk sizes',
  http2: 'preface, frame headers, padding, control frames',
  hpack: 'compressed header blocks',
  grpc: 'flag and length before each message, trailers in bodies',
  websocket: 'frame headers, masking keys, control frames',
  opensearch: 'fixed and variable headers, pings',
  kafka: 'sizes and headers of requests and responses',
  'size-prefix': 'lengths before messages, and their checksums',
  kubernetes: 'types and lengths around objects',
  separators: 'line ends, event fields and record marks between JSON texts',
  actions: 'action lines of _bulk, headers of _msearch, line ends',
  compression: 'markers of compressed bodies',
  message: 'as captured, not compressed',
  compressed: 'as captured',
  'other-bodies': 'HTML, text and images',
  incomplete: 'parts of incomplete messages',
  unattributed: 'payload that no transport explains, and damage',
};
