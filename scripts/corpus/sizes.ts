/**
 * Search hits that OpenSearch wrote natively, written once more by the typed schema, against our sizes of the latter: the
 * protobuf bytes are the recorded ones, and the native bytes that we lay out are those that OpenSearch wrote, except by
 * what docs/samples.md says the options cannot say.
 */
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Ledgers } from '#engine/cost/ledgers.ts';
import { deriveLayouts } from '#engine/native/derive.ts';
import { NATIVE_PROFILES } from '#engine/native/profiles.ts';
import { writeNative } from '#engine/native/write.ts';
import { compileSchema } from '#engine/schema/compile.ts';
import { annotate } from '#engine/wire/annotate.ts';
import { readSchemaFiles } from '../../src/cli/schema-files.ts';
import { type Check, Differences, type Finding, PROJECT, readBytes } from './check.ts';

const TYPE = 'org.opensearch.proto.search.SearchHitsProto';

/** Native bytes as laid out less native bytes as written; 0 for all others. */
const DOCUMENTED: ReadonlyMap<string, number> = new Map([
  // A length for each of 30 values.
  ['10-fields', 30],
  // A key of 8 bytes for each of 10 highlights.
  ['10-highlight', 80],
  // 3 flags for each of 120 explanations.
  ['10-explain-seqno', 360],
]);

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
    const extra = DOCUMENTED.get(name) ?? 0;
    const differences = new Differences();

    const ledgers = new Ledgers(type, profile);
    ledgers.add(payload);
    const { bytes, fields, unattributed } = ledgers.profile();
    const sumBelow = (path: string): number =>
      fields
        .filter((field) => field.path === path || field.path.startsWith(`${path}.`))
        .reduce((sum, { protobuf: { tag, length, value } }) => sum + tag + length + value, 0);
    differences.expect('protobuf bytes', bytes.protobuf, recorded.typedProtoBytes);
    differences.expect('bytes unattributed', unattributed, 0);
    differences.expect('native bytes', bytes.native, recorded.nativeSearchHitsBytes + extra);
    for (const [field, size] of Object.entries(recorded.typedByField)) {
      const path = /^hit\.(.+)$/.exec(field)?.[1];
      if (path !== undefined) differences.expect(field, sumBelow(`hits.${path}`), size);
    }

    const written = writeNative(payload, annotate(payload, type).table, layoutOf(type), layoutOf).bytes;
    differences.expect('native bytes as written', written.length, bytes.native);
    if (extra === 0 && Buffer.compare(written, await readBytes(below, `${name}.native.bin`)) !== 0) {
      differences.add('other native bytes than OpenSearch wrote');
    }
    yield { name, differences: differences.list };
  }
}
