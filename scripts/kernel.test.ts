import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codeFile, compileKernel, KERNELS } from './kernel.ts';

test.each(KERNELS)('$folder/kernel-code.ts equals the compiled source (npm run kernel)', async (kernel) => {
  expect(readFileSync(codeFile(kernel), 'utf8')).toBe(await compileKernel(kernel));
});
