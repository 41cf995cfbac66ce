import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'worker/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'],
    maxWorkers: '100%',
    // A property of a thousand runs on a busy machine; a hang is still found.
    testTimeout: 60_000,
  },
});
