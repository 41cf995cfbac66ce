/**
 * pcapng → packets. https://www.ietf.org/archive/id/draft-ietf-opsawg-pcapng-03.html
 *
 *   block      type×4 │ total length×4 │ body │ total length×4                          (padded to 4)
 *   section    0a0d0d0a: byte-order magic×4 │ version×4 │ section length×8 │ options
 *   interface  1: link type×2 0×2 │ snap length×4 │ options (9: time resolution, 14: time offset)
 *   enhanced   6: interface×4 │ time high×4 low×4 │ captured×4 original×4 │ data │ options
 *   simple     3: original×4 │ data
 *   packet     2 (obsolete): interface×2 drops×2 │ then as enhanced
 *   secrets    10: type×4 ("TLSK": a key log) │ length×4 │ data
 *
 * Each section has its own byte order and its own interfaces. Blocks of other types are skipped.
 */

import { ByteWindow } from '../../bytes/byte-window.ts';
import { uint32 } from '../../bytes/integers.ts';
import { latin1 } from '../../bytes/latin1.ts';
import { countText } from '../../model/count-text.ts';
import type { CaptureFormat, CaptureReader, CaptureSink } from './capture-format.ts';
import { knownTime } from './known-time.ts';
import { LONGEST_PACKET, type Packet, type PacketSink } from './packets.ts';
import type { LayerTally } from './packets-layers.ts';
import type { CaptureLog, LossRun, LostBytes } from './packets-log.ts';

const Block = { SECTION: 0x0a0d0d0a, INTERFACE: 1, PACKET: 2, SIMPLE: 3, ENHANCED: 6, SECRETS: 10 } as const;
const TLS_KEY_LOG = 0x544c534b;
const BYTE_ORDER_MAGIC = 0x1a2b3c4d;
/** Maximum size of a block that is held in memory. A longer block without packets is skipped in parts. */
const LONGEST_BLOCK = LONGEST_PACKET + 4096;
const SMALLEST_BLOCK = 12;
/** Types that may end a search for the next valid block: those of the specification. */
const KNOWN_TYPES = new Set<number>([Block.SECTION, 1, 2, 3, 4, 5, 6, 9, 10, 0xbad, 0x40000bad]);

interface Interface {
  readonly linkType: number;
  readonly snapLength: number;
  /** Clock ticks per millisecond. */
  readonly ticksPerMs: number;
  /** Milliseconds to add. */
  readonly offset: number;
}

export const pcapng: CaptureFormat = {
  id: 'pcapng',
  label: 'pcapng',
  open: ({ packet, secrets }, layers, log) => createPcapngReader(packet, layers, log, secrets),
};

const DAMAGED: LostBytes = {
  code: 'capture/damaged',
  severity: 'error',
  layer: 'unattributed',
  stream: null,
  reason: 'No block can be read here.',
};

const ENDS_EARLY: LostBytes = {
  ...DAMAGED,
  code: 'capture/ends-early',
  severity: 'warning',
  reason: 'The file ends within a block.',
};

