import { defineConfig } from '@playwright/test';
import { findChromium } from './scripts/chromium.ts';

const executablePath = findChromium();
const OWN_SERVICE = [
  '**/thread.e2e.ts',
  '**/overview.e2e.ts',
  '**/under-load.e2e.ts',
  '**/recovery.e2e.ts',
  '**/sign-in.e2e.ts',
  '**/your-sign-in.e2e.ts',
  '**/second-factor.e2e.ts',
  '**/sandbox.e2e.ts',
  '**/hold.e2e.ts',
];
/** On separate services too, with only the data they create: a list that continues below is another page. */
const EVERY_PAGE = ['**/pages.e2e.ts', '**/keyboard.e2e.ts'];

/** Journeys run against the real service; e2e/support/fixtures.ts starts one a worker. */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.e2e.ts',
  outputDir: 'test-results',
  fullyParallel: false,
  forbidOnly: !!process.env['CI'],
  retries: 0,
  workers: 2,
  // a wait ends with what is waited for; how long that may take is a matter of how busy the machine is
  timeout: 240_000,
  expect: { timeout: 25_000 },
  reporter: [
    ['list'],
    ['json', { outputFile: process.env['PLAYWRIGHT_JSON_OUTPUT_NAME'] ?? 'test-results/report.json' }],
  ],
  use: {
    // one of every journey would take a quarter of all their time; for those of a failure: --trace retain-on-failure
    trace: 'off',
    screenshot: 'only-on-failure',
    locale: 'en-GB',
    timezoneId: 'UTC',
    viewport: { width: 1280, height: 800 },
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        '--disable-gpu',
      ],
    },
  },
  // those that start a separate service begin, as one of them takes long: at the end nothing would run beside it
  projects: [
    { name: 'own service', testMatch: OWN_SERVICE },
    { name: 'every page', testMatch: EVERY_PAGE },
    { name: 'chromium', testIgnore: [...OWN_SERVICE, ...EVERY_PAGE] },
  ],
});
