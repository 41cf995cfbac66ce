/** Files of a test, in a folder of their own, which is removed after the test file's last test. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';

/** To be called once, outside of tests. */
export function keepingFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'wirecost-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const at = (name: string): string => join(folder, name);
  /** @returns its path */
  const write = (name: string, content: string | Uint8Array): string => {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), content);
    return at(name);
  };
  return { folder, at, write };
}
