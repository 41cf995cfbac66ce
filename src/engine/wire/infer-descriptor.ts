/**
 * A message type guessed from messages, so that every view works without a schema: fields `?1`, nested where every
 * payload of a field reads as a message. Rows and profiles by it are marked as guesses.
 *
 * Work is bounded: a payload is looked at once a level, levels and bytes are limited.
 */

import { varintHigh } from '../bytes/varint.ts';
import { WireType } from '../model/annotation.ts';
import type { FieldDescriptor, FieldType, MessageDescriptor } from '../schema/descriptor.ts';
import { undeclaredField, undeclaredMessage } from '../schema/undeclared.ts';
import { isEverydayFloat, messageLikelihood, textLikelihood } from './guess.ts';
import { GUESSED_FILE } from './guessed.ts';
import { emptyRecord, isCutRecord, type RawRecord, readRecord } from './raw-record.ts';

export interface InferOptions {
  /** Messages looked at, from the first. */
  readonly maxMessages?: number;
  /** Bytes looked at; those within a nested payload count at each level. */
  readonly maxBytes?: number;
}

const MAX_DEPTH = 32;
const MAX_FIELDS = 20_000;

/** Evidence about one field number at one place. */
interface Evidence {
  readonly number: number;
  readonly wireTypes: [number, number, number, number, number, number];
  isRepeated: boolean;
  /** VARINT: one value takes ten bytes. I32 and I64: all values have an everyday size as floating point. */
  isNegative: boolean;
  isFloat: boolean;
  /** LEN: sums over the payloads that are not empty; −1 once one of them is not a message. */
  text: number;
  message: number;
  lastInstance: number;
  readonly fields: Map<number, Evidence>;
}

interface Survey {
  bytes: number;
  fields: number;
  instances: number;
}

/** A type whose `file` says that it was guessed; its name is empty, nested ones are `?1`, `?1.?3`. */
export function inferDescriptor(
  messages: Iterable<Uint8Array>,
  { maxMessages = 1000, maxBytes = 1 << 23 }: InferOptions = {},
): MessageDescriptor {
  const fields = new Map<number, Evidence>();
  const survey: Survey = { bytes: maxBytes, fields: MAX_FIELDS, instances: 0 };
  let left = maxMessages;
  for (const message of messages) {
    if (left-- <= 0 || survey.bytes <= 0) break;
    look(survey, fields, message, 0, message.length, 0, true);
  }
  return describeType('', fields);
}

/** @param mayBeCut it may go on behind `end`: then its last record is looked at as far as it goes */
function look(
  survey: Survey,
  fields: Map<number, Evidence>,
  bytes: Uint8Array,
  start: number,
  end: number,
  depth: number,
  mayBeCut: boolean,
): void {
  survey.bytes -= end - start;
  const record = emptyRecord();
  // Open groups: what was around each, and how many more are open that are too deep to be looked into.
  const around: { readonly number: number; readonly fields: Map<number, Evidence>; readonly instance: number }[] = [];
  const tooDeep: number[] = [];
  let current = fields;
  let instance = ++survey.instances;
  for (let p = start; p < end; ) {
    const next = readRecord(bytes, p, end, record);
    const isCut = next < 0;
    // In a cut record, only a payload behind its length can be examined.
    if (isCut && !(mayBeCut && isCutRecord(bytes, p, end) && isLenIn(record, end))) return;
    p = isCut ? end : next;
    const { number, wireType } = record;
    if (wireType === WireType.EGROUP) {
      if (tooDeep.length > 0) {
        if (tooDeep.pop() !== number) return;
        continue;
      }
      const outer = around.pop();
      if (outer === undefined || outer.number !== number) return;
      current = outer.fields;
      instance = outer.instance;
      continue;
    }
    const evidence = tooDeep.length > 0 ? undefined : evidenceOf(survey, current, number);
    if (evidence === undefined) {
      if (wireType === WireType.SGROUP) tooDeep.push(number);
      continue;
    }
    evidence.wireTypes[wireType as 0]++;
    if (evidence.lastInstance === instance) evidence.isRepeated = true;
    evidence.lastInstance = instance;
    if (wireType === WireType.SGROUP) {
      if (depth + around.length + 1 >= MAX_DEPTH) {
        tooDeep.push(number);
      } else {
        around.push({ number, fields: current, instance });
        current = evidence.fields;
        instance = ++survey.instances;
      }
    } else if (wireType === WireType.LEN) {
      weigh(survey, evidence, bytes, record.start, p, depth + around.length + 1, isCut);
    } else if (wireType === WireType.VARINT) {
      evidence.isNegative ||= varintHigh(bytes, record.start, record.end) < 0;
    } else {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      evidence.isFloat &&= isEverydayFloat(view, record.start, wireType === WireType.I32 ? 4 : 8);
    }
  }
}

