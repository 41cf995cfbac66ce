import { expect, test } from 'vitest';
import { groupMarks } from './group-marks.ts';

type Group = Parameters<typeof groupMarks>[0][number];
const group = (key: string, method: string | null, more: Partial<Group> = {}): Group => ({
  ...{ key, method, direction: 'request', transport: 'grpc', format: undefined, status: null },
  ...more,
});

test.each([
  ['a method of its own', [group('a', '/m'), group('b', '/n')], { a: [], b: [] }],
  ['another direction', [group('a', '/m'), group('b', '/m', { direction: 'response' })], { a: [], b: [] }],
  [
    'two transports',
    [group('a', '/m'), group('b', '/m', { transport: 'http' }), group('c', '/n')],
    { a: ['grpc'], b: ['http'], c: [] },
  ],
  ['two outcomes', [group('a', '/m'), group('b', '/m', { status: 'error' })], { a: [], b: ['error'] }],
  [
    'transport and format',
    [group('a', '/m'), group('b', '/m', { transport: 'http', format: 'json' })],
    { a: ['grpc'], b: ['http', 'json'] },
  ],
  [
    'no method: the transport is the name',
    [group('a', null), group('b', null, { transport: 'http' })],
    { a: [], b: [] },
  ],
])('%s', (_, groups, marks) => {
  expect(Object.fromEntries(groupMarks(groups))).toEqual(marks);
});
