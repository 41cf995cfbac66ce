/** Compressed sizes over a real channel, against Node's own gzip of the very bytes. */
import { gzipSync } from 'node:zlib';
import { Zstd } from '@hpcc-js/wasm-zstd';
import { expect, test } from 'vitest';
import { encodeSnappy } from '#engine/compression/snappy-encode.ts';
import { connect } from './connect.ts';
import { ALL } from './requests.testing.ts';
import { serve } from './serve.ts';
import { createSession } from './session.ts';

const zstd = await Zstd.load();

const SCHEMA = 'syntax = "proto3";\npackage t;\nmessage Item { string name = 1; int64 size = 2; }\n';
const NAME = 'abcabcabcabc'.repeat(4);
/** Item { name: NAME size: 5 }, and as OpenSearch would write it: VInt 48, the text, Long 5. */
const PROTOBUF = Buffer.concat([Buffer.from([0x0a, 48]), Buffer.from(NAME), Buffer.from([0x10, 5])]);
const NATIVE = Buffer.concat([Buffer.from([48]), Buffer.from(NAME), Buffer.from([0, 0, 0, 0, 0, 0, 0, 5])]);

test.each([
  ['all of a few', 3, 3],
  ['every other one of many', 3000, 1500],
])('each message alone: %s', async (_, count, measured) => {
  const channel = new MessageChannel();
  serve(channel.port2, createSession());
  const client = connect(channel.port1);
  const one = Buffer.concat([Buffer.from([PROTOBUF.length]), PROTOBUF]);
  await client.call('setSchema', { files: [{ path: 't.proto', content: SCHEMA }] });
  await client.call('openInput', {
    name: 'items',
    data: new Blob([Buffer.concat(Array.from({ length: count }, () => one))]),
  });
  const outcome = await client.call('compress', {
    scope: ALL,
    types: {},
    type: 't.Item',
    shown: 't.Item',
    zstd: '@hpcc-js/wasm-zstd',
    nativeProfile: 'opensearch',
    overrides: {},
  });
  channel.port1.close();
  channel.port2.close();
  expect(outcome).toEqual({
    ok: true,
    value: {
      codecs: [
        {
          codec: 'gzip level 6',
          protobuf: measured * gzipSync(PROTOBUF).length,
          native: measured * gzipSync(NATIVE).length,
        },
        {
          codec: 'snappy',
          protobuf: measured * encodeSnappy(PROTOBUF).length,
          native: measured * encodeSnappy(NATIVE).length,
        },
        {
          codec: 'zstd level 3',
          protobuf: measured * zstd.compress(PROTOBUF, 3).length,
          native: measured * zstd.compress(NATIVE, 3).length,
        },
      ],
      messages: measured,
      outOf: count,
      protobuf: measured * PROTOBUF.length,
      native: measured * NATIVE.length,
    },
  });
});
