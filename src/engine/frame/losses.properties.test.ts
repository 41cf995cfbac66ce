/** In any capture, bytes that are part of no message have a diagnostic with their stream, span and reason. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesSource } from '../bytes/source.ts';
import { sumLayers } from '../capture/containers/packets-layers.ts';
import { readCapture } from './read-capture.ts';

const FOLDER = new URL('../../../fixtures/capture/', import.meta.url);
const CAPTURES = [
  'among-others.pcapng',
  'connect-get.pcapng',
  'envoy-http-streamed.tap',
  'envoy-http.tap',
  'envoy-socket-streamed.tap',
  'envoy-socket.tap',
  'grpc-go-cut.binlog',
  'grpc-java.binlog',
  'json-parts.pcap',
  'mitmproxy.flow',
  'opensearch-deflate.pcap',
  'otlp-http-gzip.pcapng',
  'remote-write.pcapng',
  'vitess-gzip.pcapng',
  'web-rpc.har',
  'web-rpc.pcapng',
  'websocket-no-takeover.pcapng',
  'websocket-takeover.pcapng',
].map((name) => new Uint8Array(readFileSync(new URL(name, FOLDER))));

const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const mutation = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), at: place, value: fc.nat(255) }),
  fc.record({ kind: fc.constant('flip' as const), at: place, value: fc.nat(7) }),
  fc.record({ kind: fc.constant('remove' as const), at: place, value: fc.integer({ min: 1, max: 3000 }) }),
  fc.record({ kind: fc.constant('repeat' as const), at: place, value: fc.integer({ min: 1, max: 300 }) }),
  fc.record({ kind: fc.constant('cut' as const), at: place, value: fc.constant(0) }),
);

function mutate(bytes: Uint8Array, { kind, at, value }: { kind: string; at: number; value: number }): Uint8Array {
  const index = Math.floor(at * bytes.length);
  if (kind === 'cut') return bytes.slice(0, index);
  if (kind === 'remove') return Uint8Array.from([...bytes.subarray(0, index), ...bytes.subarray(index + value)]);
  if (kind === 'repeat') {
    return Uint8Array.from([...bytes.subarray(0, index + value), ...bytes.subarray(index)]);
  }
  const changed = bytes.slice();
  changed[index] = kind === 'set' ? value : (changed[index] ?? 0) ^ (1 << value);
  return changed;
}

const LOST = /Not read: ([\d,]+) bytes? of (.+)\.$/s;
const MORE = /^[\d,]+ more of the kind .*?([\d,]+) bytes? not read\.$/;
const count = (text: string | undefined): number => Number((text ?? '0').replaceAll(',', ''));

test('the diagnostics account for every byte that is lost', async () => {
  const capture = fc.constantFrom(...CAPTURES);
  await fc.assert(
    fc.asyncProperty(capture, fc.array(mutation, { minLength: 1, maxLength: 6 }), async (bytes, mutations) => {
      const input = mutations.reduce(mutate, bytes);
      const { layers, diagnostics } = await readCapture(bytesSource('mutated', input), () => undefined);
      expect(sumLayers(layers)).toBe(input.length);
      let explained = 0;
      for (const { message, start, end } of diagnostics) {
        const lost = LOST.exec(message);
        if (lost !== null) {
          expect(lost[2]).toMatch(/^(the file|.+ [→↔] .+)/);
          expect([start >= 0, end <= input.length, start < end]).toEqual([true, true, true]);
        }
        explained += count(lost?.[1]) + count(MORE.exec(message)?.[1]);
      }
      expect(explained).toBe(layers.unattributed + layers.incomplete);
    }),
    { numRuns: 300 },
  );
}, 60_000);
