/** Groups as a tree: every message in exactly one leaf, whichever way they are grouped. */
import { expect, test } from 'vitest';
import type { GroupReading, MessageGroup } from '#state/session-state.ts';
import { type Grouping, type GroupNode, groupTree } from './message-groups.ts';

const group = (method: string | null, direction: 'request' | 'response', capturedBytes: number): MessageGroup => ({
  key: `grpc ${direction} ${method}`,
  transport: 'grpc',
  method,
  direction,
  typeHint: null,
  status: null,
  messages: 2,
  bytes: 2 * capturedBytes,
  capturedBytes,
  headerBytes: 5,
});
const GROUPS = [group('/s/Get', 'request', 10), group('/s/Get', 'response', 900), group('/s/Put', 'request', 300)];
const READINGS: Readonly<Record<string, GroupReading>> = {
  'grpc request /s/Get': { type: 's.Key', by: 'transport' },
  'grpc response /s/Get': { type: 's.Value', by: 'transport' },
  'grpc request /s/Put': { type: 's.Value', by: 'hand' },
};

const print = (nodes: readonly GroupNode[], indent = ''): string =>
  nodes
    .map(
      ({ label, note, messages, capturedBytes, children }) =>
        `${indent}${[label, note, messages, capturedBytes].filter((part) => part !== '').join(' | ')}\n${print(children, `${indent}  `)}`,
    )
    .join('');

test.each<readonly [Grouping, string]>([
  [
    'method',
    '/s/Get | 4 | 910\n  response | Value | 2 | 900\n  request | Key | 2 | 10\n/s/Put | request · Value | 2 | 300\n',
  ],
  [
    'type',
    'Value | 4 | 1200\n  /s/Get | response | 2 | 900\n  /s/Put | request | 2 | 300\nKey | request · /s/Get | 2 | 10\n',
  ],
])('by %s', (by, expected) => {
  expect(print(groupTree(GROUPS, READINGS, by))).toBe(expected);
});

test('a method that is requested in several ways names each', () => {
  const web = { ...group('/s/Get', 'request', 5), key: 'grpc-web request /s/Get', transport: 'grpc-web' };
  const readings = { ...READINGS, [web.key]: { type: 's.Key', by: 'transport' } } as const;
  expect(print(groupTree([...GROUPS.slice(0, 2), web], readings, 'method'))).toBe(
    '/s/Get | 6 | 915\n  response | Value | 2 | 900\n  request | Key · grpc | 2 | 10\n  request | Key · grpc-web | 2 | 5\n',
  );
  expect(print(groupTree([...GROUPS.slice(0, 2), web], readings, 'type'))).toBe(
    'Value | response · /s/Get | 2 | 900\nKey | 4 | 15\n  /s/Get | request · grpc | 2 | 10\n  /s/Get | request · grpc-web | 2 | 5\n',
  );
});

test('types of the same name in two packages are two types', () => {
  const readings = { ...READINGS, 'grpc request /s/Put': { type: 't.Value', by: 'hand' } } as const;
  expect(print(groupTree(GROUPS, readings, 'type'))).toBe(
    's.Value | response · /s/Get | 2 | 900\nt.Value | request · /s/Put | 2 | 300\nKey | request · /s/Get | 2 | 10\n',
  );
});

test('a group without a known type gives the reason', () => {
  const readings = { 'grpc request null': { type: null, by: 'guess' } } as const;
  expect(print(groupTree([group(null, 'request', 7)], readings, 'type'))).toBe('guess | request · grpc | 2 | 7\n');
});
