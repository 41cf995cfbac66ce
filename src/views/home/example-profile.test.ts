import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { analyze } from '#engine/analysis/analyze.ts';
import { bytesSource } from '#engine/bytes/source.ts';
import { PROTOBUF, totalIn } from '#engine/cost/profile.ts';
import { NATIVE_PROFILES } from '#engine/native/profiles.ts';
import { compileSchema } from '#engine/schema/compile.ts';

const root = new URL('../../../', import.meta.url);
const read = (file: string): Buffer => readFileSync(new URL(file, root));
const { samples } = JSON.parse(read('public/samples/index.json').toString());

test('the figures that the home page shows are those of the sample', async () => {
  const { file, schemas, type, framing } = samples.find(({ id }: { readonly id: string }) => id === 'otlp-traces');
  const { registry } = compileSchema(
    schemas.map((path: string) => ({ path, content: read(`schemas/${path}`).toString() })),
  );
  const { profiles } = await analyze(
    bytesSource(file, new Uint8Array(read(`public/samples/${file}`))),
    { textEncoding: 'binary', framing },
    { type: registry.messages.get(type), nativeProfile: NATIVE_PROFILES[0]! },
  );
  const profile = profiles[0]!;
  expect(totalIn(profile, PROTOBUF)).toBe(43_335);
  // Without the data that only the details of a field show.
  const fields = profile.fields.map((field) => ({
    ...field,
    widths: { tag: [], length: null, value: null },
    writers: [],
    types: [],
  }));
  await expect(`${JSON.stringify({ ...profile, fields })}\n`).toMatchFileSnapshot(
    new URL(`public/samples/${file}.profile.json`, root).pathname,
  );
});
