import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { bytesSource } from '#engine/bytes/source.ts';
import { readCapture } from '#engine/frame/read-capture.ts';
import { writeLargeCapture } from './large-capture.ts';

const read = async (path: string) => {
  const methods = new Map<string, number>();
  const facts = await readCapture(bytesSource(path, new Uint8Array(readFileSync(path))), ({ method, bytes }) => {
    const key = `${method} ${bytes}`;
    methods.set(key, (methods.get(key) ?? 0) + 1);
  });
  return { facts, methods };
};

test.each([
  ['connections captured from their middle', ['opensearch-plain.pcap']],
  ['connections from their start', ['vitess-gzip.pcapng', 'remote-write.pcapng']],
])('%s is repeated until the capture is full, and no message is lost', async (_name, names) => {
  const folder = mkdtempSync(join(tmpdir(), 'wirecost-'));
  try {
    const originals = names.map((name) => fileURLToPath(new URL(`../fixtures/capture/${name}`, import.meta.url)));
    const { bytes, packets, repeats } = await writeLargeCapture(join(folder, 'large.pcap'), 1e6, originals);
    const { facts, methods } = await read(join(folder, 'large.pcap'));
    expect(repeats).toBeGreaterThan(5);
    expect([facts.size, facts.packets]).toEqual([bytes, packets]);
    expect(facts.diagnostics).toEqual([]);
    const expected = new Map<string, number>();
    for (const original of originals) {
      for (const [method, count] of (await read(original)).methods) {
        expected.set(method, (expected.get(method) ?? 0) + count * repeats);
      }
    }
    expect(methods).toEqual(expected);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
