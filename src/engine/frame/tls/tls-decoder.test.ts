/** Captures of real TLS connections, compared with the digests of the messages that their endpoints sent. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blockSource } from '../../bytes/block-source.ts';
import { bytesSource } from '../../bytes/source.ts';
import { sumLayers } from '../../capture/containers/packets-layers.ts';
import type { BodyRef } from '../message.ts';
import { readBody } from '../read-body.ts';
import { readCapture } from '../read-capture.ts';
import { TlsDecoder } from './tls-decoder.ts';

const FOLDER = new URL('../../../../fixtures/tls/', import.meta.url);
const text = (name: string): string => readFileSync(new URL(name, FOLDER), 'latin1');
const file = (name: string): Uint8Array => new Uint8Array(readFileSync(new URL(name, FOLDER)));
const sent = (name: string): readonly string[] => text(`${name}.sha256`).trim().split('\n');
const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const NAMES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.pcap'))
  .map((name) => name.slice(0, -5));
const CBC = 'node-tls12-cbc';
const READ = NAMES.filter((name) => name !== CBC);

async function read(bytes: Uint8Array, keyLog: string) {
  const tls = new TlsDecoder(keyLog);
  const source = bytesSource('capture', bytes);
  const messages: { digest: string; method: string | null; transport: string; body: BodyRef }[] = [];
  const facts = await readCapture(
    source,
    ({ method, transport, body }, payload) => messages.push({ digest: digest(payload), method, transport, body }),
    { tls },
  );
  expect(sumLayers(facts.layers)).toBe(bytes.length);
  const codes = facts.diagnostics.map(({ code }) => code);
  return {
    ...facts,
    messages,
    digests: messages.map((one) => one.digest).sort(),
    codes,
    plain: tls.plain(blockSource(source, () => Promise.resolve())),
  };
}

describe('the decrypted bytes are those that the endpoints sent', () => {
  test.for(READ)('%s', async (name) => {
    const { digests, messages, layers, codes, plain, traffic } = await read(file(`${name}.pcap`), text(`${name}.keys`));
    expect(digests).toEqual(sent(name));
    expect(codes).toEqual([]);
    expect(traffic).toEqual([]);
    expect([layers.unattributed, layers.incomplete]).toEqual([0, 0]);
    expect(layers.tls).toBeGreaterThan(500);
    for (const { body, digest: expected } of messages) {
      const again = await readBody(plain, body);
      expect(again.ok && digest(again.value)).toBe(expected);
    }
  });

  test('any span of a decrypted capture equals that span of the whole', async () => {
    const name = READ[0]!;
    const bytes = file(`${name}.pcap`);
    const { plain } = await read(bytes, text(`${name}.keys`));
    const whole = await plain.read(0, bytes.length);
    expect(digest(whole)).not.toBe(digest(bytes));
    for (let start = 0; start < bytes.length - 97; start += 97) {
      expect(await plain.read(start, start + 97)).toEqual(whole.subarray(start, start + 97));
      expect(plain.peek(start, start + 97)).toEqual(whole.subarray(start, start + 97));
    }
  });

  test.for([true, false])('secrets in the blocks of a pcapng, little-endian: %s', async (little) => {
    const name = 'node-tls13-chacha20';
    const { digests, layers } = await read(pcapngOf(file(`${name}.pcap`), text(`${name}.keys`), little), '');
    expect(digests).toEqual(sent(name));
    expect([layers.unattributed, layers.incomplete]).toEqual([0, 0]);
  });

  test('secrets in a pcapng of another program', async () => {
    const { digests, secrets } = await read(file('editcap-tls13-chacha20.pcapng'), '');
    expect(digests).toEqual(sent('node-tls13-chacha20'));
    const [place] = secrets;
    expect(text('editcap-tls13-chacha20.pcapng').slice(place!.start, place!.end)).toContain(
      text('node-tls13-chacha20.keys'),
    );
  });

  test.for(['java-tls13', 'node-tls13-chacha20'])('what Wireshark exports of %s needs no keys', async (name) => {
    const { digests, layers, codes } = await read(file(`exported-${name}.pcapng`), '');
    expect(digests).toEqual(sent(name));
    expect([layers.unattributed, layers.incomplete, layers.tls, codes]).toEqual([0, 0, 0, []]);
  });

  test('application secrets are enough', async () => {
    const name = 'node-tls13-aes256';
    const lines = text(`${name}.keys`)
      .split('\n')
      .filter((line) => !line.includes('HANDSHAKE'));
    const { digests, layers, codes } = await read(file(`${name}.pcap`), lines.join('\n'));
    expect(digests).toEqual(sent(name));
    expect(layers.incomplete).toBe(0);
    expect(new Set(codes)).toEqual(new Set(['tls/no-key']));
  });

  test.each([
    ['no secret', 'tls/no-key', () => ''],
    ['a wrong secret', 'tls/wrong-key', (line: string) => line.replace(/^(SERVER_\S+ \S+ ).{8}/, '$100000000')],
    [
      'a wrong application secret',
      'tls/wrong-key',
      (line: string) => line.replace(/^(SERVER_TRAFFIC_SECRET_0 \S+ ).{8}/, '$100000000'),
    ],
  ])('with %s of one direction, the other one is read', async (_name, code, change) => {
    const name = 'node-tls13-aes256';
    const lines = text(`${name}.keys`)
      .split('\n')
      .map((line) => (line.startsWith('SERVER_') ? change(line) : line));
    const { digests, diagnostics, traffic } = await read(file(`${name}.pcap`), lines.join('\n'));
    expect(sent(name)).toEqual(expect.arrayContaining(digests));
    expect(digests.length).toBeGreaterThan(0);
    expect(new Set(diagnostics.map((one) => one.code))).toEqual(new Set([code]));
    for (const { message } of diagnostics) expect(message).toMatch(/this direction\. Not read: .* bytes of /);
    expect(traffic).toEqual([]);
  });

  test.each([
    ['of one direction', /SERVER_TRAFFIC_SECRET/, ['tls/no-key']],
    ['of both directions', /TRAFFIC_SECRET_0/, ['tls/no-key', 'frame/encrypted']],
  ])(
    'a key log that ends before the application secrets %s has no key for it, and no record is damaged',
    async (_, cut, expected) => {
      const name = 'node-tls13-aes256';
      const lines = text(`${name}.keys`)
        .split('\n')
        .filter((line) => !cut.test(line));
      const { codes } = await read(file(`${name}.pcap`), lines.join('\n'));
      expect(new Set(codes)).toEqual(new Set(expected));
    },
  );
});

describe('an unreadable connection is named, and none of its bytes are given', () => {
  test.for(READ)('%s without a key', async (name) => {
    const { messages, codes, traffic } = await read(file(`${name}.pcap`), '');
    expect(messages).toEqual([]);
    expect(new Set(codes)).toEqual(new Set(['tls/no-key', 'frame/encrypted']));
    expect(traffic).toMatchObject([{ name: 'TLS', unit: 'connection', isEncrypted: true }]);
  });

  test.for(READ)('%s with a wrong key', async (name) => {
    const wrong = text(`${name}.keys`).replace(/[0-9a-f]$/gim, (digit) => (digit === '0' ? '1' : '0'));
    const { messages, codes } = await read(file(`${name}.pcap`), wrong);
    expect(messages).toEqual([]);
    expect(new Set(codes)).toEqual(new Set(['tls/wrong-key', 'frame/encrypted']));
  });

  test('a cipher suite without a decoder', async () => {
    const { messages, diagnostics } = await read(file(`${CBC}.pcap`), text(`${CBC}.keys`));
    expect(messages).toEqual([]);
    expect(diagnostics[0]).toMatchObject({ code: 'tls/not-read' });
    expect(diagnostics[0]!.message).toContain('TLS 1.2 with TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA, to localhost');
  });

  test('a connection whose beginning is missing', async () => {
    const name = 'node-tls13-aes256';
    const packets = packetsOf(file(`${name}.pcap`));
    const { messages, codes } = await read(join(packets.slice(0, 1).concat(packets.slice(8))), text(`${name}.keys`));
    expect(messages).toEqual([]);
    expect(codes).toContain('tls/no-start');
  });
});

describe('damage', () => {
  const one = fc.constantFrom(...READ);

  /** The packets before are the hellos', from which keys are found. */
  const FIRST = 5;

  test.for(['node-tls13-chacha20', 'node-tls12-rsa-aes128', 'openssl-tls13-key-update'])(
    'a packet missing after the hellos of %s loses one message at most',
    async (name) => {
      const packets = packetsOf(file(`${name}.pcap`));
      for (let lost = FIRST; lost < packets.length; lost++) {
        const { digests } = await read(join(packets.filter((_, i) => i !== lost)), text(`${name}.keys`));
        expect(sent(name)).toEqual(expect.arrayContaining([...digests]));
        expect(digests.length, `without packet ${lost}`).toBeGreaterThanOrEqual(sent(name).length - 1);
      }
    },
  );

  test('lost packets never give bytes that were not sent', async () => {
    await fc.assert(
      fc.asyncProperty(one, fc.infiniteStream(fc.nat(9)), async (name, dice) => {
        const kept = packetsOf(file(`${name}.pcap`)).filter(() => dice.next().value !== 0);
        const { digests } = await read(join(kept), text(`${name}.keys`));
        expect(sent(name)).toEqual(expect.arrayContaining([...digests]));
      }),
      { numRuns: 60 },
    );
  });

  test('flipped bytes never give bytes that were not sent', async () => {
    await fc.assert(
      fc.asyncProperty(one, fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 }))), async (name, flips) => {
        const bytes = file(`${name}.pcap`);
        for (const [place, mask] of flips) bytes[24 + (place % (bytes.length - 24))]! ^= mask;
        const { digests } = await read(bytes, text(`${name}.keys`));
        expect(sent(name)).toEqual(expect.arrayContaining([...digests]));
      }),
      // In the example, one side is over before the other side shows that it is TLS.
      { numRuns: 100, examples: [['node-tls12-chacha20', [[954_558_554, 94]]]] },
    );
  });

  test.for(READ)(
    '%s: a packet at another place of its connection never gives bytes that were not sent',
    async (name) => {
      const bytes = file(`${name}.pcap`);
      // The last byte of TCP's sequence number, behind the heads of the record, of Ethernet and of IP.
      const places = packetsOf(bytes).map(({ byteOffset }) => byteOffset + 16 + 14 + 20 + 7);
      for (const place of places.slice(FIRST)) {
        for (const mask of [1, 20, 59, 205]) {
          const moved = bytes.slice();
          moved[place]! ^= mask;
          const { digests } = await read(moved, text(`${name}.keys`));
          expect(sent(name), `byte ${place} ^ ${mask}`).toEqual(expect.arrayContaining([...digests]));
        }
      }
    },
  );

  test('a capture that ends anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(one, fc.nat(), async (name, place) => {
        const bytes = file(`${name}.pcap`);
        const { digests } = await read(bytes.subarray(0, place % bytes.length), text(`${name}.keys`));
        expect(sent(name)).toEqual(expect.arrayContaining([...digests]));
      }),
      { numRuns: 60 },
    );
  });
});

