/** An input without readable messages → its kind and what to do next, the same on the page and in a terminal. */
import type { LayerLedger } from '#engine/capture/containers/packets-layers.ts';
import { printTraffic, type Traffic } from '#engine/capture/containers/packets-traffic.ts';
import type { CutPackets } from '#engine/frame/capture-facts.ts';
import type { ContentKind, OtherContent } from '#engine/frame/framing/other-content.ts';
import type { Losses } from '#engine/frame/losses.ts';
import type { MissingBytes } from '#engine/frame/transport/missing-bytes.ts';
import type { Diagnostic } from '#engine/model/diagnostic.ts';
import { TUNNELS } from '#engine/stream/tunnels.ts';
import { formatBytes, formatCount } from './number-text.ts';

/** Sentences. */
export interface NoMessage {
  readonly says: string;
  readonly next: string;
}

const INPUTS =
  'a capture (pcap, pcapng, HAR, mitmproxy, SAZ, gRPC’s log, Envoy’s tap) or a payload in binary, hex or base64';

const NEXT: Readonly<Record<ContentKind, string>> = {
  empty: 'Save or capture it again. A protobuf message without fields has 0 bytes, too.',
  blank: `Open ${INPUTS}.`,
  json: `Wirecost measures the bytes that are sent: open ${INPUTS}. If a field of the JSON holds such bytes, paste its value alone.`,
  txtpb: 'Read it as protobuf’s text format, and load its schema.',
  markup: `Open ${INPUTS}.`,
  schema: 'Load it as a schema, and open a capture or a payload to read with it.',
  log: `Open the capture that the log describes. If a line holds a payload as hex or base64, paste that part alone.`,
  text: `Open ${INPUTS}. If the text holds a payload as hex or base64, paste that part alone.`,
  media: `Open ${INPUTS}.`,
  document: `Open ${INPUTS}.`,
  program: `Open ${INPUTS} that the program sent.`,
  archive: 'Unpack it, and open the capture or the payload in it. A ZIP archive of .proto files is read as a schema.',
  compressed: 'Decompress it, and open what comes out. If it is damaged, save it again.',
  table: `Open ${INPUTS}.`,
  dissected:
    'Save the packets themselves: in Wireshark, “Export Specified Packets” as pcapng. Exports as JSON are read up to 64 MiB if they have the bytes: tshark -T json -x, -T jsonraw, -T ek -x.',
  curl: 'Trace with --trace, not with --trace-ascii or --verbose: it has all bytes that were sent and received.',
  recorded: 'Write the messages of one channel to a file, each after its size, and open it with their schema.',
  captured: 'Convert it with Wireshark’s editcap: editcap -F pcapng INPUT OUTPUT.pcapng',
};

/**
 * `app.log is a text log; it contains no message.`
 * @param findings of the input: why it was not unpacked
 */
export function noMessageWords(
  name: string,
  { kind, what }: OtherContent,
  findings: readonly Pick<Diagnostic, 'code' | 'message'>[],
): NoMessage {
  const says = SAYS[kind]?.(name, what) ?? `${name} is ${what}; it contains no message.`;
  const fault = findings.find(({ code }) => code.startsWith('compression/'));
  const next = fault?.code === 'compression/limit' ? UNPACK : NEXT[kind];
  return { says, next: `${fault?.message ?? ''} ${next}`.trim() };
}

const UNPACK = 'Unpack it, and open what comes out.';

const unread = (name: string, what: string): string => `${name} is ${what}; no message is read from it.`;

const SAYS: Readonly<Partial<Record<ContentKind, (name: string, what: string) => string>>> = {
  compressed: unread,
  captured: unread,
  recorded: unread,
  empty: (name) => `${name} is empty: it has 0 bytes.`,
  schema: (name) => `${name} is a .proto schema; it declares messages and contains none.`,
};

/** One for each reason that bytes are not in the capture. */
export const lossWords = ({ packets, cut, missing }: Losses): readonly NoMessage[] =>
  [cutWords(cut, packets), missingWords(missing)].filter((words) => words !== null);

/** How much of connections with messages was not captured, and how to capture all of it; null: no packet is missing. */
function missingWords(missing: MissingBytes | null): NoMessage | null {
  if (missing === null) return null;
  const { gaps, bytes, connections, flow } = missing;
  const where =
    connections === 1
      ? `${gaps === 1 ? 'a gap' : `${formatCount(gaps)} gaps`} of one connection`
      : `${formatCount(gaps)} gaps of ${formatCount(connections)} connections`;
  // Figures and shapes from a link have no addresses.
  const which = flow === '' ? '' : `, ${connections === 1 ? '' : 'first '}${flow}`;
  return {
    says: `Packets are missing: ${formatBytes(bytes)} that ${bytes === 1 ? 'was sent is' : 'were sent are'} not in the capture (${where}${which}).`,
    next: 'The messages in them are not counted. A larger buffer (tcpdump -B 65536, dumpcap -B 64) or a filter reduces loss.',
  };
}

/** Which packets a snap length cut, and the option that keeps them whole; null: none was cut. */
function cutWords(cut: CutPackets | null, packets: number): NoMessage | null {
  if (cut === null) return null;
  const { count, bytes, kept, first, last } = cut;
  const which = count === 1 ? `packet ${formatCount(first)}` : `packets ${formatCount(first)} to ${formatCount(last)}`;
  const of = count === packets && packets > 1 ? 'All' : `${formatCount(count)} of`;
  const are =
    count === 1 && packets === 1
      ? 'The only packet is'
      : `${of} ${formatCount(packets)} packets ${count === 1 ? 'is' : 'are'}`;
  return {
    says: `${are} cut (${which}): the capture kept at most ${formatBytes(kept)} of a packet, and ${formatBytes(bytes)} are missing.`,
    next: 'Capture again with whole packets: tcpdump -s 0, or the same option of tshark and dumpcap; in Wireshark, “Snaplen” of the capture options at its default.',
  };
}

