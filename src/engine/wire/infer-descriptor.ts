/**
 * A message type guessed from messages, so that every view works without a schema: fields are named `?1`, and a field
 * is a message if all its payloads read as messages. Rows and profiles that use it are marked as guesses.
 *
 * Time is bounded: a payload is read once for each level of nesting, and levels and bytes are limited.
 */

import { varintHigh } from '../bytes/varint.ts';
import { WireType } from '../model/annotation.ts';
import type { FieldDescriptor, FieldType, MessageDescriptor } from '../schema/descriptor.ts';
import { undeclaredField, undeclaredMessage } from '../schema/undeclared.ts';
import { isEverydayFloat, messageLikelihood, textLikelihood } from './guess.ts';
import { GUESSED_FILE } from './guessed.ts';
import { emptyRecord, isCutRecord, type RawRecord, readRecord } from './raw-record.ts';

/** Maximum number of messages that are read, from the first on. */
const MAX_MESSAGES = 1000;
/** Maximum bytes that are read. Bytes in nested payloads count once for each level. */
const MAX_BYTES = 1 << 23;
const MAX_DEPTH = 32;
const MAX_FIELDS = 20_000;

/** Evidence about one field number at one place. */
interface Evidence {
  readonly number: number;
  readonly wireTypes: [number, number, number, number, number, number];
  isRepeated: boolean;
  /**
   * VARINT: whether a value takes ten bytes. I32 and I64: whether all values are of usual size as floating-point
   * numbers.
   */
  isNegative: boolean;
  isFloat: boolean;
  /** LEN: sums over payloads that are not empty; −1: one of them is not a message. */
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

/** A type whose `file` marks it as guessed. Its name is empty; nested types are named `?1`, `?1.?3`. */
export function inferDescriptor(messages: Iterable<Uint8Array>): MessageDescriptor {
  const fields = new Map<number, Evidence>();
  const survey: Survey = { bytes: MAX_BYTES, fields: MAX_FIELDS, instances: 0 };
  let left = MAX_MESSAGES;
  for (const message of messages) {
    if (left-- <= 0 || survey.bytes <= 0) break;
    look(survey, fields, message, 0, message.length, 0, true);
  }
  return describeType('', fields);
}

/** @param mayBeCut the message may continue after `end`; its last record is then read up to `end` */
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
  // Open groups, each with its enclosing fields; and the number of further open groups that are too deep to be read.
  const around: { readonly number: number; readonly fields: Map<number, Evidence>; readonly instance: number }[] = [];
  const tooDeep: number[] = [];
  let current = fields;
  let instance = ++survey.instances;
  for (let p = start; p < end; ) {
    const next = readRecord(bytes, p, end, record);
    const isCut = next < 0;
    // In a cut record, only a payload after its length can be read.
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

/**
 * Evaluates one LEN payload, or its available part, as text and as a message. It enters the payload as long as it may
 * be a message.
 */
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

/** The end of the bytes, without an incomplete UTF-8 sequence at the end. */
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
 * The type with the most evidence. A number with several wire types gets the most frequent one, except that LEN takes
 * precedence: if the field were a repeated number, its LEN payloads would be read as packed runs.
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
