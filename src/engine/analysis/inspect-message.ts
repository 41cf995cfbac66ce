/** One message of an input with its rows in both encodings. It is read as the analysis reads it. */
import type { ReadControl } from '../bytes/source.ts';
import { CAPTURED_FORMATS } from '../encodings/captured-encodings.ts';
import { inspectCut } from '../inspect/cut-message.ts';
import { type Inspected, inspect, inspectNative } from '../inspect/inspect.ts';
import { opaqueSide } from '../inspect/opaque-side.ts';
import type { Encoding } from '../model/annotation.ts';
import { countText } from '../model/count-text.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { needed } from '../model/needed-file.ts';
import { deriveLayouts, type Overrides } from '../native/derive.ts';
import { type NativeProfile, SCHEMA_LAYOUT_PROFILE } from '../native/profiles.ts';
import { toWire } from '../native/to-wire.ts';
import { isGuessed } from '../wire/guessed.ts';
import { emptyRecord, readRecord } from '../wire/raw-record.ts';
import type { ComparisonEncoding } from './against.ts';
import { formatReader } from './format-readers.ts';
import { headerByLayout, type ReadingRequest, readByLayout, readingOfMessage } from './message-reading.ts';
import type { PackedContent } from './packed-contents.ts';
import { bodyAt, headerOf } from './store/message-body.ts';
import type { MessageStore } from './store/message-store.ts';

export interface InspectedMessage extends Inspected {
  readonly ordinal: number;
  /** Key of its group. */
  readonly group: string;
  /** Full name of its type; empty: unknown. */
  readonly type: string;
  /** The captured side; the other side was computed from it. */
  readonly captured: Encoding;
  /** `JSON`: the captured format, where it is neither protobuf nor native. */
  readonly format?: string;
  /**
   * The message's header as a message of its own, where it is native and a layout explains it. `native` holds the
   * captured bytes.
   */
  readonly header: Pick<Inspected, 'protobuf' | 'native'> | null;
  /** The first messages that it holds compressed, unpacked. `native` holds their bytes. */
  readonly contents: readonly InspectedContent[];
  /** The part that is shown of a message too large to be shown at once. */
  readonly part?: MessagePart;
}

/** Whole records of a message, or the first bytes of one. Offsets are of the message. */
export interface MessagePart {
  /** From 0. */
  readonly index: number;
  readonly start: number;
  readonly end: number;
  /** Where the record ends whose first bytes are shown; absent: its records are whole. */
  readonly recordEnd?: number;
  /** Size of the message. */
  readonly size: number;
  readonly isLast: boolean;
}

interface InspectedContent extends Pick<Inspected, 'protobuf' | 'native' | 'diagnostics'> {
  /** Name of the field that holds it. */
  readonly field: string;
  /** Full name of its type. */
  readonly type: string;
  readonly compression: string;
  readonly packedBytes: number;
  readonly bytes: number;
}

/** Maximum number of compressed contents of a message that are shown. */
const MAX_CONTENTS = 50;

/**
 * Maximum bytes of a message whose rows are shown. In the worst case, the rows of both sides take 64 bytes for each
 * byte.
 */
const MAX_SHOWN = 12 << 20;

/** Maximum bytes of a text: the row of a token takes up to 20 bytes for each byte of it. */
const MAX_TEXT = 4 << 20;

/** A part by its index, by an offset of the message in it, or by the number of the first of its records. */
export type WantedPart = number | { readonly offset: number } | { readonly field: number };

/**
 * The wanted part; without one, the last one, and for a field that no record has, the first one. A record that is too
 * large for a part is cut: the next part follows it.
 */
