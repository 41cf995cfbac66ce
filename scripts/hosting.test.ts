/** docs/hosting.md gives the headers of scripts/csp.ts, and no others. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { headersFor } from './csp.ts';

const doc = readFileSync(new URL('../docs/hosting.md', import.meta.url), 'utf8');

test.each(['index.html', 'embed.html'])('the headers of %s, for each host', (file) => {
  for (const [name, value] of Object.entries(headersFor(file))) {
    expect(doc).toContain(`add_header ${name} "${value}" always;`);
    expect(doc).toContain(`  ${name}: ${value}\n`);
  }
});
