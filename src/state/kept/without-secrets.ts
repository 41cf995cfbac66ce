/** A capture may itself hold TLS secrets. Kept and shared copies have zeros in their place; an archive with a key log has no copy. */
import type { InputSummary } from '#worker/input-api.ts';
import { CLASSIFY_BYTES, isText, isWrapped } from '../opening/classify-drop.ts';

const PCAPNG = '0a0d0d0a';
/** Bytes of the shortest pcapng: its section header block. */
const SHORTEST = 28;

/** Whether these are bytes that may hold secrets, before they are read: a pcapng, or one in a wrapper or in text. */
export async function mayHoldSecrets(data: Blob): Promise<boolean> {
  const head = new Uint8Array(await data.slice(0, CLASSIFY_BYTES).arrayBuffer());
  const first = [...head.subarray(0, 4)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return first === PCAPNG || isWrapped(head) || (head.length >= SHORTEST && isText(head));
}

/** Inputs in which secrets were found. They have them in every other way to read them. */
const copies = new WeakMap<Blob, Blob | null>();

/** @param summary of these bytes, read to their end @returns null: they are wrapped, and secrets are in them */
export function withoutSecrets(data: Blob, summary: InputSummary): Blob | null {
  if (holdsSecrets(summary)) copies.set(data, copyOf(data, summary));
  const copy = copies.get(data);
  return copy === undefined ? data : copy;
}

/** Whether secrets are in the input itself: in its capture, or in a key log of its archive. */
export const holdsSecrets = (summary: InputSummary): boolean =>
  summary.steps.some(({ keyLogs }) => keyLogs !== undefined) ||
  (summary.kind === 'capture' && summary.secrets.length > 0);

function copyOf(data: Blob, summary: InputSummary): Blob | null {
  // captureOffsets of a wrapped capture count in the unwrapped capture.
  if (summary.kind === 'payloads' || summary.steps.length > 0 || summary.bytes !== summary.size) return null;
  const parts: BlobPart[] = [];
  let at = 0;
  for (const { start, end } of summary.secrets) {
    parts.push(data.slice(at, start), new Uint8Array(end - start));
    at = end;
  }
  return new Blob([...parts, data.slice(at)], { type: data.type });
}
