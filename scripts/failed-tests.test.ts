import { expect, it } from 'vitest';
import { failedInPlaywright, failedInVitest } from './failed-tests.ts';

it('failed tests and files of Vitest are listed with the start of their errors', () => {
  const long = Array.from({ length: 40 }, (_, i) => `line ${i}`).join('\n');
  const listed = failedInVitest(
    {
      numPassedTests: 1,
      numFailedTests: 1,
      testResults: [
        {
          name: '/code/server/a.test.ts',
          assertionResults: [
            { status: 'passed', fullName: 'a works', failureMessages: [] },
            {
              status: 'failed',
              fullName: 'a fails',
              failureMessages: ['\u001b[31mAssertionError\u001b[39m: 1\n\n+ 2', long],
            },
          ],
        },
        { name: '/code/server/b.test.ts', message: 'SyntaxError: b', assertionResults: [] },
        { name: '/code/server/c.test.ts', message: '', assertionResults: [] },
      ],
    },
    '/code',
  );
  expect(listed).toHaveLength(2);
  expect(listed[0]).toMatch(/^✘ server\/a\.test\.ts › a fails\n {4}AssertionError: 1\n {4}\+ 2\n {4}line 0\n/);
  expect(listed[0]?.split('\n')).toHaveLength(17);
  expect(listed[1]).toBe('✘ server/b.test.ts\n    SyntaxError: b');
});

it('failed journeys of Playwright are listed, those of nested suites and errors outside of journeys too', () => {
  const spec = {
    title: 'opens',
    file: 'home.e2e.ts',
    line: 3,
    tests: [{ results: [{ errors: [{ message: 'Timeout' }] }] }],
  };
  const listed = failedInPlaywright({
    stats: { expected: 1, unexpected: 1, flaky: 0 },
    errors: [{ message: 'No Chromium.' }],
    suites: [{ suites: [{ specs: [{ ...spec, ok: false }] }], specs: [{ ...spec, ok: true }] }],
  });
  expect(listed).toEqual(['✘ journeys\n    No Chromium.', '✘ e2e/home.e2e.ts:3 › opens\n    Timeout']);
});
