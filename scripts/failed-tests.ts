/** The failed tests in the JSON reports of Vitest and Playwright, for a list at the end of `npm test`. */
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

export type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    name: string;
    message?: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] | null }[];
  }[];
};

type Suite = { specs?: Spec[]; suites?: Suite[] };
type Spec = {
  title: string;
  file: string;
  line: number;
  ok: boolean;
  tests: { results: { errors: { message?: string }[] }[] }[];
};
export type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number };
  errors?: { message?: string }[];
  suites: Suite[];
};

/** The lines of a message that are listed. */
const LINES = 14;

/** One text per failed test or file: its place, its name and the start of each error. */
export function failedInVitest({ testResults }: VitestReport, root: string): string[] {
  return testResults.flatMap(({ name, message, assertionResults }) => {
    const file = relative(root, name);
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    if (failed.length === 0) return message ? [entry(file, [message])] : [];
    return failed.map(({ fullName, failureMessages }) => entry(`${file} › ${fullName}`, failureMessages ?? []));
  });
}

/** One text per failed journey, and per error outside the journeys. */
export function failedInPlaywright({ suites, errors = [] }: PlaywrightReport): string[] {
  const failed = specsOf(suites).filter(({ ok }) => !ok);
  return [
    ...errors.map(({ message = '' }) => entry('journeys', [message])),
    ...failed.map(({ file, line, title, tests }) =>
      entry(
        `e2e/${file}:${line} › ${title}`,
        tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors.map(({ message = '' }) => message))),
      ),
    ),
  ];
}

const specsOf = (suites: readonly Suite[]): Spec[] =>
  suites.flatMap((suite) => [...(suite.specs ?? []), ...specsOf(suite.suites ?? [])]);

function entry(place: string, messages: readonly string[]): string {
  const lines = messages.flatMap((message) => stripVTControlCharacters(message).trim().split('\n').slice(0, LINES));
  return [`✘ ${place}`, ...lines.filter((line) => line.trim()).map((line) => `    ${line}`)].join('\n');
}
