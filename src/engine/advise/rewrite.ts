/**
 * Writes a captured message again without some kinds of waste. All other bytes are unchanged: records keep their order,
 * and other waste is kept. Only the writer has to change for that.
 */
import { joinBytes } from '../bytes/join.ts';
import { setVarint, varintEnd, varintHigh, varintLow, varintWidth } from '../bytes/varint.ts';
import { WireType } from '../model/annotation.ts';
import { ANY } from '../schema/names.ts';
import { isPackable, wireTypeOf } from '../schema/wire-types.ts';
import { emptyRecord, groupEnd, readRecord } from '../wire/raw-record.ts';
import type { FieldEncodings, FieldForm, MessageForm } from './forms.ts';
import type { Unit } from './payload.ts';
import { type RecordPlace, WRITER_RULES, type WriterWaste } from './writer-rules.ts';

interface Rewritten {
  readonly bytes: Uint8Array;
  /** Number of places where something was left out or shortened. */
  readonly places: number;
}

/** Units without some kinds of waste. A message that cannot be read completely is unchanged. */
export function leaveOut(units: readonly Unit[], forms: FieldEncodings, type: string, kinds: readonly WriterWaste[]) {
  const without = new Set(kinds);
  let places = 0;
  const rewritten = units.map(({ delimiter, messages }) => ({
    delimiter,
    messages: messages.map((bytes) => {
      const found = rewrite(bytes, forms, type, without);
      places += found?.places ?? 0;
      return found?.bytes ?? bytes;
    }),
  }));
  return { units: rewritten, places };
}

interface PlacedRecord {
  readonly start: number;
  readonly tagEnd: number;
  /** Offset after the length, or after the tag. */
  readonly payload: number;
  readonly payloadEnd: number;
  readonly end: number;
  readonly number: number;
  readonly wireType: number;
  /** undefined: no field of the schema has the number. */
  readonly field: FieldForm | undefined;
  /** A number that the closed enum of a field does not list: readers keep it as an unknown field. */
  readonly isUnlisted: boolean;
}

const MAX_DEPTH = 200;

