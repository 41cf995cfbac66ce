/**
 * Messages read as a candidate type → the evidence for it and against it, by message type and field number.
 *
 * If a sample or a capture cut a message, its last records are evidence neither for nor against.
 */
import { invalidUtf8At } from '../../bytes/utf8.ts';
import { varintEnd, varintHigh, varintLow } from '../../bytes/varint.ts';
import { WireType } from '../../model/annotation.ts';
import type { EnumDescriptor, FieldDescriptor, MessageDescriptor, OneofDescriptor } from '../../schema/descriptor.ts';
import { isMessageSet } from '../../schema/link/rules.ts';
import { wireTypeOf } from '../../schema/wire-types.ts';
import { isAny, type NamedType, typeNamedAt, URL_TAG, VALUE_NAME, VALUE_TAG } from '../../wire/any.ts';
import { fixedSize } from '../../wire/encoding-facts.ts';
import { itemField, typeIdAt } from '../../wire/message-set.ts';
import { emptyRecord, groupEnd, isCutRecord, readRecord } from '../../wire/raw-record.ts';
import { ANY_TYPE_URL, contentBits, growth, numberBits } from './fit-by-chance.ts';
import { isTypeUrl, looksLikeText, readsAsMessage } from './hidden-content.ts';
import { EVIDENCE, EVIDENCE_IDS, type EvidenceId, UNEXPLAINED_BITS, weightOf } from './type-evidence.ts';

/** Deeper messages are not read; protobuf parsers reject them too. */
const MAX_DEPTH = 100;
/** After this many contradictions, reading stops, because further evidence cannot change the result. */
const HOPELESS = 200;
/** Numbers unknown to a message type that have a slot each; the others share one. Slots exist for each type that is compared. */
const MAX_UNKNOWN = 256;
/** Key of the shared slot: no field has it. */
const OTHER_NUMBERS = 0;
/** Maximum number of checked elements of a packed run. */
const MAX_ELEMENTS = 4096;

/** Field number of a message set's items. */
const ITEM = 1;

const NO_BYTES = new Uint8Array(0);

/** The evidence about one field number of one message type, or about one extension of a message set. */
interface Slot {
  readonly field: FieldDescriptor | undefined;
  occurrences: number;
  packed: number;
  readonly found: Partial<Record<EvidenceId, number>>;
}

interface Block {
  readonly type: MessageDescriptor;
  readonly slots: Map<number, Slot>;
  unknown: number;
  readonly required: readonly FieldDescriptor[];
}

export class TypeReading {
  readonly type: MessageDescriptor;
  readonly #blocks = new Map<MessageDescriptor, Block>();
  /** The message that is being read. */
  #bytes: Uint8Array = NO_BYTES;
  #size = 0;
  #explained = 0;
  /** Explained bytes that nearly any type would explain too. */
  #doubtful = 0;
  #contradictions = 0;

  constructor(type: MessageDescriptor) {
    this.type = type;
  }

  /** No further message can change the result: it is not the type. */
  get isHopeless(): boolean {
    return this.#contradictions > HOPELESS;
  }

  /** Share of the bytes read that belong to a field that fits, 0 to 1. */
  get share(): number {
    return this.#size === 0 ? 0 : this.#explained / this.#size;
  }

  /** @param isCut the message continues after its bytes */
  add(bytes: Uint8Array, isCut: boolean): void {
    if (this.isHopeless) return;
    this.#bytes = bytes;
    this.#size += bytes.length;
    this.#explained += this.#readBlock(this.type, 0, bytes.length, isCut, 0).explained;
    this.#bytes = NO_BYTES;
  }

