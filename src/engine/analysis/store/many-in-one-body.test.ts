/** A compressed body of many messages is unpacked once to find them, and once to add them up: each time again takes minutes. */
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bytesSource } from '../../bytes/source.ts';
import { writeConversation } from '../../capture/containers/packets-writer.testing.ts';
import { settleFields } from '../../cost/field-bits.ts';
import { totalIn } from '../../cost/profile.ts';
import { analyze, libraryOf } from '../analyze.ts';
import { capturedStreams } from '../measure/captured-streams.ts';
import { openInput } from '../read-input.ts';
import { bodyAt } from './message-body.ts';
import { storeMessages } from './message-store.ts';

const MESSAGES = 20_000;
const SIZE = 200;

/** A request of gRPC-web, compressed as a whole. */
function captureOf(body: Buffer): Uint8Array {
  const packed = gzipSync(body);
  const head = `POST /a.B/C HTTP/1.1\r\ncontent-type: application/grpc-web+proto\r\ncontent-encoding: gzip\r\ngrpc-encoding: gzip\r\ncontent-length: ${packed.length}\r\n\r\n`;
  return writeConversation([{ side: 0, bytes: new Uint8Array(Buffer.concat([Buffer.from(head), packed])) }]);
}

test('20,000 messages of gRPC-web in one gzip body', async () => {
  const message = new Uint8Array(SIZE).fill(1).fill(0x0a, 0, 1).fill(0xc5, 1, 2).fill(0x01, 2, 3);
  const one = Uint8Array.of(0, 0, 0, 0, SIZE, ...message);
  const capture = captureOf(Buffer.concat(new Array<Uint8Array>(MESSAGES).fill(one)));
  const { profiles, input } = await analyze(bytesSource('a.pcap', capture), {}, {});
  expect(input.messages).toBe(MESSAGES);
  expect(totalIn(profiles[0]!, 'protobuf')).toBe(MESSAGES * SIZE);
});

test('messages of a large body, each compressed again, are read at once', async () => {
  const prefixed = (flag: number, bytes: Uint8Array): Buffer => {
    const head = Buffer.of(flag, 0, 0, 0, 0);
    head.writeUInt32BE(bytes.length, 1);
    return Buffer.concat([head, bytes]);
  };
  // More than what is unpacked at once.
  const large = new Uint8Array(5 << 20).fill(1);
  const small = [1, 2, 3].map((fill) => new Uint8Array(300).fill(fill).fill(0x0a, 0, 1));
  const body = Buffer.concat([prefixed(0, large), ...small.map((one) => prefixed(1, gzipSync(one)))]);
  const opened = await openInput(bytesSource('a.pcap', captureOf(body)), {});
  const { store } = await storeMessages(opened, {}, { nextTurn: () => Promise.resolve() });
  expect(store.messages.length).toBe(4);
  const read = await Promise.all([1, 2, 3].map((ordinal) => bodyAt(store, ordinal)));
  expect(read.map(([, first]) => first)).toEqual([1, 2, 3]);
});

test('messages of a body that are not selected are not taken for the size prefixes of the selected ones', async () => {
  const one = Buffer.of(0, 0, 0, 0, 4, 0x0a, 2, 1, 2);
  const opened = await openInput(bytesSource('a.pcap', captureOf(Buffer.concat([one, one, one, one]))), {});
  const { store } = await storeMessages(opened, {}, { nextTurn: () => Promise.resolve() });
  const request = { library: libraryOf([]), type: null, types: {}, evidence: {}, guesses: new Map() };
  for await (const found of capturedStreams({ store, ordinals: Uint32Array.of(1, 2) }, request)) {
    if ('failure' in found) throw new Error(found.failure.detail);
    expect(found.ordinals).toEqual([1, 2]);
    expect(
      settleFields(found.stream, found.spans, { isShared: false }).map(({ path, bytes }) => [path, bytes]),
    ).toEqual([
      ['(size prefix)', { length: 20 }],
      ['(other messages)', { value: 8 }],
      ['?1', { tag: 2, length: 2, value: 4 }],
    ]);
  }
  expect.assertions(2);
});
