/**
 * A captured message with a native body → the type and layout that explain it. The action names the types; the frame
 * names the wire version.
 */
import type { Message } from '../../frame/message.ts';
import { NATIVE_TRANSPORTS } from '../../frame/transport/transport.ts';
import { type ActionTypes, actionTypes, ERROR, HEADER } from '../../native/actions.ts';
import { deriveLayouts } from '../../native/derive.ts';
import type { LayoutOf } from '../../native/layout.ts';
import { SCHEMA_LAYOUT_PROFILE } from '../../native/profiles.ts';
import { type NativeRead, NativeReader } from '../../native/read.ts';
import { unattributedBytes } from '../../native/roll-up.ts';
import { NEWEST, parseVersion } from '../../native/version.ts';
import type { MessageDescriptor, Registry } from '../../schema/descriptor.ts';

export type NativeMessage = Pick<Message, 'transport' | 'method' | 'direction' | 'status'>;

/** Borrowed: `read` is valid until the next body, or the next header, is read. */
export interface NativeReading {
  readonly type: MessageDescriptor;
  readonly layoutOf: LayoutOf;
  readonly read: NativeRead;
}

export const isNative = ({ transport }: Pick<Message, 'transport'>): boolean => NATIVE_TRANSPORTS.has(transport);

/** A frame's header, as a message of its own. */
export interface NativeHeader {
  readonly bytes: Uint8Array;
  readonly reading: NativeReading;
}

/** Reads native messages by the layouts of schemas. Layouts of earlier schemas are tried first. */
export class NativeLayouts {
  readonly #types: ActionTypes;
  readonly #readers = new Map<number, Readers>();

  constructor(...registries: readonly Registry[]) {
    this.#types = actionTypes(...registries);
  }

  /** The possible types of a message; empty: its action has no layout. */
  typesOf(message: NativeMessage): readonly MessageDescriptor[] {
    const { method, direction, status } = message;
    if (!isNative(message) || direction === null) return [];
    if (status === 'error') return this.#types(ERROR, direction);
    return method === null ? [] : this.#types(method, direction);
  }

  /** The layouts of a stream version (`2.19.2`); without a version, the newest layouts. */
  #readersOf(version: string | undefined): Readers {
    const wanted = parseVersion(version ?? '') ?? NEWEST;
    let readers = this.#readers.get(wanted);
    if (readers === undefined) {
      const layoutOf = deriveLayouts(SCHEMA_LAYOUT_PROFILE, {}, { version: wanted });
      readers = { layoutOf, body: new NativeReader(layoutOf), header: new NativeReader(layoutOf) };
      this.#readers.set(wanted, readers);
    }
    return readers;
  }

  /**
   * Reads by the first type that explains every byte, else by the type that explains most bytes; undefined: there is no
   * type.
   */
  read(message: NativeMessage & Pick<Message, 'context'>, bytes: Uint8Array): NativeReading | undefined {
    return this.readAs(this.typesOf(message), message.context?.['version'], bytes);
  }

  /**
   * Reads the header of a message by its layout; undefined: there is no header, or the layout does not explain every
   * byte of it.
   */
  headerOf({
    direction,
    header,
    context,
  }: Pick<Message, 'direction' | 'header' | 'context'>): NativeHeader | undefined {
    return header && this.readHeader(direction, context?.['version'], header.bytes);
  }

  readHeader(
    direction: NativeMessage['direction'],
    version: string | undefined,
    bytes: Uint8Array,
  ): NativeHeader | undefined {
    if (direction === null) return undefined;
    const { layoutOf, header } = this.#readersOf(version);
    const reading = readAs(this.#types(HEADER, direction), layoutOf, header, bytes);
    return reading?.read.diagnostics.length === 0 ? { bytes, reading } : undefined;
  }

  readAs(
    types: readonly MessageDescriptor[],
    version: string | undefined,
    bytes: Uint8Array,
  ): NativeReading | undefined {
    const { layoutOf, body } = this.#readersOf(version);
    return readAs(types, layoutOf, body, bytes);
  }
}

interface Readers {
  readonly layoutOf: LayoutOf;
  readonly body: NativeReader;
  readonly header: NativeReader;
}

function readAs(
  types: readonly MessageDescriptor[],
  layoutOf: LayoutOf,
  reader: NativeReader,
  bytes: Uint8Array,
): NativeReading | undefined {
  const readBy = (type: MessageDescriptor): NativeReading => ({
    type,
    layoutOf,
    read: reader.read(bytes, layoutOf(type)),
  });
  let best: MessageDescriptor | undefined;
  let unexplained = Number.POSITIVE_INFINITY;
  for (const type of types) {
    const reading = readBy(type);
    if (reading.read.diagnostics.length === 0) return reading;
    const bytes = unattributedBytes(reading.read.table);
    if (bytes < unexplained) [best, unexplained] = [type, bytes];
  }
  return best && readBy(best);
}
