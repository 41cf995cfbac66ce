import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bytesSource } from '../bytes/source.ts';
import { compileSchema } from '../schema/compile.ts';
import { allMessages, storeMessages } from './message-store.ts';
import { planMessages } from './plan-messages.ts';
import { openInput } from './read-input.ts';

/** A type that any message with two delimited fields fits, in a schema of many types. */
const content = `syntax = "proto3"; package OSMPBF;
  message PrimitiveBlock { bytes stringtable = 1; repeated bytes primitivegroup = 2; }
  ${Array.from({ length: 20 }, (_, n) => `message Other${n} { int32 number = ${n + 40}; }`).join(' ')}`;
const { registry } = compileSchema([{ path: 'osm.proto', content }]);

test.each([
  ['is the one that the framing names, if it fits best', 'fixtures/input/map-zlib.osm.pbf', 'OSMPBF.PrimitiveBlock'],
  ['takes evidence in other framings', 'public/samples/prometheus-remote-write-2.binpb', null],
])('the type of messages %s', async (_name, path, type) => {
  const bytes = new Uint8Array(readFileSync(new URL(`../../../${path}`, import.meta.url)));
  const opened = await openInput(bytesSource(path, bytes), {});
  const { store } = await storeMessages(opened, {}, { nextTurn: () => Promise.resolve() });
  const plan = await planMessages([{ store, ordinals: allMessages(store) }], [{ registry }]);
  expect(plan.type).toBe(type);
});
