import { expect, test } from 'vitest';
import { MessageSample } from '../encodings/message-sample.ts';
import type { BodyRef } from './message.ts';
import { requestOf } from './request-of.ts';

const piece = (start: number, end: number): BodyRef['pieces'][number] => ({ start, end });
const body = (...pieces: BodyRef['pieces']): BodyRef => ({ pieces, compression: null });

test.each([
  ['messages of one body are compressed together', [body(piece(5, 9)), body(piece(5, 9))], 1],
  ['messages of two bodies are not', [body(piece(5, 9)), body(piece(9, 12))], 2],
  ['empty messages are not: each was sent alone', [body(piece(0, 0)), body(piece(0, 0)), body()], 3],
])('%s', (_, bodies, streams) => {
  const sample = new MessageSample(1000);
  for (const each of bodies) sample.add(new Uint8Array(), { request: requestOf(each) });
  expect(sample.streams('request')).toHaveLength(streams);
});
