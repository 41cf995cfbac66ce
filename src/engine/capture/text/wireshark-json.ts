/**
 * Packets that Wireshark or tshark exported as JSON, with their bytes (`-T json -x`, `-T jsonraw`, `-T ek -x`) → a pcapng
 * file, which is read like any other capture.
 *
 *   json   "layers": { "frame_raw": [ "0000…", 0, 94, 0, 1 ], "frame": { "frame.time_epoch": "1795380949.900726000", … } … }
 *   ek     "layers": { "frame_raw": "0000…", "frame": { "frame_frame_time_epoch": "1795380949.900726000", … } … }
 *
 * The quotes of a text in JSON are escaped, so that the names occur only as names.
 */
import { latin1 } from '../../bytes/latin1.ts';
import { type DumpedPacket, pcapngOfDumps, pcapngOfPackets } from './packet-dumps.ts';

const BYTES = /"frame_raw"\s*:\s*\[?\s*"((?:[0-9a-f]{2})*)"/gi;
/** The facts of a packet are in this many characters after its bytes. */
const FACTS = 8192;
/** Numbers of Wireshark's encapsulations (`tshark -G values`), and their LINKTYPE. */
const LINK_TYPES: ReadonlyMap<string | undefined, number> = new Map([
  ['1', 1],
  ['7', 101],
  ['15', 0],
  ['25', 113],
  ['129', 228],
  ['130', 229],
  ['174', 108],
  ['210', 276],
]);
/** LINKTYPE_USER0. Packets of other encapsulations are counted and not read. */
const OTHER_LINK = 147;

/** null: it has no packet whose bytes are those of a known link. */
export function pcapngOfWiresharkJson(json: Uint8Array): Uint8Array | null {
  const text = latin1(json);
  const found = [...text.matchAll(BYTES)];
  const packets = found.map((match, n): DumpedPacket => {
    const start = match.index + match[0].length;
    const facts = text.slice(start, Math.min(start + FACTS, found[n + 1]?.index ?? text.length));
    const factOf = (name: string): string | undefined =>
      new RegExp(`"frame(?:\\.|_frame_)${name}"\\s*:\\s*"([^"]*)"`).exec(facts)?.[1];
    const bytes = bytesOf(match[1]!);
    return {
      bytes,
      length: Math.max(bytes.length, Number(factOf('len') ?? 0) || 0),
      time: nanoseconds(factOf('time_epoch')),
      linkType: LINK_TYPES.get(factOf('encap_type')) ?? OTHER_LINK,
    };
  });
  if (packets.length > 0 && packets.every(({ time }) => time !== null)) return pcapngOfPackets(packets);
  return pcapngOfDumps(packets.map(({ bytes }) => bytes));
}

function bytesOf(digits: string): Uint8Array {
  const bytes = new Uint8Array(digits.length / 2);
  for (let n = 0; n < bytes.length; n++) bytes[n] = Number.parseInt(digits.slice(2 * n, 2 * n + 2), 16);
  return bytes;
}

/** `1795380949.900726000`, or `2026-11-22T20:55:49.900726000Z` since 4.2. null: it is neither. */
function nanoseconds(time: string | undefined): bigint | null {
  const [, whole, fraction = ''] = /^(\d{1,12}|[\d-]{10}T[\d:]{8})(?:\.(\d{1,9}))?Z?$/.exec(time ?? '') ?? [];
  if (whole === undefined) return null;
  const seconds = whole.includes('T') ? Date.parse(`${whole}Z`) / 1000 : Number(whole);
  if (!Number.isFinite(seconds)) return null;
  return BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'));
}
