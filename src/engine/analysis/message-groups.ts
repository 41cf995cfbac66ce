/** Messages that belong together: the same transport, method, direction and named type. Counted as they come. */
import type { Message } from '../frame/message.ts';

/** Messages of one transport, method, direction and named type. Payloads are one group. */
export interface MessageGroup extends Pick<Message, 'transport' | 'method' | 'direction' | 'typeHint' | 'format'> {
  /** Stable over captures. */
  readonly key: string;
  readonly messages: number;
  /** Payload bytes, decompressed, and as captured; bytes of the transport's own headers. */
  readonly bytes: number;
  readonly capturedBytes: number;
  readonly headerBytes: number;
}

/** URLs may differ from message to message: beyond so many groups, a message joins the one of its transport. */
const MOST_GROUPS = 5000;

type Counted = { -readonly [K in keyof MessageGroup]: MessageGroup[K] };

export class MessageGroups {
  readonly #groups: Counted[] = [];
  readonly #indices = new Map<string, number>();

  /** Enters a message; the index of its group. */
  enter({ transport, method, direction, typeHint, format, bytes, capturedBytes, headerBytes = 0 }: Message): number {
    let named = method;
    let key = keyOf(transport, named, direction, typeHint, format);
    let index = this.#indices.get(key);
    if (index === undefined && this.#groups.length >= MOST_GROUPS && named !== null) {
      named = null;
      key = keyOf(transport, named, direction, typeHint, format);
      index = this.#indices.get(key);
    }
    if (index === undefined) {
      index = this.#groups.length;
      this.#indices.set(key, index);
      this.#groups.push({
        key,
        transport,
        method: named,
        direction,
        typeHint,
        ...(format === undefined ? {} : { format }),
        messages: 0,
        bytes: 0,
        capturedBytes: 0,
        headerBytes: 0,
      });
    }
    const group = this.#groups[index]!;
    group.messages++;
    group.bytes += bytes;
    group.capturedBytes += capturedBytes;
    group.headerBytes += headerBytes;
    return index;
  }

  at = (index: number): MessageGroup => this.#groups[index]!;
  indexOf = (key: string): number => this.#indices.get(key) ?? -1;
  all = (): readonly MessageGroup[] => this.#groups;
}

/** Stable over captures, so that a link can name it. */
const keyOf = (
  transport: string,
  method: string | null,
  direction: Message['direction'],
  typeHint: string | null,
  format: Message['format'],
): string => `${transport} ${direction ?? ''} ${method ?? ''} ${typeHint ?? ''} ${format ?? ''}`.trim();
