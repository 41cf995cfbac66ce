import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { AbortError, bytesSource, type Source } from '../bytes/source.ts';
import { openCapture } from '../capture/containers/gzip-source.ts';
import { sumLayers } from '../capture/containers/packets-layers.ts';
import { type Saying, writeConversation, writePcap } from '../capture/containers/packets-writer.testing.ts';
import { SLICE } from '../compression/codec.ts';
import type { Message } from './message.ts';
import { readBody } from './read-body.ts';
import { readCapture } from './read-capture.ts';

const fixture = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../../fixtures/capture/${name}`, import.meta.url)));

async function messagesOf(source: Source) {
  const messages: { readonly message: Message; readonly payload: string }[] = [];
  const facts = await readCapture(source, (message, payload) =>
    messages.push({ message, payload: Buffer.from(payload).toString('latin1') }),
  );
  expect(sumLayers(facts.layers)).toBe(source.size);
  for (const { message, payload } of messages) {
    const again = await readBody(source, message.body);
    expect(again.ok && Buffer.from(again.value).toString('latin1')).toBe(payload);
  }
  return { facts, messages };
}

describe('gzip', () => {
  const plain = fixture('opensearch-plain.pcap');

  test('around a capture', async () => {
    const source = await openCapture(bytesSource('x.pcap.gz', new Uint8Array(gzipSync(plain))));
    expect([source.name, source.size]).toEqual(['x.pcap', plain.length]);
    expect(await messagesOf(source)).toEqual(await messagesOf(bytesSource('x.pcap', plain)));
  });

  test('two gzip members', async () => {
    const members = [gzipSync(plain.subarray(0, 9999)), gzipSync(plain.subarray(9999))];
    const source = await openCapture(bytesSource('x', new Uint8Array(Buffer.concat(members))));
    expect(await source.read(0, source.size)).toEqual(plain);
  });

  test('a damaged stream gives the bytes before the damage', async () => {
    const zipped = new Uint8Array(gzipSync(plain)).slice(0, -3000);
    const source = await openCapture(bytesSource('x', zipped));
    expect(source.size).toBeGreaterThan(1000);
    expect(await source.read(0, source.size)).toEqual(plain.subarray(0, source.size));
  });

  test('a large stream is not kept, and is read again from any offset', async () => {
    const large = writePcap(
      Array.from({ length: 40 }, (_, i) => ({ time: i, bytes: new Uint8Array(randomBytes(1 << 20)) })),
    );
    const source = await openCapture(bytesSource('x', new Uint8Array(gzipSync(large, { level: 1 }))));
    expect(source.size).toBe(large.length);
    for (const at of [30_000_000, 5, 41_000_000, 12_345_678]) {
      expect(await source.read(at, at + 1000)).toEqual(large.subarray(at, at + 1000));
    }
  });

  test('any other input is left unchanged', async () => {
    const source = bytesSource('x', plain);
    expect(await openCapture(source)).toBe(source);
  });
});

test('start and end of a capture are its earliest and latest packet, in any order in the file', async () => {
  const packets = [5, 2, 9, 7].map((time) => ({ time, bytes: new Uint8Array(60) }));
  const { facts } = await messagesOf(bytesSource('x.pcap', writePcap(packets)));
  expect([facts.packets, facts.firstTime, facts.lastTime]).toEqual([4, 2, 9]);
});

test('a missing packet counts as lost bytes, except where the capture cut its end or the file ends within it', async () => {
  const pcap = fixture('opensearch-deflate.pcap');
  const view = new DataView(pcap.buffer, pcap.byteOffset);
  const packets: { time: number; bytes: Uint8Array; originalLength?: number }[] = [];
  for (let at = 24; at < pcap.length; at += 16 + view.getUint32(at + 8, true)) {
    const time = view.getUint32(at, true) * 1000 + view.getUint32(at + 4, true) / 1000;
    packets.push({ time, bytes: pcap.slice(at + 16, at + 16 + view.getUint32(at + 8, true)) });
  }
  const read = async (some: typeof packets) => (await messagesOf(bytesSource('x.pcap', writePcap(some)))).facts;
  expect(await read(packets)).toMatchObject({ missing: null, cut: null });
  // In the middle of a response: Ethernet 14, IPv4 20, TCP 32.
  const one = packets[148]!;
  const flow = '127.0.0.1:9302 → 127.0.0.1:39452';
  const missing = { gaps: 1, bytes: one.bytes.length - 66, connections: 1, flow };
  expect(await read(packets.filter((packet) => packet !== one))).toMatchObject({ missing, cut: null });
  const ends = await messagesOf(bytesSource('x.pcap', writePcap(packets.slice(0, 149)).slice(0, -100)));
  expect(ends.facts).toMatchObject({ missing: null, cut: null });
  expect(ends.facts.diagnostics.map(({ code }) => code)).toEqual(['capture/ends-early', 'opensearch/incomplete']);
  const shortened = { ...one, bytes: one.bytes.slice(0, 200), originalLength: one.bytes.length };
  const cut = await read(packets.map((packet) => (packet === one ? shortened : packet)));
  expect(cut).toMatchObject({ missing: null, cut: { count: 1, bytes: one.bytes.length - 200 } });
});

test('an input that is not a capture is reported, and its bytes are unattributed', async () => {
  const { facts } = await messagesOf(bytesSource('x', new Uint8Array(99)));
  expect([facts.format, facts.layers.unattributed, facts.diagnostics[0]?.code]).toEqual([null, 99, 'capture/unknown']);
});

test('an empty input', async () => {
  expect((await messagesOf(bytesSource('x', new Uint8Array(0)))).facts.messages).toBe(0);
});

test('progress comes with each chunk, and a signal stops it', async () => {
  const source = bytesSource('x', fixture('opensearch-plain.pcap'));
  const seen: number[] = [];
  const signal = { aborted: false };
  const reading = readCapture(source, () => undefined, {
    signal,
    chunkBytes: 10_000,
    onProgress: (done) => {
      seen.push(done);
      signal.aborted = done >= 20_000;
    },
  });
  await expect(reading).rejects.toThrow(AbortError);
  expect(seen).toEqual([10_000, 20_000]);
});

describe('bodies that inflate to very much', () => {
  const plain = new Uint8Array(1_000_000)
    .fill(0x20)
    .fill(0x0a, 0, 1)
    .fill(0xbd, 1, 2)
    .fill(0x84, 2, 3)
    .fill(0x3d, 3, 4);
  const bodyOf = (message: Uint8Array): Uint8Array => {
    const packed = gzipSync(message);
    const head = `POST /a HTTP/1.1\r\ncontent-type: application/x-protobuf\r\ncontent-encoding: gzip\r\ncontent-length: ${packed.length}\r\n\r\n`;
    return new Uint8Array(Buffer.concat([Buffer.from(head), packed]));
  };
  const request: Saying = { side: 0, bytes: bodyOf(plain) };
  const capture = writeConversation(new Array<Saying>(90).fill(request));
  const source = bytesSource('x.pcap', capture);

  test('are inflated up to 64 limits and 64 times the capture; the rest is reported', async () => {
    const facts = await readCapture(source, () => undefined, { limit: plain.length });
    expect(facts.messages).toBe(Math.ceil((64 * plain.length + 64 * capture.length) / plain.length));
    const left = 90 - facts.messages;
    expect(left).toBeGreaterThan(0);
    expect(sumLayers(facts.layers)).toBe(capture.length);
    const [finding] = facts.diagnostics.filter(({ code }) => code === 'frame/unpacked-budget');
    expect(finding?.message).toContain(`${left} compressed bodies were not unpacked`);
    expect(finding!.end).toBeLessThanOrEqual(capture.length);
  });

  test('report progress and can be cancelled between bodies', async () => {
    const signal = { aborted: false };
    let pauses = 0;
    let read = 0;
    const pause = async (): Promise<void> => {
      signal.aborted = ++pauses === 3;
    };
    await expect(readCapture(source, () => read++, { signal, pause })).rejects.toThrow(AbortError);
    expect(pauses).toBe(3);
    expect(read).toBeLessThan(90);
  });

  test('can be cancelled inside one body: the rest of it is not unpacked, and the next capture is read', async () => {
    const large = writeConversation([{ side: 0, bytes: bodyOf(new Uint8Array(6 * SLICE).fill(0x08)) }, request]);
    const signal = { aborted: false };
    let pauses = 0;
    const pause = async (): Promise<void> => {
      signal.aborted = ++pauses === 3;
      // The page opens the next capture meanwhile.
      if (pauses === 2) expect((await readCapture(source, () => undefined)).messages).toBe(90);
    };
    const read: number[] = [];
    const sink = ({ bytes }: Message): number => read.push(bytes);
    await expect(readCapture(bytesSource('x', large), sink, { signal, pause })).rejects.toThrow(AbortError);
    expect([pauses, read]).toEqual([3, []]);
    const facts = await readCapture(bytesSource('x', large), sink);
    expect([facts.messages, read]).toEqual([2, [6 * SLICE, plain.length]]);
  });

  test('are unpacked again with pauses, and a cancel ends that', async () => {
    const bodies = [bodyOf(new Uint8Array(6 * SLICE).fill(0x08))];
    const large = bytesSource('x', writeConversation(bodies.map((bytes) => ({ side: 0, bytes }))));
    const messages: Message[] = [];
    await readCapture(large, (message) => messages.push(message));
    const signal = { aborted: false };
    let pauses = 0;
    const pause = async (): Promise<void> => {
      signal.aborted = ++pauses === 3;
    };
    await expect(readBody(large, messages[0]!.body, { signal, pause })).rejects.toThrow(AbortError);
    expect(pauses).toBe(3);
  });
});
