import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ProfileJson } from '#engine/cost/profile-json.ts';
import { run } from '../run.ts';

const DOCUMENT = readFileSync(join(import.meta.dirname, '../../../docs/profile-json.md'), 'utf8');

test('the example in the documentation is the actual output', async () => {
  const block = (language: string) => new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'm').exec(DOCUMENT)![1]!;
  const folder = mkdtempSync(join(tmpdir(), 'wirecost-'));
  try {
    writeFileSync(join(folder, 'hits.proto'), block('proto'));
    writeFileSync(join(folder, 'hit.hex'), block('hex').trimEnd());
    const input = join(folder, 'hit.hex');
    const { out } = await run([
      'analyze',
      input,
      '--schema',
      join(folder, 'hits.proto'),
      '--type',
      'example.Hit',
      '--native',
      'opensearch',
      '--json',
    ]);
    expect(out.replace(JSON.stringify(input), '"hit.hex"')).toBe(block('json'));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const fixture = (name: string): string => join(import.meta.dirname, '../../../fixtures', name);
const ELASTIC = ['--schema', join(import.meta.dirname, '../../../schemas/elastic')];

interface Printed {
  readonly inputs: readonly { readonly payloadBytes: number; readonly leftOut?: { readonly bytes: number } }[];
  readonly types: readonly ProfileJson[];
}

/** As the document says it. */
const capturedIn = ({ nativeLedger, nativeProfile, other, pair }: ProfileJson): string =>
  nativeLedger ?? (other?.isCaptured ? nativeProfile : null) ?? pair?.[0] ?? 'protobuf';

test.each([
  ['JSON', [fixture('input/apm-events.ndjson'), ...ELASTIC]],
  [
    'JSON beside another encoding',
    [fixture('input/apm-events.ndjson'), ...ELASTIC, '--native', 'msgpack-named', '--compressed'],
  ],
  ['native messages', [fixture('capture/kafka.pcap')]],
  ['several encodings', [fixture('capture/web-rpc.har')]],
  ['packets cut by a snap length', [fixture('capture/opensearch-cut-by-snaplen.pcapng')]],
])('the document names all that is printed, and its sums hold: %s', async (_, args) => {
  const { out, err } = await run(['analyze', ...args, '--json']);
  const printed: Printed = JSON.parse(out);
  const given = printed.inputs.reduce(
    (sum, { payloadBytes, leftOut }) => sum + payloadBytes - (leftOut?.bytes ?? 0),
    0,
  );
  expect(given, err).toBe(printed.types.reduce((sum, type) => sum + type.ledgers[capturedIn(type)]!.bytes!, 0));
  const unnamed = [...namesIn(printed)].filter((name) => !DOCUMENT.includes(`\`${name}\``));
  expect(unnamed).toEqual([]);
});

/** Keys of objects, without those of ledgers and of categories, which are open lists. */
function namesIn(value: unknown, found = new Set<string>()): ReadonlySet<string> {
  for (const [key, inner] of Object.entries(value as object)) {
    if (!Array.isArray(value)) found.add(key);
    const isOpen = ['ledgers', 'native', 'protobuf'].includes(key);
    if (typeof inner === 'object' && inner !== null && !isOpen) namesIn(inner, found);
  }
  return found;
}
