import { defineConfig } from 'vitest/config';
import { PREACT } from './scripts/preact.ts';

export default defineConfig({
  resolve: { alias: PREACT },
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'worker/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'],
    maxWorkers: '100%',
    // A property of a thousand runs on a busy machine; a hang is still found.
    testTimeout: 60_000,
  },
});
