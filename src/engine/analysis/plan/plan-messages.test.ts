import { readFileSync } from 'node:fs';
import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { bytesSource } from '../../bytes/source.ts';
import { compileSchema } from '../../schema/compile.ts';
import { openInput } from '../read-input.ts';
import { allMessages, storeMessages } from '../store/message-store.ts';
import { planMessages } from './plan-messages.ts';

/** A type that any message with two delimited fields fits, in a schema of many types. */
const content = `syntax = "proto3"; package OSMPBF;
  message PrimitiveBlock { bytes stringtable = 1; repeated bytes primitivegroup = 2; }
  ${Array.from({ length: 20 }, (_, n) => `message Other${n} { int32 number = ${n + 40}; }`).join(' ')}`;
const { registry } = compileSchema([{ path: 'osm.proto', content }]);

test.each([
  ['is the one that the framing names, if it fits best', 'fixtures/input/map-zlib.osm.pbf', 'OSMPBF.PrimitiveBlock'],
  ['takes evidence in other framings', 'public/samples/prometheus-remote-write-2.binpb', null],
])('the type of messages %s', async (_name, path, type) => {
  const bytes = new Uint8Array(readFileSync(new URL(`../../../../${path}`, import.meta.url)));
  const opened = await openInput(bytesSource(path, bytes), {});
  const { store } = await storeMessages(opened, {}, { nextTurn: () => Promise.resolve() });
  const plan = await planMessages([{ store, ordinals: allMessages(store) }], [{ registry }]);
  expect(plan.type).toBe(type);
});

describe('files that are read together', () => {
  const read = (path: string): Uint8Array =>
    Uint8Array.from(readFileSync(new URL(`../../../../${path}`, import.meta.url)));
  const textOf = (path: string) => ({ path, content: new TextDecoder().decode(read(path)) });
  const types = compileSchema(['schemas/prometheus/remote-write-1.proto', 'schemas/elastic/apm.proto'].map(textOf));
  const write = read('public/samples/prometheus-remote-write-1.binpb');
  const events = read('public/samples/apm-events.delim.binpb');

  test.each([
    [
      'of different types are listed by type',
      { 'a.bin': write, 'b.bin': events, 'c.bin': write },
      ['a.bin, c.bin', 'b.bin'],
    ],
    ['of one type are not', { 'a.bin': write, 'b.bin': write }, undefined],
    ['beside one without messages are not', { 'a.bin': write, 'b.bin': Uint8Array.of(255) }, undefined],
  ])('%s', async (_, files, listed) => {
    const opened = await openInput(bytesSource('all.zip', zipSync(files as Record<string, Uint8Array>)), {});
    const { store } = await storeMessages(opened, {}, { nextTurn: () => Promise.resolve() });
    const { unlike } = await planMessages([{ store, ordinals: allMessages(store) }], [types]);
    expect(unlike?.types.map((one) => one.files.join(', '))).toEqual(listed);
  });
});

