/** Messages of several readers of a capture → in the order of one reader. */
import { compareMoments, type Moment } from '../../capture/containers/capture-clock.ts';
import type { TableRow } from '../store/message-table.ts';
import type { LaneRows, Reached } from './lane-batch.ts';

interface Lane {
  readonly waiting: LaneRows[];
  /** The next row of the first of them, and its moment; null: none waits. */
  row: number;
  next: Moment | null;
  reached: Reached;
}

export class MessageJoin {
  readonly #lanes: readonly Lane[];
  readonly #enter: (message: TableRow) => void;
  #entered = 0;

  /** @param enter called once per message, in order */
  constructor(lanes: number, enter: (message: TableRow) => void) {
    this.#lanes = Array.from({ length: lanes }, () => ({
      waiting: [],
      row: 0,
      next: null,
      reached: { packet: 0, done: 0 },
    }));
    this.#enter = enter;
  }

  /** Number of messages that were entered. */
  get entered(): number {
    return this.#entered;
  }

  /** Bytes of the capture that all lanes read, on average. */
  get done(): number {
    return this.#lanes.reduce((sum, { reached }) => sum + reached.done, 0) / this.#lanes.length;
  }

  add(index: number, rows: LaneRows, reached: Reached): void {
    const lane = this.#lanes[index]!;
    lane.reached = reached;
    if (rows.length > 0) lane.waiting.push(rows);
    lane.next ??= nextOf(lane);
    const limit = Math.min(...this.#lanes.map((one) => one.reached.packet));
    for (let next = this.#first(limit); next !== null; next = this.#first(limit)) this.#enterNext(next);
  }

  /** The lane whose next message comes first; null: an earlier one may follow from a lane that is behind. */
  #first(limit: number): Lane | null {
    let first: Lane | null = null;
    for (const lane of this.#lanes) {
      if (lane.next === null || lane.next.packet > limit) continue;
      if (first === null || compareMoments(lane.next, first.next!) < 0) first = lane;
    }
    return first;
  }

  #enterNext(lane: Lane): void {
    const rows = lane.waiting[0]!;
    this.#enter(rows.message(lane.row++));
    this.#entered++;
    if (lane.row === rows.length) {
      lane.waiting.shift();
      lane.row = 0;
    }
    lane.next = nextOf(lane);
  }
}

const nextOf = ({ waiting: [rows], row }: Lane): Moment | null => rows?.moment(row) ?? null;