function partOf(body: Uint8Array, wanted: WantedPart): MessagePart {
  const size = body.length;
  const record = emptyRecord();
  const field = fieldIn(wanted);
  let start = 0;
  for (let index = 0; ; index++) {
    const limit = Math.min(size, start + MAX_SHOWN);
    const rest = { index, start, end: size, size, isLast: true };
    if (index === 0 && limit === size) return rest;
    let end = start;
    let hasField = false;
    for (let next = start; next >= 0 && end < limit; ) {
      next = readRecord(body, end, size, record);
      // A record that is cut is in this part, another one that does not fit is in the next part.
      if (next >= 0 && (next <= limit || end === start) && record.number === field) hasField = true;
      if (next > limit) break;
      if (next >= 0) end = next;
    }
    const after = end > start ? end : readRecord(body, start, size, record);
    const isLast = limit === size || after < 0 || after >= size;
    if (isLast && field !== null && !hasField) return partOf(body, 0);
    const isWanted =
      typeof wanted === 'number' ? index === wanted : 'offset' in wanted ? wanted.offset < after : hasField;
    if (limit === size) return rest;
    if (isWanted || isLast) {
      const part = { index, start, end: end > start ? end : limit, size, isLast };
      return end > start || after < 0 ? part : { ...part, recordEnd: after };
    }
    start = after;
  }
}

const fieldIn = (wanted: WantedPart): number | null =>
  typeof wanted === 'object' && 'field' in wanted ? wanted.field : null;

const SHOWN_IN_PART = 'message/shown-in-part';

/** Whether the message has more bytes than those that are shown. */
export const isInPart = ({ diagnostics }: Pick<Inspected, 'diagnostics'>): boolean =>
  diagnostics.some(({ code }) => code === SHOWN_IN_PART);

const shownInPart = (
  { start, end, size }: Pick<MessagePart, 'start' | 'end' | 'size'>,
  ordinal: number,
): Diagnostic => ({
  code: SHOWN_IN_PART,
  severity: 'info',
  message: `Bytes ${countText(start)} to ${countText(end - 1)} of ${countText(size)} are shown row by row. The profile counts all of them.`,
  space: 'message',
  start: end,
  end: size,
  ordinal,
});

