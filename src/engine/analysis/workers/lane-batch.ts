/** Messages that one reader of a capture found, with the moments at which they came. */
import type { Moment } from '../../capture/containers/capture-clock.ts';
import { MessageTable, type PackedMessages, type TableRow } from '../store/message-table.ts';

/** The progress of a reader after a chunk. */
export interface Reached {
  /** All messages up to this packet were handed over. */
  readonly packet: number;
  /** Bytes of the capture that were read. */
  readonly done: number;
}

/** Messages as data that can be posted. */
export interface LaneBatch {
  readonly messages: PackedMessages;
  /** Packet and rank of each message's moment. */
  readonly packets: Float64Array<ArrayBuffer>;
  readonly ranks: Float64Array<ArrayBuffer>;
  readonly reached: Reached;
}

/** Messages in the order in which their reader found them. */
export interface LaneRows {
  readonly length: number;
  readonly message: (row: number) => TableRow;
  readonly moment: (row: number) => Moment;
}

/** Messages of a batch at most: fewer than a table has groups, so that each keeps the method it names. */
const MAX_ROWS = 4096;
/** Chunks of the capture after which a batch is handed over. */
const BATCH_CHUNKS = 8;

const NOTHING_REACHED: Reached = { packet: 0, done: 0 };

export class LaneBatches {
  readonly #take: (batch: LaneBatch) => void;
  #table = new MessageTable();
  #moments: Moment[] = [];
  #reached = NOTHING_REACHED;
  #chunks = 0;

  constructor(take: (batch: LaneBatch) => void) {
    this.#take = take;
  }

  add(message: TableRow, { packet, rank }: Moment): void {
    this.#table.add(message);
    this.#moments.push({ packet, rank });
    if (this.#table.length === MAX_ROWS) this.#handOver();
  }

  /** Called after each chunk. */
  reach(packet: number, done: number): void {
    this.#reached = { packet, done };
    if (++this.#chunks === BATCH_CHUNKS || packet === Number.POSITIVE_INFINITY) this.#handOver();
  }

  #handOver(): void {
    const rows = Uint32Array.from({ length: this.#table.length }, (_, row) => row);
    this.#take({
      messages: this.#table.pack(rows),
      packets: Float64Array.from(this.#moments, ({ packet }) => packet),
      ranks: Float64Array.from(this.#moments, ({ rank }) => rank),
      reached: this.#reached,
    });
    this.#table = new MessageTable();
    this.#moments = [];
    this.#chunks = 0;
  }
}

export function rowsOf({ messages, packets, ranks }: LaneBatch): LaneRows {
  const table = new MessageTable(messages);
  return {
    length: table.length,
    message: (row) => table.messageAt(row),
    moment: (row) => ({ packet: packets[row]!, rank: ranks[row]! }),
  };
}
