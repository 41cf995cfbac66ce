/** A real remote write, again and again, each after its size as a varint, until a file has `size` bytes. */
import { open, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { setVarint } from '#engine/bytes/varint.ts';

const SAMPLE = fileURLToPath(new URL('../public/samples/prometheus-remote-write-1.binpb', import.meta.url));
/** Messages that are written at once. */
const BATCH = 100;
const MAX_VARINT = 10;

export async function writeLargePayload(path: string, size: number): Promise<void> {
  const message = await readFile(SAMPLE);
  const prefix = new Uint8Array(MAX_VARINT);
  const record = Buffer.concat([prefix.subarray(0, setVarint(prefix, 0, message.length)), message]);
  const batch = Buffer.concat(Array.from({ length: BATCH }, () => record));
  const file = await open(path, 'w');
  try {
    for (let written = 0; written < size; written += batch.length) await file.write(batch);
  } finally {
    await file.close();
  }
}