/** Kinds of traffic that are named. */
const NAMED = 3;

/** Layers that hold bodies of HTTP. */
type BodyLayer = 'message' | 'compressed' | 'incomplete' | 'other-bodies';

export interface EmptyCapture extends Losses {
  readonly format: string;
  /** Connections from which no messages are read; most bytes first. */
  readonly traffic: readonly Traffic[];
  readonly layers: Pick<LayerLedger, BodyLayer | 'http1' | 'http2'> | null;
  readonly diagnostics: readonly Pick<Diagnostic, 'severity' | 'code' | 'message'>[];
}

const OTHER_CALLS = 'Capture the calls whose requests or responses are messages.';

/** How to record bodies, by formats of recorded exchanges, which have no packets. */
const RECORD_CONTENTS: Readonly<Record<string, string | undefined>> = {
  har: 'Save the HAR with contents: in the browser’s network tools, “Save all as HAR with content”.',
  saz: OTHER_CALLS,
  'grpc-log': 'Log messages whole: GRPC_BINARY_LOG_FILTER="*" (Go), GRPC_BINARY_LOG_CONFIG="*" (Java).',
  'envoy-tap': 'Raise max_buffered_rx_bytes and max_buffered_tx_bytes of the tap.',
  mitmproxy:
    'Record it with the bodies: mitmproxy leaves out those that it streams (stream_large_bodies), unless store_streamed_bodies is set.',
};

/** Findings of TLS that would be read with the right keys: keys do not help where the suite is not read. */
const FOR_KEYS = /^tls\/(no-|wrong-)/;
const WITH_KEYS =
  'TLS is read with its keys: drop or paste a key log (SSLKEYLOGFILE), or give it with --keys on the command line. Or capture';

/** A connection without its beginning is TLS without a finding. */
function helpKeys({ traffic, diagnostics }: Pick<EmptyCapture, 'traffic' | 'diagnostics'>): boolean {
  const codes = diagnostics.map(({ code }) => code).filter((code) => code.startsWith('tls/'));
  return (
    traffic.some(({ name }) => name === 'TLS') && (codes.length === 0 || codes.some((code) => FOR_KEYS.test(code)))
  );
}

const isBodiless = ({ http1, http2, message, compressed, incomplete, ...rest }: NonNullable<EmptyCapture['layers']>) =>
  http1 + http2 > 0 && message + compressed + incomplete + rest['other-bodies'] === 0;

/** A capture that was read to its end and gave no message. */
export function emptyCaptureWords(
  name: string,
  { format, traffic, layers, diagnostics, ...losses }: EmptyCapture,
): NoMessage {
  const { packets } = losses;
  const [words] = lossWords(losses);
  const bodies = layers?.['other-bodies'] ?? 0;
  if (words !== undefined) return { says: `No message of ${name} is complete. ${words.says}`, next: words.next };
  const toRecord = RECORD_CONTENTS[format];
  if (toRecord !== undefined && traffic.length === 0) {
    return {
      says: `${name} holds no request or response whose body is a message.`,
      next: bodies > 0 && !diagnostics.some(({ code }) => code === 'http/no-contents') ? OTHER_CALLS : toRecord,
    };
  }
  if (packets === 0 && toRecord === undefined) {
    const fault = diagnostics.find(({ severity }) => severity === 'error');
    return {
      says:
        fault === undefined
          ? `${name} is a ${format} capture without packets.`
          : `No packet of ${name} can be read. ${fault.message}`,
      next: 'Capture again while the messages are sent, on the network interface that carries them.',
    };
  }
  const kinds = traffic.slice(0, NAMED).map(printTraffic);
  if (bodies > 0) kinds.push(`${formatBytes(bodies)} of other HTTP bodies, as HTML, text and images`);
  if (kinds.length === 0 && layers !== null && isBodiless(layers)) {
    const fault = diagnostics.find(({ severity, code }) => severity === 'error' || code === 'http1/incomplete');
    const why = fault?.message ?? 'No request or response in it has a body.';
    return { says: `${name} holds HTTP without a message. ${why}`, next: OTHER_CALLS };
  }
  const [most] = traffic;
  const more = traffic.length > NAMED ? ' and others' : '';
  return {
    says: `${name} holds no message that can be read.${kinds.length === 0 ? '' : ` It holds ${kinds.join('; ')}${more}.`}`,
    next: TUNNELS.has(most?.name ?? '')
      ? `Connections inside ${most!.name} are not read. Capture inside the tunnel: on its own interface, as tun0 or vxlan0, or on that of the program that sends the messages, as eth0 in its container.`
      : traffic.some(({ isEncrypted }) => isEncrypted)
        ? `${helpKeys({ traffic, diagnostics }) ? WITH_KEYS : 'Capture'} where it is not encrypted, as between a proxy and its server.`
        : bodies > 0 && traffic.length === 0
          ? OTHER_CALLS
          : 'Messages are read from gRPC, HTTP, OpenSearch’s transport, Kafka and size-prefixed protobuf. Capture from the start of the connections, on the port that the messages pass. A framing of your own can be described: in the Input panel, or with --framing.',
  };
}
