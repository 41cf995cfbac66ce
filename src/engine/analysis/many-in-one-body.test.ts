/** A compressed body of many messages is unpacked once to find them, and once to add them up: each time again takes minutes. */
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bytesSource } from '../bytes/source.ts';
import { writeConversation } from '../capture/containers/packets-writer.testing.ts';
import { totalIn } from '../cost/profile.ts';
import { analyze } from './analyze.ts';

const MESSAGES = 20_000;
const SIZE = 200;

test('20,000 messages of gRPC-web in one gzip body', async () => {
  const message = new Uint8Array(SIZE).fill(1).fill(0x0a, 0, 1).fill(0xc5, 1, 2).fill(0x01, 2, 3);
  const one = Uint8Array.of(0, 0, 0, 0, SIZE, ...message);
  const body = new Uint8Array(gzipSync(Buffer.concat(new Array<Uint8Array>(MESSAGES).fill(one))));
  const head = `POST /a.B/C HTTP/1.1\r\ncontent-type: application/grpc-web+proto\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`;
  const capture = writeConversation([{ side: 0, bytes: new Uint8Array(Buffer.concat([Buffer.from(head), body])) }]);
  const { profiles, input } = await analyze(bytesSource('a.pcap', capture), {}, {});
  expect(input.messages).toBe(MESSAGES);
  expect(totalIn(profiles[0]!, 'protobuf')).toBe(MESSAGES * SIZE);
});
