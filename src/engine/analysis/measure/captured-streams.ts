/** *Collect*: each compressed body of a capture, once → its bits, and the rows of its messages. */
import type { BitFailure } from '../../compression/bits/book.ts';
import type { StreamBits } from '../../compression/bits/read-bits.ts';
import { BodySpans } from '../../cost/field-bits.ts';
import { readBody } from '../../frame/read-body.ts';
import { requestOf } from '../../frame/request-of.ts';
import type { AnnotationTable } from '../../model/annotation.ts';
import type { FieldDescriptor } from '../../schema/descriptor.ts';
import { annotate } from '../../wire/annotate.ts';
import { isGuessed } from '../../wire/guessed.ts';
import { formatReader } from '../format-readers.ts';
import { type ReadingRequest, readByLayout, readingOfMessage } from '../message-reading.ts';
import type { Selected } from '../messages-run.ts';
import type { MessageStore } from '../store/message-store.ts';
import { type CompressedPlace, compressedPlace, enterAt, enterEnd, enterOther, readBodyBits } from './body-bits.ts';
import type { MessagePlace } from './measure-bits.ts';

export interface CapturedStream {
  readonly stream: StreamBits;
  readonly spans: BodySpans;
  /** Its selected messages, in the order of the capture. */
  readonly ordinals: readonly number[];
  /** The place of each message in the plain bytes; null: it is compressed again inside them. */
  readonly places: readonly (MessagePlace | null)[];
  /** Full name of their type; null: they have several types, or the type is unknown. */
  readonly type: string | null;
}

export interface StreamFailure {
  readonly failure: BitFailure;
  readonly ordinals: readonly number[];
}

interface Body {
  readonly place: CompressedPlace;
  readonly ordinals: number[];
}

/**
 * Bodies with at least one selected message, in the order of their first one. Bodies without compression are skipped.
 * @param pause called before each body. Throws to end the reading
 */
export async function* capturedStreams(
  { store, ordinals }: Selected,
  request: ReadingRequest,
  pause: (done: number, total: number) => Promise<void> = async () => undefined,
): AsyncGenerator<CapturedStream | StreamFailure> {
  const { messages, source, limit } = store;
  const bodies = new Map<string, Body>();
  for (const ordinal of ordinals) {
    const body = messages.bodyAt(ordinal);
    const place = compressedPlace(body);
    if (place === null) continue;
    const key = `${requestOf(body)}:${place.before}:${place.codec}`;
    const known = bodies.get(key);
    if (known === undefined) bodies.set(key, { place, ordinals: [ordinal] });
    else known.ordinals.push(ordinal);
  }
  let done = 0;
  for (const { place, ordinals: inside } of bodies.values()) {
    await pause(done++, bodies.size);
    const { pieces } = messages.bodyAt(inside[0]!);
    const captured = await readBody(source, { pieces, compression: null }, { limit });
    if (!captured.ok) continue;
    const stream = readBodyBits(captured.value, place, limit);
    if (!stream.ok) {
      yield { failure: stream, ordinals: inside };
      continue;
    }
    const spans = new BodySpans();
    const types = new Set<string | null>();
    const places: (MessagePlace | null)[] = [];
    const chosen = new Set(inside);
    let isText = false;
    for (const ordinal of place.slice === null ? inside : messagesAround(messages, inside)) {
      const { slice, isNested } = compressedPlace(messages.bodyAt(ordinal))!;
      const { start, end } = slice ?? { start: 0, end: stream.plain.length };
      isText = messages.formatAt(ordinal) !== undefined;
      if (!chosen.has(ordinal)) {
        enterOther(spans, stream.plain, { start, end, isText });
        continue;
      }
      const rows = isNested ? null : await rowsAt(store, request, ordinal, stream.plain.subarray(start, end));
      types.add(rows?.type ?? null);
      places.push(isNested ? null : { start, end });
      enterAt(spans, stream.plain, { start, end, isText }, rows?.table ?? null);
    }
    if (isText) enterEnd(spans, stream.plain);
    yield { stream, spans, ordinals: inside, places, type: types.size === 1 ? [...types][0]! : null };
  }
}

/** All messages of the body that holds these, in its order: they follow one another. */
function messagesAround(messages: MessageStore['messages'], inside: readonly number[]): readonly number[] {
  const request = requestOf(messages.bodyAt(inside[0]!));
  const isInside = (ordinal: number): boolean => requestOf(messages.bodyAt(ordinal)) === request;
  let [from, to] = [inside[0]!, inside.at(-1)! + 1];
  while (from > 0 && isInside(from - 1)) from--;
  while (to < messages.length && isInside(to)) to++;
  return Array.from({ length: to - from }, (_, at) => from + at);
}

interface Rows {
  /** null: unknown. */
  readonly type: string | null;
  readonly table: AnnotationTable<FieldDescriptor>;
}

/** The rows of a message as the analysis reads it; null: it is native, and no layout explains it. */
export async function rowsAt(
  store: MessageStore,
  request: ReadingRequest,
  ordinal: number,
  payload: Uint8Array,
): Promise<Rows | null> {
  const reading = await readingOfMessage(store, request, ordinal);
  if (reading === 'native') {
    const found = readByLayout(store, request, ordinal, payload);
    if (found === null) return null;
    const { table } = found.read;
    // Copied: it is borrowed, and another call may read a message before the caller continues.
    return { type: found.type.fullName, table: { ...table, cells: table.cells.slice() } };
  }
  const type = reading === undefined || isGuessed(reading) ? null : reading.fullName;
  const format = store.messages.formatAt(ordinal);
  if (format !== undefined) {
    return { type, table: (await formatReader(format, request.library))(payload, reading).table };
  }
  return { type, table: annotate(payload, reading).table };
}
