/** A capture may itself hold TLS secrets. Kept and shared copies have zeros in their place. */
import type { InputSummary } from '#worker/input-api.ts';

const PCAPNG = 0x0a0d0d0a;
const GZIP = 0x1f8b;

/** Whether these are bytes that may hold secrets, before they are read. */
export async function mayHoldSecrets(data: Blob): Promise<boolean> {
  const head = new Uint8Array(await data.slice(0, 4).arrayBuffer());
  if (head.length < 4) return false;
  const first = new DataView(head.buffer);
  return first.getUint32(0) === PCAPNG || first.getUint16(0) === GZIP;
}

/** @param summary of these bytes, read to their end @returns null: they are gzipped, and secrets are in them */
export function withoutSecrets(data: Blob, summary: InputSummary): Blob | null {
  if (summary.kind !== 'capture' || summary.secrets.length === 0) return data;
  // captureOffsets of a gzipped capture count in the unzipped capture.
  if (summary.bytes !== summary.size) return null;
  const parts: BlobPart[] = [];
  let at = 0;
  for (const { start, end } of summary.secrets) {
    parts.push(data.slice(at, start), new Uint8Array(end - start));
    at = end;
  }
  return new Blob([...parts, data.slice(at)], { type: data.type });
}