/** undefined: the bytes are not a complete message. */
export function rewrite(
  bytes: Uint8Array,
  forms: FieldEncodings,
  type: string,
  without: ReadonlySet<WriterWaste>,
): Rewritten | undefined {
  let places = 0;
  const leavingOut = [...without].flatMap((kind) => WRITER_RULES[kind].leavesOut ?? []);
  const written = message(0, bytes.length, type, 0, false);
  return written && { bytes: written, places };

  /** @param isMerged readers merge it with another record of a singular field */
  function message(start: number, end: number, name: string, depth: number, isMerged: boolean): Uint8Array | undefined {
    const form = forms.get(name);
    if (form === undefined || depth > MAX_DEPTH) return undefined;
    const records = recordsOf(start, end, form);
    if (records === undefined) return undefined;
    const last = new Map<FieldForm, PlacedRecord>();
    const counts = new Map<FieldForm, number>();
    /** Fields that are declared packed but have elements in separate records. */
    const expanded = new Set<FieldForm>();
    for (const record of records) {
      if (record.field === undefined) continue;
      const { packed, cardinality } = record.field;
      if (packed && cardinality === 'repeated' && record.wireType !== WireType.LEN) expanded.add(record.field);
      last.set(record.field, record);
      counts.set(record.field, (counts.get(record.field) ?? 0) + 1);
    }
    const parts: Uint8Array[] = [];
    const packed = new Set<FieldForm>();
    for (const record of records) {
      const { field } = record;
      if (record.isUnlisted) {
        parts.push(...scalar(record));
        continue;
      }
      const isLast = field === undefined || last.get(field) === record;
      const count = (field && counts.get(field)) ?? 1;
      const place: RecordPlace = { field, form, count, isLast, isMerged, isZero: () => isZero(record) };
      if (leavingOut.some((rule) => rule(place))) {
        places++;
        continue;
      }
      if (field === undefined) {
        parts.push(bytes.subarray(record.start, record.end));
        continue;
      }
      if (expanded.has(field) && without.has('unpacked runs')) {
        if (packed.has(field)) continue;
        packed.add(field);
        const run = records.filter((other) => other.field === field);
        const whole = pack(run, field.number);
        if (whole === undefined) parts.push(...run.flatMap(scalar));
        else {
          places++;
          parts.push(whole);
        }
        continue;
      }
      const isMessage = field.type === 'message' || field.type === 'group';
      // In what is merged, the URL of one Any may come before the value of another.
      const type = isMessage ? field.typeName! : isMerged ? undefined : heldType(record, form, last);
      if (type === undefined) {
        parts.push(...scalar(record));
        continue;
      }
      const known = places;
      const isOneOfSeveral = isMessage && field.cardinality === 'singular' && count > 1;
      const inner = message(record.payload, record.payloadEnd, type, depth + 1, isMerged || isOneOfSeveral);
      if (inner === undefined && isMessage) return undefined;
      if (inner === undefined) {
        places = known;
        parts.push(...scalar(record));
        continue;
      }
      parts.push(shortest(record.start, record.tagEnd));
      if (field.type === 'group') parts.push(inner, shortest(record.payloadEnd, record.end));
      else parts.push(lengthOf(inner.length, record), inner);
    }
    return joinBytes(parts);
  }

  /** The type of the message in an Any's value; undefined: the record is another one, or the schema does not have the type. */
  function heldType(
    record: PlacedRecord,
    { fullName, byName }: MessageForm,
    last: ReadonlyMap<FieldForm, PlacedRecord>,
  ): string | undefined {
    if (fullName !== ANY || record.field !== byName.get('value') || !forms.readsAny) return undefined;
    const url = last.get(byName.get('type_url')!);
    return forms.heldType(url && bytes.subarray(url.payload, url.payloadEnd));
  }

  function recordsOf(start: number, end: number, form: MessageForm): readonly PlacedRecord[] | undefined {
    const records: PlacedRecord[] = [];
    for (let at = start; at < end; ) {
      const record = recordAt(at, end, form);
      if (record === undefined) return undefined;
      records.push(record);
      at = record.end;
    }
    return records;
  }

  function recordAt(start: number, limit: number, form: MessageForm): PlacedRecord | undefined {
    const record = emptyRecord();
    let end = readRecord(bytes, start, limit, record);
    const { number, wireType, start: payload } = record;
    if (end < 0 || wireType === WireType.EGROUP) return undefined;
    let payloadEnd = end;
    if (wireType === WireType.SGROUP) {
      payloadEnd = groupEnd(bytes, payload, limit, number);
      if (payloadEnd < 0) return undefined;
      end = varintEnd(bytes, payloadEnd, limit);
    }
    const known = form.byNumber.get(number);
    const isPacked =
      known?.cardinality === 'repeated' && wireType === WireType.LEN && known !== undefined && isPackable(known.type);
    const isOf = known !== undefined && (wireTypeOf(known.type) === wireType || isPacked);
    const isNumber = isOf && wireType === WireType.VARINT;
    const isUnlisted = isNumber && !forms.lists(known, varintLow(bytes, payload, payloadEnd));
    const field = isOf && !isUnlisted ? known : undefined;
    const tagEnd = varintEnd(bytes, start, limit);
    return { start, tagEnd, payload, payloadEnd, end, number, wireType, field, isUnlisted };
  }

  function scalar(record: PlacedRecord): readonly Uint8Array[] {
    const { field, wireType, payload, payloadEnd } = record;
    const tag = shortest(record.start, record.tagEnd);
    if (wireType === WireType.VARINT) return [tag, shortest(payload, payloadEnd)];
    if (wireType !== WireType.LEN) return [tag, bytes.subarray(payload, payloadEnd)];
    const isRun = field !== undefined && isPackable(field.type);
    const inner =
      isRun && wireTypeOf(field.type) === WireType.VARINT
        ? run(payload, payloadEnd)
        : bytes.subarray(payload, payloadEnd);
    return [tag, lengthOf(inner.length, record), inner];
  }

  function run(start: number, end: number): Uint8Array {
    const parts: Uint8Array[] = [];
    for (let at = start; at < end; ) {
      const next = varintEnd(bytes, at, end);
      if (next < 0) return bytes.subarray(start, end);
      parts.push(shortest(at, next));
      at = next;
    }
    return joinBytes(parts);
  }

  /** All elements as one record; undefined: it would not be shorter. */
  function pack(records: readonly PlacedRecord[], number: number): Uint8Array | undefined {
    const values = joinBytes(
      records.map(({ payload, payloadEnd, wireType, field }) => {
        if (wireType === WireType.VARINT) return shortest(payload, payloadEnd);
        const isRun = wireType === WireType.LEN && field !== undefined && wireTypeOf(field.type) === WireType.VARINT;
        return isRun ? run(payload, payloadEnd) : bytes.subarray(payload, payloadEnd);
      }),
    );
    const whole = joinBytes([varint(number * 8 + WireType.LEN), varint(values.length), values]);
    const before = records.reduce((sum, { start, end }) => sum + end - start, 0);
    return whole.length < before ? whole : undefined;
  }

  function shortest(start: number, end: number): Uint8Array {
    const own = bytes.subarray(start, end);
    if (!without.has('overlong varints')) return own;
    const [low, high] = [varintLow(bytes, start, end), varintHigh(bytes, start, end)];
    if (varintWidth(low, high) >= own.length) return own;
    places++;
    return varint(low, high);
  }

  /** The length, as wide as captured unless padding is removed. */
  function lengthOf(length: number, { tagEnd, payload, payloadEnd }: PlacedRecord): Uint8Array {
    const padding = payload - tagEnd - varintWidth(payloadEnd - payload, 0);
    if (padding === 0) return varint(length);
    if (without.has('padded lengths')) {
      places++;
      return varint(length);
    }
    const shortest = varint(length);
    const padded = new Uint8Array(shortest.length + padding).fill(0x80);
    padded.set(shortest);
    padded[shortest.length - 1]! |= 0x80;
    padded[padded.length - 1] = 0;
    return padded;
  }

  function isZero({ wireType, payload, payloadEnd }: PlacedRecord): boolean {
    if (wireType === WireType.LEN) return payload === payloadEnd;
    for (let at = payload; at < payloadEnd; at++) {
      if ((wireType === WireType.VARINT ? bytes[at]! & 127 : bytes[at]!) !== 0) return false;
    }
    return true;
  }
}

function varint(low: number, high = 0): Uint8Array {
  const bytes = new Uint8Array(varintWidth(low, high));
  setVarint(bytes, 0, low | 0, high);
  return bytes;
}
