import { expect, test } from 'vitest';
import { compileSchema } from '#engine/schema/compile.ts';
import { TypeSamples } from './type-samples.ts';

test.each([
  ['all messages are measured', 1 << 20, []],
  ['not all', 20, ['wirecost: of a.M, 4 of 16 messages are measured, and extrapolated to all']],
])('%s', (_, most, notes) => {
  const content = 'syntax = "proto3"; package a; message M { int32 i = 1; }';
  const type = compileSchema([{ path: 'a.proto', content }]).registry.messages.get('a.M')!;
  const samples = new TypeSamples(most);
  const protobuf = Uint8Array.of(8, 1, 8, 1);
  for (let at = 0; at < 16; at++) samples.add(type, { protobuf, native: protobuf }, { captured: undefined });
  expect(samples.sampleNotes).toEqual(notes);
});
