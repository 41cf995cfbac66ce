/**
 * The 410 search hits of one recorded fetch, natively and in protobuf, before and after three compressors, compared
 * with independent measurements; and the bits that explain the sizes. docs/compression.md shows them.
 */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { columnsOf } from '#testing/table-columns.ts';
import { libraryOf } from '../../src/engine/analysis/analyze.ts';
import { readByLayout } from '../../src/engine/analysis/message-reading.ts';
import { openInput } from '../../src/engine/analysis/read-input.ts';
import { bodyAt } from '../../src/engine/analysis/store/message-body.ts';
import { storeMessages } from '../../src/engine/analysis/store/message-store.ts';
import { bytesSource } from '../../src/engine/bytes/source.ts';
import { readBits } from '../../src/engine/compression/bits/read-bits.ts';
import { loadCompressor } from '../../src/engine/compression/compressors.ts';
import { BodySpans, settleFields } from '../../src/engine/cost/field-bits.ts';
import { fieldAt, payloadEndAt, payloadStartAt } from '../../src/engine/model/annotation.ts';
import { toWire } from '../../src/engine/native/to-wire.ts';
import { compileSchema } from '../../src/engine/schema/compile.ts';
import { annotate } from '../../src/engine/wire/annotate.ts';
import { type Check, Differences, type Finding, PROJECT, readBytes } from './check.ts';

const CAPTURE = 'opensearch/deflate/captures/12-term-1000.pcapng';
const MESSAGE = 13;
/** Bytes of FetchSearchResult before its SearchHits, in 2.19.2. */
const BEFORE_HITS = 31;
/** Protobuf against native. */
const TRUTH = { plain: '+0.77 %', snappy: '+0.01 %', gzip: '+1.26 %', zstd: '+2.00 %' };

export const compressedHits: Check = {
  id: 'compressed-hits',
  title: '410 search hits before and after compression',
  run: checkHits,
};

async function* checkHits(folder: string): AsyncGenerator<Finding> {
  const { native, protobuf, type } = await hitsOf(folder);
  for (const [id, truth] of Object.entries(TRUTH)) {
    const size = async (bytes: Uint8Array): Promise<number> =>
      id === 'plain' ? bytes.length : (await (await loadCompressor(id as 'zstd')).compress(bytes)).length;
    const [ours, theirs] = [await size(protobuf), await size(native)];
    const differences = new Differences();
    const share = `+${(100 * (ours / theirs - 1)).toFixed(2)} %`;
    differences.expect(`protobuf against native, ${id}`, share, truth);
    yield { name: id, differences: differences.list, measured: `protobuf ${ours}, native ${theirs}: ${share}` };
  }
  const stream = readBits(await (await loadCompressor('zstd')).compress(protobuf), 'zstd');
  if (!stream.ok) throw new Error(stream.detail);
  const body = new BodySpans();
  body.enterMessage(annotate(protobuf, type).table);
  const fields = settleFields(stream, body, { isShared: false });
  const paid = (path: string): string => {
    const field = fields.find((one) => one.path === path);
    const bits = Object.values(field?.paid ?? {}).reduce((sum, one) => sum + one, 0);
    const plain = Object.values(field?.bytes ?? {}).reduce((sum, one) => sum + one, 0);
    return `${path}: ${plain} bytes pay ${(bits / 8).toFixed(1)}`;
  };
  const measured = `zstd, ${['hits', 'hits.version', 'hits.seq_no'].map(paid).join(', ')}`;
  yield { name: 'reason', differences: [], measured };
}

async function hitsOf(folder: string) {
  const schemas = join(PROJECT, 'schemas');
  const sources: { path: string; content: string }[] = [];
  for (const path of await readdir(schemas, { recursive: true })) {
    if (path.endsWith('.proto')) sources.push({ path, content: await readFile(join(schemas, path), 'utf8') });
  }
  const { registry } = compileSchema(sources);
  const opened = await openInput(bytesSource(CAPTURE, await readBytes(folder, CAPTURE)), {});
  const { store } = await storeMessages(opened, {}, { nextTurn: async () => undefined });
  const captured = (await bodyAt(store, MESSAGE)).slice();
  const found = readByLayout(store, { library: libraryOf([{ registry }]), type: null }, MESSAGE, captured);
  if (found === null) throw new Error(`${CAPTURE} has no fetch result ${MESSAGE}`);
  const result = toWire(captured, found.read).bytes.slice();
  const { table } = annotate(result, found.type);
  const row = columnsOf(table).field.findIndex((field) => field >= 0 && table.fields[field]!.name === 'hits');
  const type = table.fields[fieldAt(table, row)]!.message!;
  const protobuf = result.slice(payloadStartAt(table, row), payloadEndAt(table, row));
  return { native: captured.slice(BEFORE_HITS), protobuf, type };
}
