/**
 * The Brotli decoder. Its library is fed and emptied piece by piece, so that it gives way after a slice and stops at
 * the limit.
 */
import start, { BrotliDecStream, BrotliStreamResultCode } from 'brotli-dec-wasm/web';
import address from 'brotli-dec-wasm/web/bg.wasm?url';
import { joinBytes } from '#engine/bytes/join.ts';
import { CUT_BROTLI, NOT_BROTLI } from '#engine/compression/brotli.ts';
import { type Decoded, limitFailure, SLICE, type Slices } from '#engine/compression/codec.ts';

/** Compressed bytes of a step: the library copies them. */
const INPUT_STEP = 1 << 16;
/** Maximum plain bytes of a step: the library takes room for them, and copies what it wrote. */
const OUTPUT_STEP = 1 << 18;

/** Loads the code of the library. @throws if it does not load */
export async function startBrotli(): Promise<void> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${response.status} for the code of the Brotli decoder`);
  await start({ module_or_path: await response.arrayBuffer() });
}

/** Decodes a stream; bytes after its end are ignored. */
export function* brotliSlices(bytes: Uint8Array, limit: number): Slices<Decoded> {
  const stream = new BrotliDecStream();
  const parts: Uint8Array[] = [];
  let at = 0;
  let written = 0;
  let due = SLICE;
  try {
    for (;;) {
      const step = stepOf(stream, bytes.subarray(at, at + INPUT_STEP), Math.min(OUTPUT_STEP, limit + 1 - written));
      at += step.consumed;
      written += step.plain.length;
      if (written > limit) return limitFailure(limit);
      parts.push(step.plain);
      if (step.code === BrotliStreamResultCode.ResultSuccess) return { ok: true, bytes: joinBytes(parts) };
      if (step.code === BrotliStreamResultCode.NeedsMoreInput && at === bytes.length) return CUT_BROTLI;
      if (written >= due) {
        due = written + SLICE;
        yield;
      }
    }
  } catch {
    return NOT_BROTLI;
  } finally {
    stream.free();
  }
}

interface Step {
  readonly plain: Uint8Array;
  /** Compressed bytes that were read. */
  readonly consumed: number;
  readonly code: BrotliStreamResultCode;
}

/** @throws Error if the bytes are not Brotli */
function stepOf(stream: BrotliDecStream, input: Uint8Array, most: number): Step {
  const result = stream.dec(input, most);
  const { code, input_offset: consumed } = result;
  // Reading them gives the library's copy back.
  const plain = result.buf;
  result.free();
  return { plain, consumed, code };
}