export function createPcapngReader(
  sink: PacketSink,
  layers: LayerTally,
  log: CaptureLog,
  secrets?: CaptureSink['secrets'],
): CaptureReader {
  const window = new ByteWindow();
  const packet: { -readonly [K in keyof Packet]: Packet[K] } = {
    number: 0,
    captureOffset: 0,
    bytes: window.bytes,
    start: 0,
    end: 0,
    originalLength: 0,
    isUnfinished: false,
    time: null,
    linkType: 0,
  };
  let consumed = 0;
  let little = true;
  let interfaces: Interface[] = [];
  let passing = 0;
  /** The current loss of synchronisation; null: synchronised. */
  let lost: LossRun | null = null;

  const u32 = (at: number): number => uint32(window.bytes, at, little);
  const u16 = (at: number): number =>
    (little ? 1 : 256) * window.bytes[at]! + (little ? 256 : 1) * window.bytes[at + 1]!;
  const take = (count: number): void => {
    window.consume(count);
    consumed += count;
  };

  /** Total length of the block at the window's start, in its own byte order; 0: no valid block. */
  function blockLength(): number {
    const at = window.start;
    if (u32(at) === Block.SECTION) {
      const magic = uint32(window.bytes, at + 8, true);
      if (magic !== BYTE_ORDER_MAGIC && magic !== 0x4d3c2b1a) return 0;
      const length = uint32(window.bytes, at + 4, magic === BYTE_ORDER_MAGIC);
      return length >= 28 && length % 4 === 0 ? length : 0;
    }
    const length = u32(at + 4);
    return length >= SMALLEST_BLOCK && length % 4 === 0 ? length : 0;
  }

  /** Reports a fault in a block, whose available part is read. @param at, to offsets in the window */
  const fault = (message: string, at: number, to: number): void =>
    log.add('capture/bad-block', 'warning', message, consumed + at - window.start, consumed + to - window.start);

  const holdsPacket = (type: number): boolean =>
    type === Block.ENHANCED || type === Block.SIMPLE || type === Block.PACKET;

  /**
   * The options of a block in [start, end), offsets in the window, up to the first invalid one. @param of name of the
   * block
   */
  function* optionsIn(start: number, end: number, of: string) {
    for (let at = start; at + 4 <= end; ) {
      const code = u16(at);
      const length = u16(at + 2);
      const value = at + 4;
      if (code === 0) return;
      if (value + length > end) {
        fault(
          `Option ${code} of ${of} claims ${countText(length)} bytes; ${countText(end - value)} are left in its block.`,
          at,
          end,
        );
        return;
      }
      yield { code, value, length };
      at = value + padded(length);
    }
  }

  /** Checks the lengths of options that are otherwise ignored. */
  function checkOptions(start: number, end: number, of: string): void {
    for (const _ of optionsIn(start, end, of));
  }

  function readInterface(at: number, end: number): void {
    let ticksPerMs = 1e3;
    let offset = 0;
    for (const { code, value, length } of optionsIn(at + 16, end - 4, 'an interface')) {
      if (code === 9 && length >= 1) {
        const resolution = window.bytes[value]!;
        ticksPerMs = (resolution & 128 ? 2 ** (resolution & 127) : 10 ** resolution) / 1e3;
      } else if (code === 14 && length >= 8) {
        const low = u32(value + (little ? 0 : 4));
        const high = u32(value + (little ? 4 : 0)) | 0;
        offset = (high * 2 ** 32 + low) * 1e3;
      }
    }
    interfaces.push({ linkType: u16(at + 8), snapLength: u32(at + 12), ticksPerMs, offset });
  }

  function handOver(
    at: number,
    data: number,
    end: number,
    from: Interface,
    captured: number,
    original: number,
    isWhole: boolean,
  ): void {
    const available = Math.max(0, Math.min(captured, end - data));
    if (captured > available && isWhole) {
      fault(
        `A packet claims ${countText(captured)} captured bytes; ${countText(available)} are left in its block.`,
        data,
        end,
      );
    }
    packet.number++;
    packet.captureOffset = consumed + (data - at);
    packet.bytes = window.bytes;
    packet.start = data;
    packet.end = data + available;
    packet.originalLength = Math.max(original, available);
    packet.isUnfinished = !isWhole && available < captured;
    packet.linkType = from.linkType;
    layers.container += (isWhole ? end + 4 : end) - at - available;
    sink(packet);
  }

  /** Loses the data of a packet whose interface is not known. */
  function refuse(at: number, data: number, end: number, captured: number, index: number, isWhole: boolean): void {
    const available = Math.max(0, Math.min(captured, end - data));
    const start = consumed + (data - at);
    const reason = `A packet is of interface ${index}, which is not described.`;
    log.lose({ ...DAMAGED, code: 'capture/no-interface', reason }, consumed).add(start, start + available);
    layers.container += (isWhole ? end + 4 : end) - at - available;
  }

  /** Reads a block's bytes up to `end`; `isWhole`: the trailing length was captured. */
  function readBlock(end: number, isWhole: boolean): void {
    const at = window.start;
    const type = u32(at);
    if (isWhole && !endsAsItBegins(end - at)) {
      fault(`The length at the end of a block is not ${end - at}, as at its start.`, end - 4, end);
    }
    if (type === Block.SECTION) {
      little = uint32(window.bytes, at + 8, true) === BYTE_ORDER_MAGIC;
      interfaces = [];
      if (isWhole) checkOptions(at + 24, end - 4, 'a section');
    } else if (type === Block.INTERFACE && end - at >= 20) {
      readInterface(at, end);
    } else if (type === Block.ENHANCED || type === Block.PACKET) {
      const index = type === Block.ENHANCED ? u32(at + 8) : u16(at + 8);
      const from = interfaces[index];
      if (end - at >= 28) {
        const captured = u32(at + 20);
        const dataEnd = isWhole ? end - 4 : end;
        if (from === undefined) {
          refuse(at, at + 28, dataEnd, captured, index, isWhole);
          return;
        }
        packet.time = knownTime((u32(at + 12) * 2 ** 32 + u32(at + 16)) / from.ticksPerMs + from.offset);
        if (isWhole) checkOptions(at + 28 + padded(captured), end - 4, 'a packet');
        handOver(at, at + 28, dataEnd, from, captured, u32(at + 24), isWhole);
        return;
      }
    } else if (type === Block.SIMPLE && end - at >= 12) {
      const from = interfaces[0];
      const original = u32(at + 8);
      const dataEnd = isWhole ? end - 4 : end;
      if (from === undefined) {
        refuse(at, at + 12, dataEnd, original, 0, isWhole);
        return;
      }
      const room = isWhole ? dataEnd - at - 12 : Number.POSITIVE_INFINITY;
      const captured = Math.min(from.snapLength || original, original, room);
      packet.time = null;
      handOver(at, at + 12, dataEnd, from, captured, original, isWhole);
      return;
    }
    if (type === Block.SECRETS && end - at >= 20) {
      const from = at + 16;
      const to = Math.max(from, end - 4);
      const isKeyLog = u32(at + 8) === TLS_KEY_LOG;
      const lines = isKeyLog ? latin1(window.bytes, from, Math.min(to, from + u32(at + 12))) : null;
      secrets?.(lines, consumed + from - at, consumed + to - at);
    }
    layers.container += end - at;
  }

  /** Whether the two lengths of a section are equal. Bytes are compared, because the byte order is unknown. */
  const endsAsItBegins = (length: number): boolean =>
    [0, 1, 2, 3].every((i) => window.bytes[window.start + 4 + i] === window.bytes[window.start + length - 4 + i]);

  function lose(count: number): void {
    lost ??= log.lose(DAMAGED, consumed);
    lost.add(consumed, consumed + count);
    take(count);
  }

  function soundBlock(): boolean {
    const type = u32(window.start);
    const length = blockLength();
    return length > 0 && (length <= LONGEST_BLOCK || !holdsPacket(type));
  }

  function drain(): void {
    for (;;) {
      if (passing > 0) {
        const count = Math.min(passing, window.length);
        layers.container += count;
        passing -= count;
        take(count);
      }
      if (window.length < SMALLEST_BLOCK) return;
      if (lost !== null) {
        const length = blockLength();
        const near = length > 0 && length <= LONGEST_BLOCK && KNOWN_TYPES.has(u32(window.start));
        if (near && window.length < length) return;
        if (!near || !endsAsItBegins(length)) {
          lose(4);
          continue;
        }
        lost = null;
      }
      if (!soundBlock()) {
        lose(4);
        continue;
      }
      const length = blockLength();
      if (length > LONGEST_BLOCK) {
        passing = length;
        continue;
      }
      if (window.length < length) return;
      readBlock(window.start + length, true);
      take(length);
    }
  }

  return {
    push(chunk) {
      window.borrow(chunk);
      drain();
      window.settle();
    },
    end() {
      if (lost === null && (window.length > 0 || passing > 0)) {
        lost = log.lose(ENDS_EARLY, consumed);
        if (window.length >= SMALLEST_BLOCK && holdsPacket(u32(window.start))) {
          readBlock(window.end, false);
          take(window.length);
        }
      }
      if (window.length > 0) lose(window.length);
    },
  };
}

/** Blocks and options are padded to a multiple of four bytes. */
const padded = (length: number): number => length + ((4 - (length & 3)) & 3);
