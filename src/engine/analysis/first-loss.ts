/** Values that an encoding does not carry → the first message that has one, and its place there. */
import { AbortError, type ReadControl } from '../bytes/source.ts';
import { CAPTURED_FORMATS, CAPTURED_NATIVE } from '../encodings/captured-encodings.ts';
import { encode } from '../encodings/encoding-row.ts';
import { encodingById, encodingSubject } from '../encodings/encodings.ts';
import type { LossCounts, PlacedLosses } from '../encodings/losses.ts';
import { MAX_DEPTH } from '../encodings/message-value.ts';
import { nativeLosses } from '../encodings/native-losses.ts';
import { unheldRows } from '../encodings/unheld-rows.ts';
import { type Inspected, inspectNative } from '../inspect/inspect.ts';
import { inspectCaptured } from '../inspect/inspect-captured.ts';
import { endAt, fieldAt, payloadEndAt, payloadStartAt, startAt, subtreeEnds } from '../model/annotation.ts';
import type { Diagnostic, LostValues } from '../model/diagnostic.ts';
import { NATIVE_PROFILES } from '../native/profiles.ts';
import { toWire } from '../native/to-wire.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { annotate } from '../wire/annotate.ts';
import { isGuessed } from '../wire/guessed.ts';
import { formatReader } from './format-readers.ts';
import { type ReadingRequest, readByLayout, readingOfMessage } from './message-reading.ts';
import type { Selected } from './messages-run.ts';
import { bodyAt } from './store/message-body.ts';
import type { MessageStore } from './store/message-store.ts';

interface Span {
  /** messageOffsets of the captured message. */
  readonly start: number;
  readonly end: number;
}

export interface LossPlace extends Span {
  readonly ordinal: number;
}

/** Messages that are read between two pauses. */
const PATIENCE = 32;

/**
 * @returns in the order of `wanted`; null: no message has such a value
 * @throws AbortError when the signal is set between two messages
 */
export async function firstLosses(
  { store, ordinals }: Selected,
  wanted: readonly LostValues[],
  request: ReadingRequest,
  { signal, pause, onProgress }: ReadControl,
): Promise<readonly (LossPlace | null)[]> {
  const found: (LossPlace | null)[] = wanted.map(() => null);
  const open = new Map(wanted.map((lost, at) => [at, { lost, isLost: testOf(lost) }]));
  for (const [done, ordinal] of ordinals.entries()) {
    if (open.size === 0) break;
    if (done % PATIENCE === 0) {
      onProgress?.(done, ordinals.length);
      await pause?.();
      if (signal?.aborted) throw new AbortError();
    }
    const message = await readProtobuf(store, ordinal, request);
    if (message === null) continue;
    let values: Values | undefined;
    let tooDeep: Span | null = null;
    for (const [at, { lost, isLost }] of open) {
      if (lost.type !== message.type.fullName) continue;
      values ??= encodingSubject(message.bytes, message.type);
      // A message that is nested too deep for one encoding is so for all.
      const isUnread = !values.ok && lost.kind === null;
      if (isUnread) tooDeep ??= spanIn(message, values, lost, isTooDeep);
      const span = isUnread ? tooDeep : spanIn(message, values, lost, isLost);
      if (span === null) continue;
      open.delete(at);
      found[at] = { ordinal, ...span };
    }
  }
  return found;
}

/** The findings, those about lost values with the place of the first one. */
export async function withLossPlaces(
  selected: Selected,
  findings: readonly Diagnostic[],
  request: ReadingRequest,
  control: ReadControl,
): Promise<readonly Diagnostic[]> {
  const wanted = findings.flatMap(({ lost }) => lost ?? []);
  const places = (await firstLosses(selected, wanted, request, control)).values();
  return findings.map((finding) => {
    const place = finding.lost === undefined ? null : places.next().value!;
    return place === null ? finding : { ...finding, space: 'message', ...place };
  });
}

function spanIn(
  { type, bytes, captured }: ReadAsProtobuf,
  values: Values,
  lost: LostValues,
  isLost: IsLost,
): Span | null {
  if (lost.kind === 'unheld') return captured?.firstUnheld ?? null;
  if (captured?.id === lost.encoding)
    return Object.entries(captured.firstLosses).find(([kind]) => kind === lost.kind)?.[1] ?? null;
  if (!isLost(values)) return null;
  const span = smallestPart(bytes, type, isLost);
  return captured === null ? span : capturedSpan(span, captured.inspect());
}

const has = (losses: LossCounts, { kind }: LostValues): boolean => kind !== null && Object.keys(losses).includes(kind);