  /** Reads records up to `end`, or to the end of the group `group`. */
  #readBlock(type: MessageDescriptor, start: number, end: number, cut: boolean, depth: number, group = 0): BlockRead {
    const bytes = this.#bytes;
    const block = this.#blockOf(type);
    const seen = new Set<number>();
    let oneofs: Set<OneofDescriptor> | undefined;
    const record = emptyRecord();
    let explained = 0;
    let isCut = cut;
    let named: NamedType | undefined;
    for (let p = start, stop: number; p < end; p = stop) {
      stop = readRecord(bytes, p, end, record);
      const isCutHere = stop < 0;
      if (isCutHere) {
        // A message that the capture cut ends like a message that a sample cut.
        const isTop = depth === 0;
        if (!(isCut || isTop) || !isCutRecord(bytes, p, end)) return { ok: isTop, explained, end: p };
        isCut = true;
        // The available part of the record's header has no meaning yet.
        const isHeader = record.wireType !== WireType.LEN || record.start <= p || record.start > end;
        if (isHeader) return { ok: true, explained: explained + end - p, end };
        stop = end;
      }
      const { number, wireType, start: from } = record;
      if (wireType === WireType.EGROUP) {
        if (number !== group) return { ok: false, explained, end: p };
        this.#checkRequired(block, seen);
        return { ok: true, explained: explained + stop - p, end: stop };
      }
      const isGroup = wireType === WireType.SGROUP;
      const isItem = isGroup && number === ITEM && isMessageSet(type);
      const id = isItem ? (typeIdAt(bytes, stop, end) ?? number) : number;
      const slot = isItem ? itemSlot(block, id) : slotOf(block, number);
      const { field } = slot;
      slot.occurrences++;
      const isPacked = wireType === WireType.LEN && field?.cardinality === 'repeated' && isNumeric(field);
      if (field !== undefined) {
        const isSeen = seen.has(id);
        seen.add(id);
        if (isSeen && isPacked) this.#find(slot, 'severalRuns');
        if (field.cardinality === 'singular') {
          if (isSeen) this.#find(slot, 'repeated');
          else if (field.oneof !== undefined) {
            oneofs ??= new Set();
            if (oneofs.has(field.oneof)) this.#find(slot, 'oneof');
            oneofs.add(field.oneof);
          }
        }
      }
      if (field === undefined || !(isPacked || wireType === wireTypeOf(field.type))) {
        this.#find(slot, field === undefined ? 'unknown' : 'mismatch');
        if (isGroup) stop = skipGroup(bytes, stop, end, number);
        if (stop < 0) return { ok: false, explained, end: p };
        continue;
      }
      const contents = named?.end === p && bytes[p] === VALUE_TAG && depth < MAX_DEPTH ? named.type : undefined;
      named = isAny(type) && bytes[p] === URL_TAG ? typeNamedAt(bytes, p + 1, end, type) : undefined;
      // If they do not fit the named type, they are bytes as any others.
      const held = contents && this.#readBlock(contents, from, stop, isCutHere, depth + 1);
      if (held?.ok) explained += held.explained;
      else if (field.type !== 'message' && field.type !== 'group') {
        const weight = isPacked
          ? this.#readRun(from, stop, isCutHere, slot, field)
          : this.#readValue(from, stop, isCutHere, slot, field);
        if (weight > 0) {
          explained += stop - from;
          this.#doubtful += (1 - weight) * (stop - from);
        }
      } else if (field.message === undefined || depth >= MAX_DEPTH) explained += stop - from;
      else if (isGroup) {
        const read = this.#readBlock(field.message, from, end, isCut, depth + 1, number);
        if (!read.ok) return { ok: false, explained, end: p };
        explained += read.explained;
        stop = read.end;
      } else {
        const read = this.#readBlock(field.message, from, stop, isCutHere, depth + 1);
        if (read.ok) explained += read.explained;
        else this.#find(slot, 'malformed');
      }
      explained += from - p;
      if (this.#contradictions > HOPELESS) return { ok: true, explained, end };
    }
    if (group !== 0 && !isCut) return { ok: false, explained, end };
    if (!isCut) this.#checkRequired(block, seen);
    return { ok: true, explained, end };
  }

