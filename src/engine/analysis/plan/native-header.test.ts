/** Headers of captured frames cost the same in both encodings as other readers and writers measure. */

import { readFileSync } from 'node:fs';
import protobuf from 'protobufjs';
import { expect, test } from 'vitest';
import { readCaptureSchema } from '../../../cli/inputs/schema.ts';
import { bytesSource } from '../../bytes/source.ts';
import { headerSides } from '../../cost/profile.ts';
import type { Message } from '../../frame/message.ts';
import { SCHEMA_LAYOUT_PROFILE } from '../../native/profiles.ts';
import type { MessageDescriptor } from '../../schema/descriptor.ts';
import { MessageProfiler } from '../message-profiler.ts';
import { readInput } from '../read-input.ts';
import { NativeLayouts } from './native-reading.ts';

/** As the variable header of pull request 11910's frame: maps of texts, features, the action. */
const { root } = protobuf.parse(`syntax = "proto3";
message Request { map<string, string> request = 1; map<string, V> response = 2; repeated string f = 3; string action = 4; }
message Response { map<string, string> request = 1; map<string, V> response = 2; }
message V { repeated string values = 1; }`);

/** The worker context as the frame's own reader found it; TASK_RESOURCE_USAGE is a response header with one value. */
function asProtobuf({ context, method, direction }: Message): number {
  const { requestId: _, version: __, handshake: ___, TASK_RESOURCE_USAGE: usage, ...request } = context ?? {};
  const response = usage === undefined ? {} : { TASK_RESOURCE_USAGE: { values: [usage] } };
  const type = root.lookupType(direction === 'request' ? 'Request' : 'Response');
  const action = direction === 'request' ? { action: method } : {};
  return type.encode({ request, response, ...action }).finish().length;
}

test.each(['opensearch-plain.pcap', 'opensearch-deflate.pcap', 'opensearch-cooked2.pcap'])('%s', async (name) => {
  const native = new NativeLayouts((await readCaptureSchema([])).registry);
  const capture = readFileSync(new URL(`../../../../fixtures/capture/${name}`, import.meta.url));
  const profilers = new Map<MessageDescriptor, MessageProfiler>();
  const expected = { native: 0, protobuf: 0 };
  await readInput(bytesSource(name, new Uint8Array(capture)), {}, (message, payload) => {
    const reading = native.read(message, payload);
    const header = native.headerOf(message);
    expect(header?.reading.read.diagnostics).toEqual([]);
    if (reading === undefined || reading.read.diagnostics.length > 0) return;
    const { type } = reading;
    const profiler = profilers.get(type) ?? new MessageProfiler(type, { nativeProfile: SCHEMA_LAYOUT_PROFILE });
    profilers.set(type, profiler);
    profiler.addNative(payload, 0, reading, header);
    // Marker, length, request id, status, version and the header's own length take 23.
    expected.native += message.headerBytes! - 23;
    expected.protobuf += asProtobuf(message);
  });
  const profiles = await Promise.all([...profilers.values()].map((profiler) => profiler.profile()));
  const sum = (side: 'native' | 'protobuf') =>
    profiles.reduce((total, profile) => total + headerSides(profile)![side], 0);
  expect({ native: sum('native'), protobuf: sum('protobuf') }).toEqual(expected);
  expect(expected.native).toBeGreaterThan(1000);
});
