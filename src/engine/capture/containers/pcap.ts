/**
 * pcap → packets. https://www.ietf.org/archive/id/draft-ietf-opsawg-pcap-05.html
 *
 *   file    magic×4 │ major×2 minor×2 │ zone×4 │ accuracy×4 │ snap length×4 │ link type×4
 *   packet  seconds×4 │ fraction×4 │ captured length×4 │ original length×4 │ data
 *
 * The magic gives byte order and the fraction's unit: a1b2c3d4 µs, a1b23c4d ns; a1b2cd34 has 8 more bytes a packet.
 * With the magic of µs, a fraction of more than a second is in ns, because some writers change the unit but not the
 * magic.
 */

import { ByteWindow } from '../../bytes/byte-window.ts';
import { uint32 } from '../../bytes/integers.ts';
import { countText } from '../../model/count-text.ts';
import type { CaptureFormat, CaptureReader } from './capture-format.ts';
import { LONGEST_PACKET, type Packet, type PacketSink } from './packets.ts';
import type { LayerTally } from './packets-layers.ts';
import type { CaptureLog, LossRun, LostBytes } from './packets-log.ts';
import { PCAP_MAGIC } from './sniff-capture.ts';

const FILE_HEADER = 24;
const RECORD_HEADER = 16;
const { MICROSECONDS, NANOSECONDS, PATCHED } = PCAP_MAGIC;
/** Maximum time between two packets when the reader searches for the next valid packet after damage. */
const BELIEVED_GAP_S = 86_400;
const MICROSECONDS_PER_MS = 1e3;
const NANOSECONDS_PER_MS = 1e6;

/** Fractions of a second per millisecond; 0: not a pcap magic. */
const fractionsPerMs = (magic: number): number =>
  magic === MICROSECONDS || magic === PATCHED ? MICROSECONDS_PER_MS : magic === NANOSECONDS ? NANOSECONDS_PER_MS : 0;

export const pcap: CaptureFormat = {
  id: 'pcap',
  label: 'pcap',
  open: ({ packet }, layers, log) => createPcapReader(packet, layers, log),
};

const DAMAGED: LostBytes = {
  code: 'capture/damaged',
  severity: 'error',
  layer: 'unattributed',
  stream: null,
  reason: 'No packet can be read here.',
};