const isLenIn = ({ wireType, start, end }: RawRecord, limit: number): boolean =>
  wireType === WireType.LEN && start <= limit && end > limit;

/** Looks at one LEN payload, or at what is there of it: as text and as message, and into it while it may be one. */
function weigh(
  survey: Survey,
  evidence: Evidence,
  bytes: Uint8Array,
  start: number,
  end: number,
  depth: number,
  isCut: boolean,
): void {
  if (start === end || survey.bytes <= 0) return;
  survey.bytes -= end - start;
  const text = evidence.text < 0 ? 0 : textLikelihood(bytes, start, isCut ? lastCharacterEnd(bytes, start, end) : end);
  evidence.text = text === 0 ? -1 : evidence.text + text;
  if (evidence.message < 0) return;
  const message = depth >= MAX_DEPTH ? 0 : messageLikelihood(bytes, start, end, isCut);
  evidence.message = message === 0 ? -1 : evidence.message + message;
  if (message > 0) look(survey, evidence.fields, bytes, start, end, depth, isCut);
}

/** Without the bytes of a UTF-8 sequence that has begun and does not end. */
function lastCharacterEnd(bytes: Uint8Array, start: number, end: number): number {
  for (let at = end - 1; at >= start && at >= end - 3; at--) {
    const byte = bytes[at]!;
    if (byte < 0x80) break;
    if (byte >= 0xc0) return at + (byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4) > end ? at : end;
  }
  return end;
}

function evidenceOf(survey: Survey, fields: Map<number, Evidence>, number: number): Evidence | undefined {
  let evidence = fields.get(number);
  if (evidence === undefined && survey.fields > 0) {
    survey.fields--;
    evidence = {
      number,
      wireTypes: [0, 0, 0, 0, 0, 0],
      isRepeated: false,
      isNegative: false,
      isFloat: true,
      text: 0,
      message: 0,
      lastInstance: 0,
      fields: new Map(),
    };
    fields.set(number, evidence);
  }
  return evidence;
}

/**
 * The type with the most evidence. A number with several wire types gets the most frequent one, but LEN goes before
 * all others: as a repeated number, the field would take LEN payloads for packed runs.
 */
function typeOf(evidence: Evidence): FieldType {
  const { wireTypes } = evidence;
  switch (wireTypes[WireType.LEN] > 0 ? WireType.LEN : wireTypes.indexOf(Math.max(...wireTypes))) {
    case WireType.VARINT:
      return evidence.isNegative ? 'int64' : 'uint64';
    case WireType.I64:
      return evidence.isFloat ? 'double' : 'fixed64';
    case WireType.I32:
      return evidence.isFloat ? 'float' : 'fixed32';
    case WireType.SGROUP:
      return 'group';
    default:
      if (evidence.message > 0 && evidence.message > evidence.text) return 'message';
      return evidence.text > 0 ? 'string' : 'bytes';
  }
}

function describeType(path: string, evidence: ReadonlyMap<number, Evidence>): MessageDescriptor {
  const fields: FieldDescriptor[] = [];
  const byNumber = new Map<number, FieldDescriptor>();
  const messages: MessageDescriptor[] = [];
  const name = path.slice(path.lastIndexOf('.') + 1);
  const type = undeclaredMessage({ name, fullName: path, file: GUESSED_FILE, fields, byNumber, messages });
  for (const found of [...evidence.values()].sort((a, b) => a.number - b.number)) {
    const name = `?${found.number}`;
    const fullName = path === '' ? name : `${path}.${name}`;
    const fieldType = typeOf(found);
    const message = fieldType === 'message' || fieldType === 'group' ? describeType(fullName, found.fields) : undefined;
    if (message !== undefined) messages.push(message);
    const field = undeclaredField({
      name,
      fullName,
      number: found.number,
      type: fieldType,
      cardinality: found.isRepeated ? 'repeated' : 'singular',
      presence: found.isRepeated ? 'none' : 'explicit',
      parent: type,
      message,
    });
    fields.push(field);
    byNumber.set(field.number, field);
  }
  return type;
}
