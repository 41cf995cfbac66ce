/** Black box, against the production build in dist/, in the system's Chromium. The address comes from a fixture. */
import { defineConfig } from '@playwright/test';
import { findChromium } from './scripts/chromium.mjs';

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  // Pages wait more than they work: three keep two cores busy.
  workers: 3,
  fullyParallel: true,
  // Generous: a busy machine is no fault of the page's.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: {
    viewport: { width: 1280, height: 800 },
    // What it keeps would answer for the server; e2e/offline.spec.ts allows it.
    serviceWorkers: 'block',
    // Traces take a third of the run's time. `npx playwright test --trace on NAME` records one.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: findChromium() ?? '',
      chromiumSandbox: false,
      args: [
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-dev-shm-usage',
      ],
    },
  },
});