describe('the type that the envelope of Kubernetes names', () => {
  const POD = new Uint8Array(readFileSync(new URL('../../../../fixtures/input/pod.k8s', import.meta.url)));
  const fields = `
    message Meta { string name = 1; string generateName = 2; string namespace = 3; string selfLink = 4; string uid = 5;
      string resourceVersion = 6; int64 generation = 7; Time creationTimestamp = 8; map<string, string> labels = 11; }
    message Time { int64 seconds = 1; int32 nanos = 2; }`;
  const schemaOf = (...names: readonly string[]) => [
    {
      path: 'core.proto',
      content: `syntax = "proto2"; package k8s.io.api.core.v1; ${fields.replaceAll(/(string|int64|int32|Time) (?=\w+ =)/g, 'optional $1 ')}
        ${names.map((name) => `message ${name} { optional Meta metadata = 1; optional bytes spec = 2; optional bytes status = 3; }`).join(' ')}`,
    },
  ];
  const planOf = async (files: Readonly<Record<string, Uint8Array>>, ...names: readonly string[]) => {
    const entries = Object.entries(files);
    const source = entries.length === 1 ? bytesSource(...entries[0]!) : bytesSource('all.zip', zipSync(files));
    const opened = await openInput(source, {});
    const { store } = await storeMessages(opened, {}, { nextTurn: () => Promise.resolve() });
    const { registry: loaded } = compileSchema(schemaOf(...names));
    return planMessages([{ store, ordinals: allMessages(store) }], [{ registry: loaded }]);
  };
  const job = Uint8Array.from(POD);
  // As long as "Pod".
  job.set(new TextEncoder().encode('Job'), 12);

  test.each([
    ['is the first candidate, though others fit as well', ['Alike', 'Job', 'Pod'], 'Pod', 'asserted'],
    ['is claimed only if a schema has it', ['Alike', 'Job'], null, 'alike'],
  ])('%s', async (_, names, first, why) => {
    const plan = await planOf({ 'pod.k8s': POD }, ...names);
    const type = first === null ? null : `k8s.io.api.core.v1.${first}`;
    expect([plan.type, plan.why]).toEqual([type, why]);
    if (type !== null) expect(plan.candidates[0]?.type).toBe(type);
  });

  test('is the same in each file of an archive, or none is claimed', async () => {
    const names = ['Alike', 'Job', 'Pod'];
    expect(await planOf({ a: job, b: job }, ...names)).toMatchObject({ type: 'k8s.io.api.core.v1.Job' });
    expect(await planOf({ a: POD, b: job }, ...names)).toMatchObject({ type: null, why: 'alike' });
  });
});

/** The records are what Confluent's ProtobufSerializer (Python, 2.16) writes of these types. */
describe('the type at the place that records of a schema registry state', () => {
  const ORDERS = `syntax = "proto3"; package t;
    message Cart {
      map<string, int32> counts = 1;
      message Line { string sku = 1; int32 count = 2; }
      message Note { double at = 1; }
    }
    message Refund { string order = 1; int64 cents = 2; }
    message Parcel { string order = 1; int64 weight = 2; }`;
  const OTHERS = 'syntax = "proto3"; package u; message A { bool is = 9; } message B { bool is = 9; }';
  const [LINE, REFUND, PARCEL] = [
    '00000000010400020a0370656e1003',
    '000000000102020a03612d3710b607',
    '000000000102040a03612d3710b607',
  ];

  test.each([
    ['is the one, though others fit as well', [PARCEL], ORDERS, 't.Parcel', 'asserted'],
    ['is in the one of several files whose type fits', [REFUND, REFUND], OTHERS, 'more.Refund', 'asserted'],
    ['is nested: its index counts the entries of maps', [LINE], ORDERS, 't.Cart.Line', 'asserted'],
    [
      'is nested: its index leaves out the entries of maps',
      [LINE!.replace('040002', '040000')],
      ORDERS,
      't.Cart.Line',
      'asserted',
    ],
    ['is not the one if the records contradict it', [LINE!.replace('040002', '0200')], ORDERS, null, 'alike'],
    ['is left open if each record states another one', [REFUND, PARCEL], ORDERS, null, 'alike'],
  ])('%s', async (_, records, content, type, why) => {
    const dump = Buffer.from(
      records.map((record) => `${(record.length / 2).toString(16).padStart(8, '0')}${record}`).join(''),
      'hex',
    );
    const opened = await openInput(bytesSource('dump', new Uint8Array(dump)), { framing: 'confluent-be32' });
    const { store } = await storeMessages(opened, { framing: 'confluent-be32' }, { nextTurn: () => Promise.resolve() });
    const files = [
      { path: 'orders.proto', content },
      { path: 'more.proto', content: ORDERS.replace('package t', 'package more') },
    ];
    const { registry: loaded } = compileSchema(content === ORDERS ? files.slice(0, 1) : files);
    const plan = await planMessages([{ store, ordinals: allMessages(store) }], [{ registry: loaded }]);
    expect([plan.type, plan.why]).toEqual([type, why]);
  });
});