export function createPcapReader(sink: PacketSink, layers: LayerTally, log: CaptureLog): CaptureReader {
  const window = new ByteWindow();
  const packet: { -readonly [K in keyof Packet]: Packet[K] } = {
    number: 0,
    captureOffset: 0,
    bytes: window.bytes,
    start: 0,
    end: 0,
    originalLength: 0,
    isUnfinished: false,
    time: 0,
    linkType: 0,
  };
  let consumed = 0;
  let little = true;
  let perMs = 0;
  let headerSize = RECORD_HEADER;
  let snapLength = 0;
  let lastSeconds = -1;
  let isFractionReported = false;
  /** The current loss of synchronisation; null: synchronised. */
  let lost: LossRun | null = null;

  const take = (count: number): void => {
    window.consume(count);
    consumed += count;
  };

  function readFileHeader(): void {
    const at = window.start;
    little = fractionsPerMs(uint32(window.bytes, at, true)) > 0;
    const magic = uint32(window.bytes, at, little);
    perMs = fractionsPerMs(magic);
    headerSize = magic === PATCHED ? RECORD_HEADER + 8 : RECORD_HEADER;
    snapLength = uint32(window.bytes, at + 16, little);
    packet.linkType = uint32(window.bytes, at + 20, little) & 0xffff;
    layers.container += FILE_HEADER;
    take(FILE_HEADER);
  }

  const areLengthsSound = (at: number): boolean => {
    const captured = uint32(window.bytes, at + 8, little);
    return captured <= LONGEST_PACKET && (captured <= uint32(window.bytes, at + 12, little) || captured <= snapLength);
  };

  const isFractionSound = (at: number): boolean => uint32(window.bytes, at + 4, little) < NANOSECONDS_PER_MS * 1e3;

  const soundAt = (at: number): boolean => areLengthsSound(at) && isFractionSound(at);

  /**
   * Checks a header where one is expected. Readers take any fraction (libpcap, Wireshark), so a fraction above a second
   * is not damage if the next packet follows. undefined: the window ends before it is known.
   */
  function isInStep(final: boolean): boolean | undefined {
    const at = window.start;
    if (!areLengthsSound(at)) return false;
    if (isFractionSound(at)) return true;
    const next = at + headerSize + uint32(window.bytes, at + 8, little);
    if (next + headerSize > window.end) return final ? next === window.end : undefined;
    const gap = Math.abs(uint32(window.bytes, next, little) - uint32(window.bytes, at, little));
    return areLengthsSound(next) && gap < BELIEVED_GAP_S;
  }

  /**
   * Searches for a packet header that fits the clock, the snap length and the next packet; false: not in this window.
   */
  function resynchronise(final: boolean): boolean {
    while (window.length >= headerSize) {
      const at = window.start;
      const seconds = uint32(window.bytes, at, little);
      const captured = uint32(window.bytes, at + 8, little);
      if (soundAt(at) && captured > 0 && (lastSeconds < 0 || Math.abs(seconds - lastSeconds) < BELIEVED_GAP_S)) {
        const next = at + headerSize + captured;
        if (next + headerSize > window.end) {
          if (!final) return false;
          if (next === window.end) return true;
        } else if (soundAt(next) && Math.abs(uint32(window.bytes, next, little) - seconds) < BELIEVED_GAP_S) {
          return true;
        }
      }
      lose(1);
    }
    return false;
  }

  function lose(count: number): void {
    lost ??= log.lose(DAMAGED, consumed);
    lost.add(consumed, consumed + count);
    take(count);
  }

  function readFraction(at: number): number {
    const fraction = uint32(window.bytes, at, little);
    if (fraction >= NANOSECONDS_PER_MS * 1e3) {
      if (isFractionReported) return fraction;
      isFractionReported = true;
      const message = `The packet's fraction of a second is ${countText(fraction)}, more than a second; it is added to the packet's seconds.`;
      log.add('capture/fraction', 'warning', message, consumed + 4, consumed + 8);
    } else if (fraction >= perMs * 1e3) {
      const message = `The packet's fraction of a second is ${countText(fraction)}: it and those behind it count nanoseconds, though the file's magic says microseconds.`;
      log.add('capture/nanoseconds', 'warning', message, consumed + 4, consumed + 8);
      perMs = NANOSECONDS_PER_MS;
    }
    return fraction;
  }

  function readPacket(available: number): void {
    const at = window.start;
    const seconds = uint32(window.bytes, at, little);
    layers.container += headerSize;
    packet.number++;
    packet.captureOffset = consumed + headerSize;
    packet.bytes = window.bytes;
    packet.start = at + headerSize;
    packet.end = at + headerSize + available;
    packet.originalLength = Math.max(uint32(window.bytes, at + 12, little), available);
    packet.isUnfinished = available < uint32(window.bytes, at + 8, little);
    packet.time = seconds * 1e3 + readFraction(at + 4) / perMs;
    lastSeconds = seconds;
    sink(packet);
    take(headerSize + available);
  }

  function drain(final: boolean): void {
    if (perMs === 0) {
      if (window.length < FILE_HEADER) return;
      readFileHeader();
    }
    while (window.length >= headerSize) {
      if (lost !== null) {
        if (!resynchronise(final)) return;
        lost = null;
      }
      const inStep = isInStep(final);
      if (inStep === undefined) return;
      if (!inStep) {
        lose(1);
        continue;
      }
      const captured = uint32(window.bytes, window.start + 8, little);
      if (window.length < headerSize + captured) return;
      readPacket(captured);
    }
  }

  return {
    push(chunk) {
      window.borrow(chunk);
      drain(false);
      window.settle();
    },
    end() {
      drain(true);
      if (lost === null && window.length > 0) {
        const reason = perMs === 0 ? 'The file ends within its header.' : 'The file ends within a packet.';
        lost = log.lose({ ...DAMAGED, code: 'capture/ends-early', severity: 'warning', reason }, consumed);
        if (perMs !== 0 && window.length >= headerSize) readPacket(window.length - headerSize);
      }
      if (window.length > 0) lose(window.length);
    },
  };
}
