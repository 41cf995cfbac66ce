import { expect, test } from 'vitest';
import { type CapturedWith, capturedCompressor, countCaptured, firstCompressor } from './captured-with.ts';

const counted = (messages: readonly (readonly [steps: string, bytes: number])[]): CapturedWith => {
  const sum: CapturedWith = {};
  for (const [steps, bytes] of messages) countCaptured(sum, steps, bytes);
  return sum;
};

test.each([
  ['no message', [], {}, 'zstd'],
  [
    'plain messages',
    [
      ['', 5],
      ['base64|slice:5:125', 5],
    ],
    { none: 10 },
    'zstd',
  ],
  [
    'bodies in gzip',
    [
      ['gzip', 5],
      ['base64|slice:5:125|gzip|slice:0:9', 7],
    ],
    { gzip: 12 },
    'gzip',
  ],
  ['snappy in a file in gzip', [['gzip|snappy', 5]], { snappy: 5 }, 'snappy'],
  ['a file in zstd, with plain messages', [['zstd|', 5]], { zstd: 5 }, 'zstd'],
  ['deflated frames of OpenSearch', [['dfl', 5]], { dfl: 5 }, 'gzip'],
  ['frames of WebSocket', [['unmask:100:25|message-deflate', 5]], { deflate: 5 }, 'gzip'],
  [
    'most bytes, not most messages',
    [
      ['gzip', 9],
      ['snappy', 4],
      ['snappy', 4],
    ],
    { gzip: 9, snappy: 8 },
    'gzip',
  ],
  [
    'formats of one compressor together',
    [
      ['dfl', 4],
      ['gzip', 4],
      ['zstd', 7],
    ],
    { dfl: 4, gzip: 4, zstd: 7 },
    'gzip',
  ],
  [
    'mostly plain messages',
    [
      ['', 90],
      ['lz4-frame', 10],
    ],
    { none: 90, 'lz4-frame': 10 },
    'lz4-frame',
  ],
] as const)('%s: the bytes of each compression, and the first compressor', (_name, messages, sum, first) => {
  expect(counted(messages)).toEqual(sum);
  expect(firstCompressor(counted(messages))).toBe(first);
});

test('nothing was compressed: there is no captured compressor, and zstd is the first one', () => {
  expect([capturedCompressor({ none: 3 }), firstCompressor(undefined)]).toEqual([undefined, 'zstd']);
});