type Values = ReturnType<typeof encodingSubject>;
type IsLost = (values: Values) => boolean;

const isTooDeep: IsLost = ({ ok }) => !ok;

function testOf(lost: LostValues): IsLost {
  const { encoding, kind } = lost;
  const profile = NATIVE_PROFILES.find(({ id }) => id === encoding);
  const row = encodingById(encoding);
  return (values) => {
    if (!values.ok) return kind === null;
    const { subject } = values;
    // Only what does not fit a layout is found by writing.
    if (profile !== undefined && kind !== null && kind !== 'layout')
      return has(nativeLosses(profile, subject.value), lost) || has(subject.dropped, lost);
    if (row === undefined) return false;
    const written = encode(row, subject);
    return written.ok ? has(written.losses, lost) : kind === null;
  };
}

/**
 * The innermost record that has the value when it is alone in its message; the innermost message, if only several of its
 * records together have it.
 */
function smallestPart(bytes: Uint8Array, outer: MessageDescriptor, isLost: IsLost): Span {
  const isIn = (message: Uint8Array, of: MessageDescriptor): boolean => isLost(encodingSubject(message, of));
  let span: Span = { start: 0, end: bytes.length };
  let type = outer;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const { start: from } = span;
    const message = bytes.subarray(from, span.end);
    const { table } = annotate(message, type);
    const ends = subtreeEnds(table);
    let row = 1;
    while (row < table.length && !isIn(message.subarray(startAt(table, row), endAt(table, row)), type))
      row = ends[row]!;
    if (row >= table.length) return span;
    const inner = table.fields[fieldAt(table, row)]?.message;
    const [start, end] = [payloadStartAt(table, row), payloadEndAt(table, row)];
    if (inner === undefined || inner.isMapEntry || !isIn(message.subarray(start, end), inner))
      return { start: from + startAt(table, row), end: from + endAt(table, row) };
    span = { start: from + start, end: from + end };
    type = inner;
  }
  return span;
}

/** A message as protobuf. */
interface ReadAsProtobuf {
  readonly type: MessageDescriptor;
  /** Borrowed. */
  readonly bytes: Uint8Array;
  /** The captured bytes, if they are not protobuf. */
  readonly captured: {
    /** Id of their encoding. */
    readonly id: string;
    readonly firstLosses: PlacedLosses['firsts'];
    /** null: a field holds each value. */
    readonly firstUnheld: Span | null;
    /** Pairs their rows with those of protobuf. */
    readonly inspect: () => Inspected;
  } | null;
}

/** null: it has no type, or its layout does not explain it. */
async function readProtobuf(
  store: MessageStore,
  ordinal: number,
  request: ReadingRequest,
): Promise<ReadAsProtobuf | null> {
  const type = await readingOfMessage(store, request, ordinal);
  const format = store.messages.formatAt(ordinal);
  const reader = format && (await formatReader(format, request.library));
  const body = await bodyAt(store, ordinal);
  if (type === 'native') {
    const native = readByLayout(store, request, ordinal, body);
    if (native === null || native.read.diagnostics.length > 0) return null;
    const { bytes } = toWire(body, native.read);
    const captured = {
      id: CAPTURED_NATIVE.id,
      firstLosses: {},
      firstUnheld: null,
      inspect: () => inspectNative(body, native),
    };
    return { type: native.type, bytes, captured };
  }
  if (type === undefined || isGuessed(type)) return null;
  if (reader === undefined) return { type, bytes: body, captured: null };
  const read = reader(body, type);
  const { label, row } = CAPTURED_FORMATS[format!];
  const inspect = (): Inspected => inspectCaptured(body, read, type, { label, ordinal });
  const { protobuf, firstLosses, table } = read;
  const [unheld] = unheldRows(table);
  const firstUnheld = unheld === undefined ? null : { start: startAt(table, unheld), end: endAt(table, unheld) };
  return { type, bytes: protobuf, captured: { id: row.id, firstLosses, firstUnheld, inspect } };
}

/** The captured bytes of the record; all of them, where it has none of its own. */
function capturedSpan({ start, end }: Span, { protobuf: { table, counterpart }, native }: Inspected): Span {
  if (native === null) return { start: 0, end: 0 };
  let row = 0;
  while (row < table.length && (startAt(table, row) !== start || endAt(table, row) !== end)) row++;
  const captured = row < table.length ? Math.max(0, counterpart[row]!) : 0;
  return { start: startAt(native.table, captured), end: endAt(native.table, captured) };
}