/** Rejects only as `source.read` does. */
export async function inspectMessage(
  store: MessageStore,
  ordinal: number,
  request: ReadingRequest & {
    /** null: no native side was requested, and none is written. */
    readonly nativeProfile: NativeProfile | null;
    readonly isNativeChosen?: boolean | undefined;
    readonly overrides?: Overrides | undefined;
    readonly against?: ComparisonEncoding | undefined;
    readonly part?: WantedPart | undefined;
  },
  control: ReadControl = {},
): Promise<InspectedMessage> {
  const { library, nativeProfile, isNativeChosen = false, overrides = {}, against } = request;
  const reading = await readingOfMessage(store, request, ordinal);
  const body = await bodyAt(store, ordinal, control);
  const whole = { index: 0, start: 0, end: body.length, size: body.length, isLast: true };
  const part: MessagePart = reading === 'native' ? whole : partOf(body, request.part ?? 0);
  // A copy, because the source may return a view of bytes that it keeps.
  const bytes = body.slice(part.start, part.end);
  const around = headerByLayout(store, library, ordinal, await headerOf(store, ordinal));
  const common = {
    ordinal,
    group: store.messages.groups.at(store.messages.groupAt(ordinal)).key,
    header: around === undefined ? null : inspectNative(around.bytes, around.reading),
    contents: [],
  };
  const layoutOf = nativeProfile === null ? null : deriveLayouts(nativeProfile, overrides);
  const format = store.messages.formatAt(ordinal);
  if (format !== undefined && reading !== 'native') {
    // A cut text is not valid in its format.
    const text = body.slice(0, Math.min(body.length, MAX_TEXT));
    const read = (await formatReader(format, library))(text, reading);
    const { label } = CAPTURED_FORMATS[format];
    const { besideCaptured, inspectCaptured } = await needed(() => import('../inspect/inspect-captured.ts'));
    const inspected = inspectCaptured(text, read, reading, { label, ordinal });
    const isCut = text.length < whole.size;
    const found = isCut
      ? [shownInPart({ start: 0, end: text.length, size: whole.size }, ordinal)]
      : inspected.diagnostics;
    const captured = { ...inspected, diagnostics: found };
    if (reading !== undefined && (against !== undefined || (isNativeChosen && nativeProfile !== null))) {
      const other =
        against === undefined
          ? inspect(read.protobuf, { type: reading, layoutOf, ordinal })
          : (await needed(() => import('../inspect/inspect-against.ts'))).inspectAgainst(
              read.protobuf,
              reading,
              against.row,
              ordinal,
            );
      const labels = { captured: label, other: against?.row.label ?? nativeProfile!.label };
      return {
        ...{ ...common, type: reading.fullName, captured: 'protobuf', format: label },
        ...besideCaptured(captured, other, labels),
      };
    }
    return { ...common, type: reading?.fullName ?? '', captured: 'native', format: label, ...captured };
  }
  if (reading !== 'native') {
    const type = reading === undefined || isGuessed(reading) ? '' : reading.fullName;
    const inspected =
      part.recordEnd !== undefined
        ? inspectCut(bytes, reading)
        : against === undefined || type === ''
          ? inspect(bytes, { type: reading, layoutOf, ordinal })
          : (await needed(() => import('../inspect/inspect-against.ts'))).inspectAgainst(
              bytes,
              reading!,
              against.row,
              ordinal,
            );
    if (bytes.length === whole.size) return { ...common, type, captured: 'protobuf', ...inspected };
    const shown = { ...part, end: part.start + inspected.protobuf.bytes.length };
    const diagnostics = [shownInPart(shown, ordinal)];
    return { ...common, type, captured: 'protobuf', part: shown, ...inspected, diagnostics };
  }
  const { packedContents } = await needed(() => import('./packed-contents.ts'));
  const beside =
    against &&
    (await Promise.all([
      needed(() => import('../inspect/inspect-against.ts')),
      needed(() => import('../inspect/inspect-captured.ts')),
    ]));
  // Nothing is awaited from here on: what is read is borrowed, and another call may read a message meanwhile.
  const found = readByLayout(store, request, ordinal, bytes);
  if (found === null) {
    return { ...common, type: '', captured: 'native', protobuf: opaqueSide(bytes), native: null, diagnostics: [] };
  }
  const { type, read } = found;
  const inside = packedContents(bytes, found);
  const contents = inside.contents.slice(0, MAX_CONTENTS).map(inspectContent);
  if (against !== undefined && beside !== undefined && read.diagnostics.length === 0) {
    const [{ inspectAgainst }, { besideCaptured }] = beside;
    const other = inspectAgainst(toWire(bytes, read).bytes.slice(), type, against.row, ordinal);
    const labels = { captured: 'Native', other: against.row.label };
    const inspected = besideCaptured(inspectNative(bytes, found, ordinal), other, labels);
    return { ...common, contents, type: type.fullName, captured: 'protobuf', ...inspected };
  }
  const isAsCaptured =
    layoutOf === null || (nativeProfile === SCHEMA_LAYOUT_PROFILE && Object.keys(overrides).length === 0);
  const inspected =
    isAsCaptured || read.diagnostics.length > 0
      ? inspectNative(bytes, found, ordinal)
      : inspect(toWire(bytes, read).bytes.slice(), { type, layoutOf, ordinal });
  const diagnostics = [...inspected.diagnostics, ...inside.diagnostics];
  return { ...common, contents, type: type.fullName, captured: 'native', ...inspected, diagnostics };
}

function inspectContent({ field, start, end, compression, bytes, reading }: PackedContent): InspectedContent {
  return {
    ...inspectNative(bytes, reading),
    field: field.name,
    type: reading.type.fullName,
    compression,
    packedBytes: end - start,
    bytes: bytes.length,
  };
}
