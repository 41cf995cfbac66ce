/** Groups messages of the same transport, method, direction, named type and outcome, and counts them as they are read. */
import type { Message } from '../../frame/message.ts';

/** Messages of one transport, method, direction, named type or place of a type, and outcome. Payloads without them are one group. */
export interface MessageGroup extends Pick<Message, 'transport' | 'direction' | 'typeHint' | 'typePlace' | 'format'> {
  /** Without the query of a URL: requests to a URL are one group. */
  readonly method: Message['method'];
  /** The same in every capture. */
  readonly key: string;
  /** `error`: responses that report an error; a native one then has a type of its own. null: all others. */
  readonly status: typeof ERROR | null;
  readonly messages: number;
  /** Payload bytes: decompressed, and as captured. Bytes of the transport's own headers. */
  readonly bytes: number;
  readonly capturedBytes: number;
  readonly headerBytes: number;
}

/**
 * Maximum number of groups. Paths may differ from message to message; above the limit, a message joins the group of its
 * transport.
 */
const MAX_GROUPS = 5000;

/** The status of a native response that reports an error. */
const ERROR = 'error';

/** Properties of a message that decide its group, and those that are counted. */
type Grouped = Pick<Message, 'transport' | 'method' | 'direction' | 'typeHint' | 'typePlace' | 'format' | 'status'>;
type Counts = Pick<Message, 'bytes' | 'capturedBytes' | 'headerBytes'>;

type Counted = { -readonly [K in keyof MessageGroup]: MessageGroup[K] };

export class MessageGroups {
  readonly #groups: Counted[] = [];
  readonly #indices = new Map<string, number>();
  /** The message entered last, and the index of its group: the next message is often of the same group. */
  #last: Grouped | undefined;
  #lastIndex = 0;

  /** Groups as another worker counted them. */
  constructor(groups: readonly MessageGroup[] = []) {
    for (const group of groups) this.#indices.set(group.key, this.#groups.push({ ...group }) - 1);
  }

  /** Enters a message and returns the index of its group. */
  enter(message: Grouped & Counts): number {
    if (this.#last === undefined || !isAlike(this.#last, message)) this.#lastIndex = this.#indexOf(message);
    this.#last = message;
    const group = this.#groups[this.#lastIndex]!;
    group.messages++;
    group.bytes += message.bytes;
    group.capturedBytes += message.capturedBytes;
    group.headerBytes += message.headerBytes ?? 0;
    return this.#lastIndex;
  }

  #indexOf(message: Grouped): number {
    const { transport, method, direction, typeHint, typePlace, format } = message;
    const status = outcomeOf(message);
    let named = method && splitQuery(method)[0];
    let key = keyOf(transport, named, direction, typeHint ?? typePlace, format, status);
    let index = this.#indices.get(key);
    if (index === undefined && this.#groups.length >= MAX_GROUPS && named !== null) {
      named = null;
      key = keyOf(transport, named, direction, typeHint ?? typePlace, format, status);
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
        status,
        ...(typePlace === undefined ? {} : { typePlace }),
        ...(format === undefined ? {} : { format }),
        messages: 0,
        bytes: 0,
        capturedBytes: 0,
        headerBytes: 0,
      });
    }
    return index;
  }

  at = (index: number): MessageGroup => this.#groups[index]!;
  indexOf = (key: string): number => this.#indices.get(key) ?? -1;
  all = (): readonly MessageGroup[] => this.#groups;
}

/** The same group in several inputs. @param sum of the inputs so far */
export const addGroups = (sum: MessageGroup | undefined, group: MessageGroup): MessageGroup =>
  sum === undefined
    ? group
    : {
        ...sum,
        messages: sum.messages + group.messages,
        bytes: sum.bytes + group.bytes,
        capturedBytes: sum.capturedBytes + group.capturedBytes,
        headerBytes: sum.headerBytes + group.headerBytes,
      };

/** `POST /write?db=a` → `POST /write` and `?db=a`; the second is empty in a method without a query. */
export function splitQuery(method: string): readonly [path: string, query: string] {
  const at = method.indexOf('?');
  return at < 0 ? [method, ''] : [method.slice(0, at), method.slice(at)];
}

/** Whether the method of a response is unknown, because its request, which names it, is not in the capture. */
export const lacksRequest = ({ direction, method }: Pick<Message, 'direction' | 'method'>): boolean =>
  direction === 'response' && method === null;

const isAlike = (a: Grouped, b: Grouped): boolean =>
  a.transport === b.transport &&
  a.method === b.method &&
  a.direction === b.direction &&
  a.typeHint === b.typeHint &&
  a.typePlace === b.typePlace &&
  a.format === b.format &&
  outcomeOf(a) === outcomeOf(b);

const outcomeOf = ({ status }: Grouped): MessageGroup['status'] => (status === ERROR ? ERROR : null);

/** The same in every capture, so that links can refer to it. */
const keyOf = (
  transport: string,
  method: string | null,
  direction: Message['direction'],
  type: string | undefined,
  format: Message['format'],
  status: MessageGroup['status'],
): string =>
  `${transport} ${direction ?? ''} ${method ?? ''} ${type ?? ''} ${format ?? ''}${status === null ? '' : ` ${status}`}`.trim();
