import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { findChromium } from './scripts/chromium.ts';

const executablePath = findChromium();
/** A wait ends with what is waited for; how long that may take is a matter of how busy the machine is. */
const patience = { expect: { poll: { timeout: 60_000 } }, testTimeout: 240_000, hookTimeout: 240_000 };

/** Of files without a recorded time the largest begin; these are small and slow, and would run alone at the end. */
const LONG = /python|embedded|lifetime|escape|run-batch/;
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ project, moduleId }: TestSpecification) => project.name === 'unit' && LONG.test(moduleId);
    const begin = sorted.findIndex(({ project }) => project.name === 'unit');
    if (begin === -1) return sorted;
    return [
      ...sorted.slice(0, begin),
      ...sorted.filter(isLong),
      ...sorted.slice(begin).filter((each) => !isLong(each)),
    ];
  }
}

export default defineConfig({
  test: {
    // these tests wait about as much as they work: three at once even where the machine has two cores
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{bench,contract,scripts,server,src}/**/*.test.ts'],
          exclude: ['server/**/test/**', 'bench/node_modules/**'],
          // a file takes over the modules that the one before has loaded: nothing in them remembers
          isolate: false,
          ...patience,
        },
      },
      {
        test: {
          name: 'api',
          include: ['server/**/test/**/*.test.ts'],
          globalSetup: ['server/test/database.ts'],
          // as above: loading the service took a second of processor for each file
          isolate: false,
          ...patience,
        },
      },
      {
        plugins: [react(), tailwindcss()],
        // all that tests reach, so that nothing is optimized (and every test reloaded) half-way through
        optimizeDeps: {
          entries: ['src/**/*.test.tsx'],
          include: [
            'react',
            'react-dom',
            'react-dom/client',
            'react/jsx-runtime',
            'react/jsx-dev-runtime',
            'react-router',
            'react-router/dom',
            'react-hook-form',
            '@hookform/resolvers/standard-schema',
            'zod/mini',
            '@tanstack/react-query',
            '@tanstack/react-table',
            '@tanstack/react-virtual',
            'lucide-react',
            'vitest-browser-react',
          ],
        },
        test: {
          name: 'browser',
          include: ['src/**/*.test.tsx'],
          expect: { poll: { timeout: 10_000 } },
          browser: {
            enabled: true,
            headless: true,
            provider: playwright({ launchOptions: executablePath ? { executablePath } : {} }),
            instances: [{ browser: 'chromium' }],
            screenshotFailures: false,
          },
        },
      },
    ],
  },
});
