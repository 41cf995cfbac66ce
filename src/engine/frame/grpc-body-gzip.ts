/** Gzip (RFC 1952) → bytes, in steps, so that neither a claimed nor a real size takes memory without bound. */
import { Gunzip } from 'fflate';

/** One message's share of memory; gRPC itself stops at 4 MB unless told otherwise. */
const MAX_BYTES = 256 << 20;
/** Deflate grows at most 1,032 times: a step's output stays below 17 MB. */
const STEP = 16 << 10;

type Gunzipped = { readonly bytes: Uint8Array } | { readonly code: string; readonly reason: string };

export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8;

export function gunzip(compressed: Uint8Array, maxBytes: number = MAX_BYTES): Gunzipped {
  const parts: Uint8Array[] = [];
  let length = 0;
  const stream = new Gunzip((chunk) => {
    parts.push(chunk);
    length += chunk.length;
  });
  try {
    for (let at = 0; at < compressed.length; at += STEP) {
      stream.push(compressed.subarray(at, at + STEP), at + STEP >= compressed.length);
      if (length > maxBytes) {
        return { code: 'frame/too-large', reason: `A compressed message grows beyond ${maxBytes} bytes` };
      }
    }
  } catch (error) {
    // The decompressor throws on bad data; here that is a finding.
    return {
      code: 'frame/bad-gzip',
      reason: `A gzip message that cannot be decompressed: ${(error as Error).message}`,
    };
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { bytes };
}
