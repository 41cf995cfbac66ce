import { createHash } from 'node:crypto';
import protobuf from 'protobufjs';
import { describe, expect, test } from 'vitest';
import { makePayload, PAYLOAD_KINDS, type Payload, protobufjsRoot } from './payloads.ts';

const SIZE = 300_000;

/** Records of a message and of all messages in it; a packed run is one. By the schema: bytes may look like a message. */
function countRecords(bytes: Uint8Array, type: protobuf.Type): number {
  const reader = protobuf.Reader.create(bytes);
  let count = 0;
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    const field = type.fieldsById[tag >>> 3]!.resolve();
    count++;
    if (field.resolvedType instanceof protobuf.Type) count += countRecords(reader.bytes(), field.resolvedType);
    else reader.skipType(tag & 7);
  }
  return count;
}

const messagesOf = ({ bytes, ends }: Payload): Uint8Array[] =>
  ends.map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1], end));

describe.each(PAYLOAD_KINDS)('%s', (kind) => {
  const payload = makePayload(kind, SIZE);

  test('is the same each time', () => {
    const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
    expect(hash(makePayload(kind, SIZE).bytes)).toBe(hash(payload.bytes));
  });

  test('has at least the requested size, and little more', () => {
    expect(payload.bytes.length).toBeGreaterThanOrEqual(SIZE);
    expect(payload.bytes.length).toBeLessThan(SIZE + 150_000);
  });

  test('every message decodes, and encodes to itself', () => {
    const type = protobufjsRoot.lookupType(payload.type);
    for (const message of messagesOf(payload)) {
      expect(Buffer.compare(type.encode(type.decode(message)).finish(), message)).toBe(0);
    }
  });
});

test('bytes per record', () => {
  const shape = PAYLOAD_KINDS.map((kind) => {
    const payload = makePayload(kind, SIZE);
    const type = protobufjsRoot.lookupType(payload.type);
    const records = messagesOf(payload).reduce((sum, message) => sum + countRecords(message, type), 0);
    return `${kind} ${(payload.bytes.length / records).toFixed(0)}`;
  });
  expect(shape).toEqual(['remote-write 7', 'search-hit 104', 'trace 10', 'numbers 7']);
});
