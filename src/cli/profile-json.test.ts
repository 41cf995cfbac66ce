import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from './run.ts';

test('the example in the documentation is the actual output', async () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/profile-json.md'), 'utf8');
  const block = (language: string) => new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'm').exec(text)![1]!;
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
