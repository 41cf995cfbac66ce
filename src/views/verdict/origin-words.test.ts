import { expect, test } from 'vitest';
import type { Profile } from '#engine/cost/profile.ts';
import type { MessageGroup, Origin } from '#state/session-state.ts';
import { namesOfTypes } from './origin-words.ts';

const GROUPS = [
  { key: 'grpc request /f.Fleet/Push', method: '/f.Fleet/Push', transport: 'grpc', direction: 'request' },
  { key: 'grpc request /f.Fleet/Send', method: '/f.Fleet/Send', transport: 'grpc', direction: 'request' },
  { key: 'grpc response /f.Fleet/Push', method: '/f.Fleet/Push', transport: 'grpc', direction: 'response' },
  { key: 'grpc request /f.Fleet/Get', method: '/f.Fleet/Get', transport: 'grpc', direction: 'request' },
  { key: 'grpc-web request /f.Fleet/Get', method: '/f.Fleet/Get', transport: 'grpc-web', direction: 'request' },
  { key: 'varint', method: null, transport: 'varint', direction: null },
  {
    key: 'grpc response /f.Fleet/Push error',
    method: '/f.Fleet/Push',
    transport: 'grpc',
    direction: 'response',
    status: 'error',
  },
] as readonly unknown[] as readonly MessageGroup[];

test.each([
  [
    'short names of types',
    [
      ['f.Report', 0],
      ['f.Ack', 2],
    ],
    [],
    ['Report', 'Ack'],
  ],
  [
    'types of one name, with their packages',
    [
      ['f.Report', 0],
      ['g.Report', 2],
    ],
    [],
    ['f.Report', 'g.Report'],
  ],
  ['one that stands beside a type of its name', [['f.Report', 0]], ['g.Report'], ['f.Report']],
  [
    'messages without a type, by their methods',
    [
      ['', 0],
      ['', 1],
      ['', 2],
    ],
    [],
    ['Fleet/Push request', 'Fleet/Send request', 'Fleet/Push response'],
  ],
  ['messages of a file alone', [['', 5]], [], ['fields by number']],
  [
    'messages without a type, of one method over two transports, and of two outcomes',
    [
      ['', 3],
      ['', 4],
      ['', 6],
      ['', 2],
    ],
    [],
    ['Fleet/Get request, grpc', 'Fleet/Get request, grpc-web', 'Fleet/Push response, error', 'Fleet/Push response'],
  ],
  [
    'a type that was captured in two encodings',
    [
      ['f.Report', 0],
      ['f.Report', 1, 'JSON'],
    ],
    [],
    ['Report', 'Report, JSON'],
  ],
] as const)('%s', (_, types, others, names) => {
  const profiles = types.map(([type, , label]) => ({
    type,
    other: label && { label, isCaptured: true },
  })) as readonly unknown[] as readonly Profile[];
  const origins = types.map(([, at]) => ({ groups: [GROUPS[at]!.key] })) as readonly unknown[] as readonly Origin[];
  expect(namesOfTypes({ profiles, origins }, GROUPS, others)).toEqual(names);
});
