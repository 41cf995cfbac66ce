/**
 * Workers that share large inputs. The platform starts them (`StartWorker`). Each reads a part of a capture's
 * connections (`shared-reading.ts`), and they add up ranges of messages (`shared-run.ts`). The results do not depend on
 * who reads or adds up what.
 */
import type { ReadControl } from '../../bytes/source.ts';
import { originOf, type SchemaOrigin } from '../../schema/compile.ts';
import type { Registry } from '../../schema/descriptor.ts';
import type { RunRequest, Selected } from '../messages-run.ts';
import type { InputSums } from '../part-sums.ts';
import type { Left } from '../store/message-body.ts';
import type { MessageStore } from '../store/message-store.ts';
import type { PackedMessages } from '../store/message-table.ts';
import type { CaptureReaders, LaneReader } from './capture-readers.ts';

export type Schemas = readonly SchemaOrigin[];

/** Messages of one input, as data that can be posted. */
export interface MessageRange {
  readonly name: string;
  /** `Source.handle` */
  readonly handle: unknown;
  readonly kind: MessageStore['kind'];
  readonly limit: number;
  readonly messages: PackedMessages;
  readonly request: PostedRequest;
}

export interface PostedRequest
  extends Pick<RunRequest, 'types' | 'evidence' | 'guesses' | 'isNativeChosen' | 'overrides'> {
  /** Full name. */
  readonly type: string | null;
  readonly nativeProfile: string | null;
}

/** Another worker. Its promises reject where it cannot be had, or fails. */
export interface Helper extends LaneReader {
  /** Compiles the schemas that ranges are read with. */
  compile(schemas: Schemas): void;
  /** @param onProgress payload bytes that are done */
  sum(range: MessageRange, onProgress: (done: number) => void): Promise<InputSums>;
  close(): void;
}

export type StartWorker = () => Helper;

export interface SharingLimits {
  /** Milliseconds that one worker works alone, to know how long all takes, and those that the rest must take. */
  readonly alone: number;
  readonly rest: number;
  /** Payload bytes of the smallest input that is shared, and of the smallest range. */
  readonly input: number;
  readonly range: number;
  /** Bytes of a capture for each of its readers. */
  readonly lane: number;
  /** Cores that the platform needs while a capture is read. */
  readonly busy: number;
}

/** Another worker compiles the schema for 0.2 to 0.5 s, and is slow until its code is optimised: for reading, 1 s of CPU. */
export const LIMITS: SharingLimits = {
  alone: 400,
  rest: 2000,
  input: 8 << 20,
  range: 1 << 20,
  lane: 128 << 20,
  busy: 0,
};

/** Workers beside this one, started when a large input needs them. `close` ends them. */
export class Pool implements CaptureReaders {
  readonly #start: StartWorker;
  readonly #size: number;
  readonly limits: SharingLimits;
  #helpers: readonly Helper[] | null = null;
  #compiled: readonly Registry[] | null = null;

  /** @param size workers in all, this one included */
  constructor(size: number, start: StartWorker, limits: SharingLimits = LIMITS) {
    this.#size = size;
    this.#start = start;
    this.limits = limits;
  }

  /** Whether the rest of a work is worth other workers. @param elapsed milliseconds */
  isWorthwhile(elapsed: number, done: number, total: number): boolean {
    return elapsed >= this.limits.alone && elapsed * (total - done) >= this.limits.rest * done;
  }

  get isAlone(): boolean {
    return this.#size < 2;
  }

  lanes(size: number): number {
    return Math.max(1, Math.min(this.#size - this.limits.busy, Math.floor(size / this.limits.lane)));
  }

  helpers(): readonly Helper[] {
    this.#helpers ??= Array.from({ length: this.#size - 1 }, this.#start);
    return this.#helpers;
  }

  /** All workers compile these, behind what they are doing. */
  compile(registries: readonly Registry[]): void {
    const isKnown = this.#compiled !== null && registries.every((one, at) => one === this.#compiled![at]);
    if (isKnown && this.#compiled!.length === registries.length) return;
    this.#compiled = registries;
    const schemas = registries.map((registry) => originOf(registry)!);
    for (const helper of this.helpers()) helper.compile(schemas);
  }

  close(): void {
    for (const helper of this.#helpers ?? []) helper.close();
    this.#helpers = null;
    this.#compiled = null;
  }
}

export const canCompile = (registries: readonly Registry[]): boolean =>
  registries.every((registry) => originOf(registry) !== undefined);

export const isShareable = ({ store, ordinals }: Selected, { limits }: Pool): boolean =>
  store.source.handle !== undefined && ordinals.length > 1 && store.messages.plainBytes >= limits.input;

export type SumMessages = (
  selected: Selected,
  stores: readonly MessageStore[],
  request: RunRequest,
  control: ReadControl,
  left?: Left,
) => Promise<InputSums>;