/** The file's head, then each packet with its record's head. */
function packetsOf(pcap: Uint8Array): readonly Uint8Array[] {
  const view = new DataView(pcap.buffer, pcap.byteOffset);
  const parts = [pcap.subarray(0, 24)];
  for (let at = 24; at < pcap.length; ) {
    const end = at + 16 + view.getUint32(at + 8, true);
    parts.push(pcap.subarray(at, end));
    at = end;
  }
  return parts;
}

/** A pcap as pcapng, with a block of decryption secrets before its packets. */
function pcapngOf(pcap: Uint8Array, keyLog: string, little: boolean): Uint8Array {
  const u32 = (...values: readonly number[]): Uint8Array => {
    const bytes = new Uint8Array(4 * values.length);
    for (const [i, value] of values.entries()) new DataView(bytes.buffer).setUint32(4 * i, value, little);
    return bytes;
  };
  const block = (type: number, ...parts: readonly Uint8Array[]): Uint8Array => {
    const body = Buffer.concat([...parts]);
    const padding = (4 - (body.length & 3)) & 3;
    const length = 12 + body.length + padding;
    return join([u32(type, length), body, new Uint8Array(padding), u32(length)]);
  };
  const log = Buffer.from(keyLog);
  return join([
    block(
      0x0a0d0d0a,
      u32(0x1a2b3c4d),
      little ? Uint8Array.of(1, 0, 0, 0) : Uint8Array.of(0, 1, 0, 0),
      u32(0xffffffff, 0xffffffff),
    ),
    block(1, little ? Uint8Array.of(1, 0, 0, 0) : Uint8Array.of(0, 1, 0, 0), u32(0)),
    block(10, u32(0x544c534b, log.length), log),
    ...packetsOf(pcap)
      .slice(1)
      .map((packet) => block(6, u32(0, 0, 0, packet.length - 16, packet.length - 16), packet.subarray(16))),
  ]);
}

const join = (parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat([...parts]));