  #checkRequired(block: Block, seen: ReadonlySet<number>): void {
    for (const { number } of block.required) {
      if (!seen.has(number)) {
        const slot = slotOf(block, number);
        slot.occurrences++;
        this.#find(slot, 'required');
      }
    }
  }

  /** How much of the value counts as explained, 0 to 1. */
  #readValue(start: number, end: number, isCut: boolean, slot: Slot, field: FieldDescriptor): number {
    const bytes = this.#bytes;
    const { type } = field;
    const isDefaultWritten = field.presence === 'implicit';
    if (type === 'string') {
      if (isDefaultWritten && start === end && !isCut) this.#find(slot, 'writtenDefault');
      const invalid = invalidUtf8At(bytes, start, end);
      if (invalid >= 0 && !(isCut && end - invalid < 4)) {
        this.#find(slot, 'notUtf8');
        return 0;
      }
      if (!looksLikeText(bytes, start, end)) {
        this.#find(slot, 'control');
        return 0.3;
      }
      if (!isCut && field.fullName === ANY_TYPE_URL && !isTypeUrl(bytes, start, end)) this.#find(slot, 'typeUrl');
      return 1;
    }
    if (type === 'bytes') {
      if (isDefaultWritten && start === end && !isCut) this.#find(slot, 'writtenDefault');
      const mayHold = field.content !== undefined || field.fullName === VALUE_NAME;
      if (!isCut && !mayHold && readsAsMessage(bytes, start, end)) this.#find(slot, 'heldMessage');
      return 1;
    }
    if (field.cardinality === 'repeated' && field.packed) this.#find(slot, 'otherForm');
    if (isDefaultWritten && isZero(bytes, start, end)) this.#find(slot, 'writtenDefault');
    const fault = faultOf(bytes, start, end, type, field.enum);
    if (fault === undefined) return 1;
    this.#find(slot, fault);
    return fault === 'outOfRange' ? 0 : 0.5;
  }

  #readRun(start: number, end: number, isCut: boolean, slot: Slot, field: FieldDescriptor): number {
    const bytes = this.#bytes;
    slot.packed++;
    if (!field.packed) this.#find(slot, 'otherForm');
    const { type } = field;
    const size = fixedSize(type);
    if (size > 0) {
      if (!isCut && (end - start) % size !== 0) {
        this.#find(slot, 'oddRun');
        return 0;
      }
      let odd = 0;
      const elements = Math.min(MAX_ELEMENTS, Math.floor((end - start) / size));
      for (let n = 0; n < elements; n++) {
        if (faultOf(bytes, start + n * size, start + (n + 1) * size, type, undefined) !== undefined) odd++;
      }
      if (odd > elements / 10) this.#find(slot, 'oddFloat');
      return 1;
    }
    let elements = 0;
    let odd = 0;
    let unknown = 0;
    for (let p = start; p < end && elements < MAX_ELEMENTS; elements++) {
      const next = varintEnd(bytes, p, end);
      if (next < 0) {
        if (!isCut) odd = elements + 1;
        break;
      }
      const fault = faultOf(bytes, p, next, type, field.enum);
      if (fault === 'unknownEnum') unknown++;
      else if (fault !== undefined) odd++;
      p = next;
    }
    if (unknown > 0) this.#find(slot, 'unknownEnum');
    if (odd > elements / 50) {
      this.#find(slot, 'oddRun');
      return 0.3;
    }
    if (!isCut && end - start >= 6 && (isLongText(bytes, start, end) || readsAsMessage(bytes, start, end))) {
      this.#find(slot, 'textInRun');
      return 0.5;
    }
    return 0.8;
  }

  #find({ found }: Slot, id: EvidenceId): void {
    found[id] = (found[id] ?? 0) + 1;
    if (EVIDENCE[id].isContradiction) this.#contradictions++;
  }

  #blockOf(type: MessageDescriptor): Block {
    let block = this.#blocks.get(type);
    if (block === undefined) {
      const required = type.fields.filter(({ presence }) => presence === 'required');
      block = { type, slots: new Map(), unknown: 0, required };
      this.#blocks.set(type, block);
    }
    return block;
  }

  weigh(): Weighed {
    let support = 0;
    let against = 0;
    let contradictions = 0;
    const found: Partial<Record<EvidenceId, number>> = {};
    for (const { type, slots } of this.#blocks.values()) {
      for (const slot of slots.values()) {
        const { field, occurrences } = slot;
        let contradicted = 0;
        for (const id of EVIDENCE_IDS) {
          const count = slot.found[id] ?? 0;
          if (count === 0) continue;
          found[id] = (found[id] ?? 0) + count;
          const weight = weightOf(count, occurrences);
          against += EVIDENCE[id].bits * weight;
          if (EVIDENCE[id].isContradiction && count >= occurrences / 10) contradictions++;
          if (id !== 'writtenDefault') contradicted += count;
        }
        const fits = occurrences - Math.min(occurrences, contradicted);
        if (field === undefined || fits === 0 || contradicted > occurrences / 10) continue;
        const isPacked = slot.packed > occurrences / 2;
        support += (numberBits(type) * 0.7 + contentBits(field, isPacked)) * growth(fits);
      }
    }
    const size = Math.max(1, this.#size);
    const doubt = (UNEXPLAINED_BITS * Math.min(this.#explained, this.#doubtful)) / size;
    against += UNEXPLAINED_BITS * (1 - this.#explained / size) + doubt;
    return { support, against, doubt, contradictions, found };
  }

  /**
   * The nested fields that occurred, by number, name and type. Two types that read the messages in the same way have
   * the same signature.
   */
  signature(): string {
    const open = new Set<MessageDescriptor>();
    const print = (type: MessageDescriptor): string => {
      const block = this.#blocks.get(type);
      if (block === undefined) return '';
      if (open.has(type)) return '^';
      open.add(type);
      const parts = [...block.slots]
        .sort(([a], [b]) => a - b)
        .flatMap(([number, { field }]) =>
          field === undefined
            ? []
            : [
                `${number}${field.name}:${field.cardinality}:${field.type}{${field.message ? print(field.message) : ''}}`,
              ],
        );
      open.delete(type);
      return parts.join();
    };
    return print(this.type);
  }
}

interface BlockRead {
  /** The value could be read to its end. */
  readonly ok: boolean;
  /** Bytes of the value that belong to a field that fits. */
  readonly explained: number;
  readonly end: number;
}

export interface Weighed {
  /** Bits for the type, and bits against it. */
  readonly support: number;
  readonly against: number;
  /** The part of `against` for bytes that nearly any type would explain too. */
  readonly doubt: number;
  /** Fields whose contradictions are too frequent to be faults of the data. */
  readonly contradictions: number;
  readonly found: Readonly<Partial<Record<EvidenceId, number>>>;
}

function slotOf(block: Block, number: number): Slot {
  const { type, slots } = block;
  const known = slots.get(number);
  if (known !== undefined) return known;
  const field = type.byNumber.get(number) ?? type.extensions.get(number);
  const isShared = field === undefined && ++block.unknown > MAX_UNKNOWN;
  const shared = isShared ? slots.get(OTHER_NUMBERS) : undefined;
  if (shared !== undefined) return shared;
  const slot: Slot = { field, occurrences: 0, packed: 0, found: {} };
  slots.set(isShared ? OTHER_NUMBERS : number, slot);
  return slot;
}

/** @param id number of the extension */
function itemSlot({ type, slots }: Block, id: number): Slot {
  const known = slots.get(id);
  if (known !== undefined) return known;
  const slot: Slot = { field: itemField(type, id), occurrences: 0, packed: 0, found: {} };
  slots.set(id, slot);
  return slot;
}

/** One past the end of an unknown group, or −1. */
function skipGroup(bytes: Uint8Array, start: number, end: number, number: number): number {
  const at = groupEnd(bytes, start, end, number);
  return at < 0 ? -1 : varintEnd(bytes, at, end);
}

const isNumeric = ({ type }: FieldDescriptor): boolean =>
  type !== 'string' && type !== 'bytes' && type !== 'message' && type !== 'group';

const isZero = (bytes: Uint8Array, start: number, end: number): boolean => {
  for (let p = start; p < end; p++) if (bytes[p] !== 0) return false;
  return true;
};

/** The oddity of a number for its type; undefined: it has no oddity. */
function faultOf(
  bytes: Uint8Array,
  start: number,
  end: number,
  type: FieldDescriptor['type'],
  values: EnumDescriptor | undefined,
): EvidenceId | undefined {
  switch (type) {
    case 'double': {
      const top = (bytes[end - 1]! << 8) | bytes[end - 2]!;
      return isOddExponent((top >> 4) & 0x7ff, 1023, isZero(bytes, start, end));
    }
    case 'float': {
      const top = (bytes[end - 1]! << 8) | bytes[end - 2]!;
      return isOddExponent((top >> 7) & 0xff, 127, isZero(bytes, start, end));
    }
    case 'fixed64':
    case 'sfixed64':
    case 'fixed32':
    case 'sfixed32':
    case 'string':
    case 'bytes':
    case 'message':
    case 'group':
      return undefined;
  }
  if (end - start > 1 && bytes[end - 1] === 0) return 'overlong';
  if (type === 'int64' || type === 'uint64' || type === 'sint64') return undefined;
  const low = varintLow(bytes, start, end);
  const high = end - start < 5 ? 0 : varintHigh(bytes, start, end);
  if (type === 'bool') return high === 0 && (low === 0 || low === 1) ? undefined : 'outOfRange';
  if (type === 'uint32' || type === 'sint32') return high === 0 ? undefined : 'outOfRange';
  // Negative numbers are sign-extended to 64 bits. Some encoders write them in five bytes.
  if (high !== 0 && !(high === -1 && low < 0)) return 'outOfRange';
  if (type === 'enum' && values !== undefined && !numbersOf(values).has(low)) return 'unknownEnum';
  return undefined;
}

/** Usual numbers are zero, infinities, NaN, and the usual range of measurements and counts: 1e-30 to 1e30. */
function isOddExponent(exponent: number, bias: number, isAllZero: boolean): 'oddFloat' | undefined {
  const special = 2 * bias + 1;
  if (isAllZero || exponent === special || Math.abs(exponent - bias) <= 100) return undefined;
  return 'oddFloat';
}

const knownNumbers = new WeakMap<EnumDescriptor, ReadonlySet<number>>();

function numbersOf(values: EnumDescriptor): ReadonlySet<number> {
  let numbers = knownNumbers.get(values);
  if (numbers === undefined) {
    numbers = new Set(values.values.map(({ number }) => number));
    knownNumbers.set(values, numbers);
  }
  return numbers;
}

const isLongText = (bytes: Uint8Array, start: number, end: number): boolean => {
  if (end - start < 12) return false;
  for (let p = start; p < end; p++) if (bytes[p]! < 0x20 || bytes[p]! > 0x7e) return false;
  return true;
};
