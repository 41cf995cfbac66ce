/** Packets that tshark 4.0 exported as JSON, compared with the capture that it read. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesSource } from '../bytes/source.ts';
import { sumLayers } from '../capture/containers/packets-layers.ts';
import { readCapture } from './read-capture.ts';
import { unwrap } from './unwrap/unwrap.ts';

const read = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../../fixtures/capture/${name}`, import.meta.url)));

async function messagesOf(bytes: Uint8Array) {
  const { source, steps } = await unwrap(bytesSource('a', bytes));
  const messages: Readonly<Record<string, unknown>>[] = [];
  const facts = await readCapture(source, ({ direction, method, flow, time, capturedBytes }, payload) => {
    const sum = createHash('sha256').update(payload).digest('hex');
    // A time in milliseconds has steps of 0.0002.
    messages.push({ direction, method, flow, time: time === null ? null : Math.round(time * 100), capturedBytes, sum });
  });
  expect(sumLayers(facts.layers)).toBe(source.size);
  return { steps: steps.map(({ id }) => id), messages, facts };
}

/** The first packets of the capture: a request and its response. */
const PACKETS = 12;
const JSON_EXPORT = read('wireshark.json');
const WITHOUT_FACTS = new TextEncoder().encode(
  `[${[
    ...Buffer.from(JSON_EXPORT)
      .toString()
      .matchAll(/"frame_raw": \[\s*"\w+"/g),
  ]
    .map(([bytes]) => `{"_source": {"layers": {${bytes}]}}}`)
    .join()}]`,
);

describe('packets with their bytes', () => {
  test.each<[string, Uint8Array, boolean]>([
    ['tshark -T json -x', JSON_EXPORT, true],
    ['tshark -T ek -x', read('wireshark.ek.json'), true],
    ['without facts, as of tshark -T jsonraw', WITHOUT_FACTS, false],
  ])('%s: the messages of the capture', async (_name, bytes, hasTimes) => {
    const whole = await messagesOf(read('otlp-http-gzip.pcapng'));
    const { steps, messages, facts } = await messagesOf(bytes);
    expect(steps).toEqual(['wireshark']);
    expect(facts.packets).toBe(PACKETS);
    expect(messages).toEqual(whole.messages.slice(0, 2).map((one) => (hasTimes ? one : { ...one, time: null })));
  });

  test('times as Wireshark writes them since 4.2', async () => {
    const dated = Buffer.from(JSON_EXPORT)
      .toString()
      .replace(/"frame.time_epoch": "(\d+)\.(\d+)"/g, (_, seconds: string, fraction: string) => {
        const time = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
        return `"frame.time_epoch": "${time}.${fraction}Z"`;
      });
    const { messages } = await messagesOf(new TextEncoder().encode(dated));
    expect(messages).toEqual((await messagesOf(JSON_EXPORT)).messages);
  });

  test('a packet that a snap length cut is cut', async () => {
    const cut = Buffer.from(JSON_EXPORT).toString().replace('"frame.len": "94"', '"frame.len": "100"');
    const { facts } = await messagesOf(new TextEncoder().encode(cut));
    expect(facts.cut).toMatchObject({ count: 1, bytes: 6, first: 1 });
  });

  test('any mutation neither throws nor loses a byte of the ledger', async () => {
    const change = fc.tuple(fc.integer({ min: 200, max: JSON_EXPORT.length - 1 }), fc.nat(255));
    const changes = fc.array(change, { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(changes, fc.integer({ min: 200, max: JSON_EXPORT.length }), async (all, end) => {
        const mutated = JSON_EXPORT.slice(0, end);
        for (const [at, value] of all) mutated[at % end] = value;
        await messagesOf(mutated);
      }),
      { numRuns: 100 },
    );
  });
});
