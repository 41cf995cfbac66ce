import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileKernel, KERNEL_CODE } from './kernel.ts';

test('kernel-code.ts is what its source compiles to; if not: npm run kernel', async () => {
  expect(readFileSync(KERNEL_CODE, 'utf8')).toBe(await compileKernel());
});
