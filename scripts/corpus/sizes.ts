/**
 * Search hits that OpenSearch wrote natively and once more by the typed schema: either one made from the other is the
 * recorded one, byte for byte, with the recorded sizes by field.
 */

import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { bytesUnder } from '#engine/cost/counted-unit.ts';
import { Ledgers } from '#engine/cost/type-profiler.ts';
import { deriveLayouts } from '#engine/native/derive.ts';
import { NATIVE_PROFILES } from '#engine/native/profiles.ts';
import { readNative } from '#engine/native/read.ts';
import { toWire } from '#engine/native/to-wire.ts';
import { writeNative } from '#engine/native/write.ts';
import { compileSchema } from '#engine/schema/compile.ts';
import { annotate } from '#engine/wire/annotate.ts';
import { readSchemaFiles } from '../../src/cli/inputs/schema-files.ts';
import { totalIn } from '../../src/engine/cost/profile.ts';
import { type Check, Differences, type Finding, PROJECT, readBytes } from './check.ts';

const TYPE = 'org.opensearch.proto.search.SearchHitsProto';

interface Sizes {
  readonly nativeSearchHitsBytes: number;
  readonly typedProtoBytes: number;
  readonly typedByField: Readonly<Record<string, number>>;
}

export const sizes: Check = {
  id: 'sizes',
  title: 'search hits: protobuf and native sizes as recorded',
  run: compareSizes,
};

async function* compareSizes(folder: string): AsyncGenerator<Finding> {
  const { registry } = compileSchema(await readSchemaFiles([join(PROJECT, 'schemas')]));
  const type = registry.messages.get(TYPE)!;
  const profile = NATIVE_PROFILES.find(({ id }) => id === 'laid-out')!;
  const layoutOf = deriveLayouts(profile);
  const below = join(folder, 'opensearch', 'plain', 'sizes');
  for (const file of (await readdir(below)).filter((name) => name.endsWith('.typed.bin')).sort()) {
    const name = basename(file, '.typed.bin');
    const recorded = JSON.parse(await readFile(join(below, `${name}.json`), 'utf8')) as Sizes;
    const payload = await readBytes(below, file);
    const differences = new Differences();

    const ledgers = new Ledgers(type, profile);
    ledgers.add(payload);
    const measured = ledgers.profile();
    const { fields, unattributed } = measured;
    const [ours, theirs] = [totalIn(measured, measured.pair[0]), totalIn(measured, measured.pair[1])];
    differences.expect('protobuf bytes', ours, recorded.typedProtoBytes);
    differences.expect('bytes unattributed', unattributed, 0);
    differences.expect('native bytes', theirs, recorded.nativeSearchHitsBytes);
    for (const [field, size] of Object.entries(recorded.typedByField)) {
      const path = /^hit\.(.+)$/.exec(field)?.[1];
      if (path !== undefined) differences.expect(field, bytesUnder(fields, `hits.${path}`), size);
    }

    const written = writeNative(payload, annotate(payload, type).table, layoutOf(type), layoutOf).bytes;
    differences.expect('native bytes as written', written.length, theirs);
    const native = await readBytes(below, `${name}.native.bin`);
    if (Buffer.compare(written, native) !== 0) differences.add('other native bytes than OpenSearch wrote');
    const back = toWire(native, readNative(native, layoutOf(type), layoutOf));
    differences.add(...back.diagnostics.map(({ message }) => message));
    if (Buffer.compare(back.bytes, payload) !== 0) differences.add(`other protobuf bytes: ${back.bytes.length}`);
    yield { name, differences: differences.list };
  }
}
