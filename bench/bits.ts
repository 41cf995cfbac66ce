/**
 * Decoding with books, alone and with every field's spans settled, beside decoders that only decode: fflate for DEFLATE,
 * fzstd for Zstandard, snappyjs, lz4js. Spans are taken from the rows before the race begins.
 */

import { deflateRawSync } from 'node:zlib';
import { Zstd } from '@hpcc-js/wasm-zstd';
import { inflateSync } from 'fflate';
import { decompress } from 'fzstd';
import lz4 from 'lz4js';
import snappy from 'snappyjs';
import { readBits, type StreamBits } from '#engine/compression/bits/read-bits.ts';
import { assignBits, BitSums } from '#engine/compression/bits/settle.ts';
import type { FormatId } from '#engine/compression/formats.ts';
import { encodeSnappy } from '#engine/compression/snappy-encode.ts';
import { BodySpans } from '#engine/cost/field-bits.ts';
import { CATEGORIES } from '#engine/model/annotation.ts';
import { compileSchema } from '#engine/schema/compile.ts';
import { annotate } from '#engine/wire/annotate.ts';
import { makePayload, type Payload, type PayloadKind, SCHEMA_PATH, SCHEMA_TEXT } from './payloads.ts';
import { race } from './ratios.ts';

const SIZE = 7_000_000;
const ROUNDS = 15;
const LIMIT = 1 << 28;
const KINDS: readonly PayloadKind[] = ['remote-write', 'search-hit', 'numbers'];

export async function measureBits(): Promise<void> {
  const zstd = await Zstd.load();
  for (const kind of KINDS) {
    const payload = makePayload(kind, SIZE);
    const body = spansOf(payload);
    const megabytes = payload.bytes.length / 1e6;
    console.log(`\nbits of ${kind}: ${megabytes.toFixed(1)} MB, ${body.spans.length} spans, ${ROUNDS} rounds`);
    print(megabytes, 'deflate', deflateRawSync(payload.bytes), 'fflate inflate', inflateSync, body);
    print(megabytes, 'snappy', encodeSnappy(payload.bytes), 'snappyjs uncompress', snappy.uncompress, body);
    print(megabytes, 'lz4-frame', lz4.compress(payload.bytes), 'lz4js decompress', lz4.decompress, body);
    print(megabytes, 'zstd', zstd.compress(payload.bytes, 3), 'fzstd decompress', decompress, body);
  }
}

function spansOf({ bytes, ends, type }: Payload): BodySpans {
  const { registry } = compileSchema([{ path: SCHEMA_PATH, content: SCHEMA_TEXT }]);
  const body = new BodySpans();
  let start = 0;
  for (const end of ends) {
    body.enterMessage(annotate(bytes.subarray(start, end), registry.messages.get(type)!).table);
    start = end;
  }
  return body;
}

function print(
  megabytes: number,
  format: FormatId,
  packed: Uint8Array,
  name: string,
  decode: (bytes: Uint8Array) => Uint8Array,
  { spans, paths }: BodySpans,
): void {
  const bytes = new Uint8Array(packed);
  const read = (): StreamBits => {
    const stream = readBits(bytes, format, LIMIT);
    if (!stream.ok) throw new Error(stream.detail);
    return stream;
  };
  const contestants = [
    { name, run: () => decode(bytes).length },
    { name: `${format} with books`, run: () => read().tokens.length },
    {
      name: '… and spans settled',
      run: () => {
        const sums = new BitSums(paths.length * CATEGORIES.length);
        assignBits(read(), spans, sums);
        return sums.at(0);
      },
    },
  ];
  for (const { name: own, time, ratio } of race(contestants, ROUNDS)) {
    const speed = ((megabytes * 1e6) / time).toFixed(0).padStart(8);
    const range = `${ratio.p10.toFixed(2)} – ${ratio.p90.toFixed(2)}`.padStart(16);
    console.log(`${own.padEnd(22)}${speed}${`${ratio.median.toFixed(2)}×`.padStart(16)}${range}`);
  }
}
