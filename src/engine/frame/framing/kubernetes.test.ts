/**
 * The fixtures are what Kubernetes' own serializer (`k8s.io/apimachinery` 0.31, `serializer/protobuf`) writes of a Pod
 * and of a PodList.
 */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Message } from '../message.ts';
import { judgeFramings } from './framings.ts';
import { kubernetes } from './kubernetes.ts';

const fixture = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../../../fixtures/input/${name}`, import.meta.url)));
const POD = fixture('pod.k8s');
const LIST = fixture('podlist.k8s');
const BOTH = Uint8Array.from([...POD, ...LIST]);

function read(input: Uint8Array, cut = input.length) {
  const framer = kubernetes.create(input.length);
  const messages: Message[] = [];
  const take = (message: Message) => messages.push(message);
  if (cut < input.length) framer.push(input.slice(0, cut), false, take);
  framer.push(input.slice(cut === input.length ? 0 : cut), true, take);
  return { messages, facts: framer.facts() };
}

test.each([
  ['one object', POD, 1],
  ['a list', LIST, 1],
  ['one after the other', BOTH, 2],
])('%s', (_, input, objects) => {
  expect(judgeFramings(input, input.length)[0]!.id).toBe('kubernetes');
  expect(read(input).facts).toMatchObject({ messages: objects, unattributedBytes: 0, diagnostics: [] });
});

test('the message begins after the size of field 2, and the empty fields 3 and 4 follow', () => {
  const { messages, facts } = read(POD);
  expect(messages[0]!.body.pieces).toEqual([{ start: 18, end: POD.length - 4 }]);
  expect(facts.framingBytes).toBe(18 + 4);
});

test.each([
  ['another magic number', '6b387301'],
  ['without a version and a kind', '6b387300120102'],
  ['a version that never ends', `6b3873000affff03${'00'.repeat(300)}`],
  ['a message beyond the end', '6b3873000a040a02763112ff01'],
])('%s: no byte is explained', (_, hex) => {
  const input = Uint8Array.from(Buffer.from(hex, 'hex'));
  const { messages, facts } = read(input);
  expect([messages.length, facts.unattributedBytes, facts.diagnostics.length]).toEqual([0, input.length, 1]);
});

test('in objects cut and changed anywhere, every byte is counted once', () => {
  const changed = fc.tuple(fc.nat(BOTH.length - 1), fc.nat(255), fc.nat(BOTH.length), fc.nat(BOTH.length));
  fc.assert(
    fc.property(changed, ([at, byte, size, cut]) => {
      const input = BOTH.slice(0, size);
      if (at < size) input[at] = byte;
      const { facts } = read(input, Math.min(cut, size));
      expect(facts.framingBytes + facts.capturedBytes + facts.unattributedBytes).toBe(size);
    }),
    { numRuns: 500 },
  );
});
