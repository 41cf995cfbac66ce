/**
 * Findings about field declarations that cost more than necessary, as sentences. They are facts of the encoding, or
 * guesses from names; guesses are marked.
 */

import type { FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';
import { type TypeGraph, valueTypeOf } from '../schema/type-graph.ts';
import { isPackable } from '../schema/wire-types.ts';
import { tagWidth } from '../wire/encoding-facts.ts';

export type CostFindingCode =
  | 'tag'
  | 'negative'
  | 'large-varint'
  | 'unpacked'
  | 'map'
  | 'wrapper'
  | 'timestamp'
  | 'nesting'
  | 'text-id'
  | 'group';

export interface CostFinding {
  readonly code: CostFindingCode;
  /** The cost, and a cheaper alternative. */
  readonly message: string;
  /** Derived from the field's name, which may be misleading. */
  readonly isGuess: boolean;
}

const WRAPPERS = /^google\.protobuf\.(Bool|U?Int32|U?Int64|Float|Double|String|Bytes)Value$/;

/** `trace_id`, `uuid`, `content_hash`: such values usually have the full width of their type. */
const RANDOM_NAME = /(^|_)(id|uid|uuid|guid|hash|digest|fingerprint|checksum|signature|token|nonce|seed)s?$/i;
const TIME_NAME = /(^|_)(nanos?|ns|unix_nano|time_unix_nano|timestamp_ns)$/i;
/** Names of numbers that stay small: counts, positions in a list. */
const SIGNED_NAME = /(^|_)(delta|diff|offset|balance|temperature|latitude|longitude|lat|lng|lon|x|y|z)s?$/i;

const snake = (name: string): string => name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2');

/** @param tagBytes bytes of the field's tag. */
export function costFindings(field: FieldDescriptor): readonly CostFinding[] {
  const tagBytes = tagWidth(field.number);
  const findings: CostFinding[] = [];
  const add = (code: CostFindingCode, message: string, isGuess = false) => findings.push({ code, message, isGuess });
  const name = snake(field.name);
  if (tagBytes > 1) {
    // Three bits of a tag are the wire type.
    const limit = 2 ** (7 * (tagBytes - 1) - 3) - 1;
    const each = field.cardinality === 'singular' || field.packed ? 'Its tag takes' : 'The tag of each element takes';
    add('tag', `${each} ${tagBytes} bytes: the number is above ${limit}. Frequent fields belong below 16.`);
  }
  if (field.cardinality === 'repeated' && !field.packed && isPackable(field.type)) {
    const cost = tagBytes === 1 ? 'a byte' : `${tagBytes} bytes`;
    add('unpacked', `Each element has a tag of its own, ${cost}. Packed, all of them share one tag and a length.`);
  }
  if (field.type === 'group')
    add('group', `A group has its tag twice, ${2 * tagBytes} bytes, and no length to skip by.`);
  if (field.cardinality === 'map') {
    add('map', 'Each entry costs a tag, a length, and a tag for its key and its value: 4 bytes and more beside them.');
    return findings;
  }
  addNumbers(field, name, add);
  addMessages(field.message, tagBytes, add);
  if (field.type === 'string' && RANDOM_NAME.test(name)) {
    const text = 'If this is a UUID or a hash in hexadecimal, half of its bytes are lost to text';
    add('text-id', `${text}: 36 characters instead of 16 bytes, or 2 instead of 1.`, true);
  }
  return findings;
}

/** Minimum nesting depth of a finding. */
const DEEP = 4;

/** Findings about a field that holds messages; empty if they are not deeply nested. */
export function nestingFindings(field: FieldDescriptor, { depth }: Pick<TypeGraph, 'depth'>): readonly CostFinding[] {
  const type = valueTypeOf(field);
  const levels = type?.kind === 'message' ? depth(type) : 0;
  if (levels < DEEP) return [];
  const many = Number.isFinite(levels) ? `Up to ${levels} messages lie` : 'Any number of messages may lie';
  const message = `${many} in each other here. Each costs a tag and a length, 2 bytes and more, around what it holds.`;
  return [{ code: 'nesting', message, isGuess: false }];
}

type Add = (code: CostFindingCode, message: string, isGuess?: boolean) => void;

function addNumbers(field: FieldDescriptor, name: string, add: Add): void {
  switch (field.type) {
    case 'int32':
    case 'int64':
      if (SIGNED_NAME.test(name)) {
        add(
          'negative',
          `A negative value takes 10 bytes, as the name suggests there are; s${field.type} takes few.`,
          true,
        );
      } else
        add(
          'negative',
          `A negative value takes 10 bytes; if there are any, s${field.type} takes as many as its size needs.`,
        );
      break;
    case 'enum': {
      const negative = field.enum?.values.find(({ number }) => number < 0);
      if (negative !== undefined)
        add('negative', `"${negative.name}" = ${negative.number} takes 10 bytes, as every negative value of an enum.`);
      break;
    }
  }
  const isVarint64 = field.type === 'int64' || field.type === 'uint64';
  if (isVarint64 && TIME_NAME.test(name)) {
    add('large-varint', 'Nanoseconds since 1970 take 9 bytes as a varint; fixed64 takes 8.', true);
  } else if (isVarint64 && RANDOM_NAME.test(name) && /hash|digest|fingerprint|checksum|nonce|seed/i.test(name)) {
    // Ten bytes from 2^63 on, nine from 2^56 on.
    add(
      'large-varint',
      'Half of all random 64-bit numbers take 10 bytes as a varint, the others 9; fixed64 takes 8.',
      true,
    );
  } else if (
    field.type === 'uint32' &&
    RANDOM_NAME.test(name) &&
    /hash|digest|fingerprint|checksum|nonce|seed/i.test(name)
  ) {
    add('large-varint', 'Random 32-bit numbers take 5 bytes as a varint, few of them 4; fixed32 takes 4.', true);
  }
}

function addMessages(message: MessageDescriptor | undefined, tagBytes: number, add: Add): void {
  if (message === undefined) return;
  if (WRAPPERS.test(message.fullName)) {
    const extra = 'a length and an inner tag, 2 bytes';
    add('wrapper', `The wrapper costs ${extra} more than an optional field, which shows absence as well.`);
  } else if (message.fullName === 'google.protobuf.Timestamp') {
    const sum = tagBytes + 1 + 6 + 6;
    add(
      'timestamp',
      `Seconds and nanoseconds take up to ${sum} bytes with their tags; a fixed64 of nanoseconds takes ${tagBytes + 8}.`,
    );
  }
}
