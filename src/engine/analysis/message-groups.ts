/** Groups messages of the same transport, method, direction and named type, and counts them as they are read. */
import type { Message } from '../frame/message.ts';

/** Messages of one transport, method, direction and named type. Payloads are one group. */
export interface MessageGroup extends Pick<Message, 'transport' | 'method' | 'direction' | 'typeHint' | 'format'> {
  /** The same in every capture. */
  readonly key: string;
  readonly messages: number;
  /** Payload bytes: decompressed, and as captured. Bytes of the transport's own headers. */
  readonly bytes: number;
  readonly capturedBytes: number;
  readonly headerBytes: number;
}

/**
 * Maximum number of groups. URLs may differ from message to message; above the limit, a message joins the group of its
 * transport.
 */
const MOST_GROUPS = 5000;

type Counted = { -readonly [K in keyof MessageGroup]: MessageGroup[K] };

export class MessageGroups {
  readonly #groups: Counted[] = [];
  readonly #indices = new Map<string, number>();

  /** Enters a message and returns the index of its group. */
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

/** The same in every capture, so that links can refer to it. */
const keyOf = (
  transport: string,
  method: string | null,
  direction: Message['direction'],
  typeHint: string | null,
  format: Message['format'],
): string => `${transport} ${direction ?? ''} ${method ?? ''} ${typeHint ?? ''} ${format ?? ''}`.trim();
