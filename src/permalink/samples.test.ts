/** The samples as links: every sample profile validates and fits into a link. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { analyze } from '#engine/analysis/analyze.ts';
import { bytesSource } from '#engine/bytes/source.ts';
import { mergeProfiles } from '#engine/cost/merge-profiles.ts';
import { type Profile, totalIn } from '#engine/cost/profile.ts';
import { NATIVE_PROFILES } from '#engine/native/profiles.ts';
import { compileSchema } from '#engine/schema/compile.ts';
import { decodeFragment, encodeFragment } from './fragment.ts';
import { plainView } from './plain-view.ts';
import type { Shared } from './shared.ts';

const ROOT = new URL('../../', import.meta.url);
interface SampleEntry {
  readonly id: string;
  readonly file: string;
  readonly framing: string;
  readonly schemas: readonly string[];
  readonly type: string;
  readonly nativeProfile: string;
}
const { samples }: { readonly samples: readonly SampleEntry[] } = JSON.parse(
  readFileSync(new URL('public/samples/index.json', ROOT), 'utf8'),
);

async function profileOf(sample: SampleEntry): Promise<Profile> {
  const files = sample.schemas.map((path) => ({
    path,
    content: readFileSync(new URL(`schemas/${path}`, ROOT), 'utf8'),
  }));
  const { registry } = compileSchema(files);
  const bytes = new Uint8Array(readFileSync(new URL(`public/samples/${sample.file}`, ROOT)));
  const { profiles } = await analyze(
    bytesSource(sample.file, bytes),
    { textEncoding: 'binary', framing: sample.framing },
    {
      type: registry.messages.get(sample.type),
      nativeProfile: NATIVE_PROFILES.find(({ id }) => id === sample.nativeProfile)!,
    },
  );
  return profiles[0]!;
}

const around = (profile: Profile): Shared => ({
  source: {
    name: 'a name of usual length.pcapng',
    messages: profile.messages,
    size: totalIn(profile, profile.pair[0]),
    coverage: null,
    losses: [],
  },
  made: { date: '2026-11-21', by: '0.1.0' },
  view: plainView(profile.type, profile.pair[1] ?? ''),
  data: { kind: 'profile', profile, compressed: null, layers: null, excerpt: null, matrix: null },
});

describe('a profile without its payload', () => {
  test.each(samples.map((sample) => [sample.id, sample] as const))('%s', async (_, sample) => {
    const shared = around(await profileOf(sample));
    const link = encodeFragment(shared)!;
    expect(await decodeFragment(link)).toEqual({ ok: true, value: shared });
    expect(link.length).toBeLessThan(8000);
  });

  test('ten thousand search hits make the link of ten: its length depends on the number of fields', async () => {
    const ten = await profileOf(samples[0]!);
    let thousands = ten;
    for (let times = 1; times < 1000; times++) thousands = mergeProfiles(thousands, ten);
    expect(encodeFragment(around(thousands))!.length).toBeLessThan(4000);
  });
});
