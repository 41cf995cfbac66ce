/** What the encoders make is what the decoders undo, and what the zstd command makes of the same bytes where there is one. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Zstd } from '@hpcc-js/wasm-zstd';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { zstdOf } from './encoders.ts';
import { decodeBody } from './registry.ts';

const library = await Zstd.load();
const HITS = new Uint8Array(readFileSync(new URL('../../../fixtures/input/opensearch-10.typed.bin', import.meta.url)));

test('zstd: our own decoder gives the bytes back', () => {
  const bytes = fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.array(fc.nat(3), { maxLength: 3000 }));
  fc.assert(
    fc.property(bytes, (numbers) => {
      const plain = Uint8Array.from(numbers);
      expect(decodeBody(library.compress(plain, 3), 'zstd')).toEqual({ ok: true, bytes: plain });
    }),
    { numRuns: 1000 },
  );
  const decoded = decodeBody(library.compress(HITS, 3), 'zstd');
  expect(decoded.ok && Buffer.compare(decoded.bytes, HITS)).toBe(0);
});

test('zstd is libzstd at its default level: the sizes are the command’s, and grow as levels fall', () => {
  const { codec, size } = zstdOf(library);
  expect([codec, library.version(), library.defaultCLevel()]).toEqual(['zstd level 3', '1.5.7', 3]);
  expect(size(HITS)).toBe(1695);
  expect(library.compress(HITS, 19).length).toBeLessThan(1695);
  const command = spawnSync('zstd', ['-3', '--no-check', `--stream-size=${HITS.length}`, '-c'], { input: HITS });
  // Not everyone has the command, nor the same version of it.
  if (command.error === undefined) expect(Math.abs(command.stdout.length - size(HITS))).toBeLessThan(20);
});
