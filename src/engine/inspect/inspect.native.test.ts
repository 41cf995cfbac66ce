/** A captured native message beside its values as protobuf: the same rows pair as in the other direction. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readCaptureSchema } from '../../cli/inputs/schema.ts';
import { NativeLayouts } from '../analysis/plan/native-reading.ts';
import { readInput } from '../analysis/read-input.ts';
import { bytesSource } from '../bytes/source.ts';
import type { Message } from '../frame/message.ts';
import { endAt, startAt } from '../model/annotation.ts';
import { type InspectedSide, inspectNative } from './inspect.ts';
import { pathAt } from './row-address.ts';

const CAPTURE = new URL('../../../fixtures/capture/opensearch-plain.pcap', import.meta.url);

async function fetchResponse() {
  const layouts = new NativeLayouts((await readCaptureSchema([])).registry);
  const found: { message: Message; payload: Uint8Array }[] = [];
  await readInput(bytesSource('capture', new Uint8Array(readFileSync(CAPTURE))), {}, (message, payload) => {
    if (message.method?.includes('phase/fetch') && message.direction === 'response') {
      found.push({ message, payload: payload.slice() });
    }
  });
  const { message, payload } = found[0]!;
  return { payload, inspected: inspectNative(payload, layouts.read(message, payload)!, message.ordinal) };
}

const rowsOf = (side: InspectedSide, wanted: string): readonly number[] =>
  [...side.path.keys()].filter((row) => pathAt(side, row) === wanted);
const sizeOf = ({ table }: InspectedSide, row: number): number => endAt(table, row) - startAt(table, row);

test('seq_no of hit 3 takes 1 byte natively and 11 in protobuf, and both rows are linked', async () => {
  const { payload, inspected } = await fetchResponse();
  const native = inspected.native!;
  expect(native.bytes).toBe(payload);
  const row = rowsOf(native, 'hits.hits.seq_no')[3]!;
  const other = native.counterpart[row]!;
  expect(inspected.protobuf.counterpart[other]).toBe(row);
  expect([sizeOf(native, row), sizeOf(inspected.protobuf, other)]).toEqual([1, 11]);
  expect(rowsOf(inspected.protobuf, 'hits.hits.seq_no')[3]).toBe(other);
});

test('values that only the native stream has are marked', async () => {
  const { inspected } = await fetchResponse();
  expect(inspected.diagnostics.map(({ code }) => code)).toEqual(['native/native-only']);
});
