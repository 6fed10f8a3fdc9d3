/** Checks that the tree uses the words of docs/internals/glossary.md. Each exception has a reason. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findIdioms, IDIOMS, isChecked } from './language.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Lines that may use an idiom: a part of the line, and the reason. */
const EXCEPTIONS: readonly { path: string; part: string; reason: string }[] = [
  { path: 'docs/reference/operating.md', part: '`nobody`', reason: 'the system user' },
  { path: 'scripts/postgres-15.ts', part: "'nobody'", reason: 'the system user' },
  { path: 'server/platform/database/embedded/account.ts', part: 'nobody', reason: 'the system user' },
  { path: 'server/platform/database/embedded/start.ts', part: '`nobody`', reason: 'the system user' },
  {
    path: 'server/platform/database/migrations/001-foundation.ts',
    part: 'runs_going_on',
    reason: 'the name of an index',
  },
  { path: 'server/connections/apps/catalogue/rss.ts', part: "'news'", reason: 'a category of feeds' },
  { path: 'server/connections/apps/events/slack.ts', part: 'can you hear me?', reason: 'a sample of Slack' },
];
const MOST_EXCEPTIONS = 20;

describe('language', () => {
  const found = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => path && isChecked(path) && existsSync(join(ROOT, path)))
    .flatMap((path) => findIdioms(path, readFileSync(join(ROOT, path), 'utf8')));
  const unexplained = found.filter(
    ({ path, text }) => !EXCEPTIONS.some((each) => each.path === path && text.includes(each.part)),
  );

  it('uses none of the idioms', () => {
    expect(unexplained.map(({ path, line, idiom, text }) => `${path}:${line} "${idiom}" in: ${text}`)).toEqual([]);
  });

  it('has few exceptions, and each is in use', () => {
    const used = found.filter(({ path, text }) =>
      EXCEPTIONS.some((each) => each.path === path && text.includes(each.part)),
    );
    expect(used.length).toBeLessThanOrEqual(MOST_EXCEPTIONS);
    expect(
      EXCEPTIONS.filter(({ path, part }) => !used.some((one) => one.path === path && one.text.includes(part))),
    ).toEqual([]);
  });

  it.each([
    ['a comment', 'a.ts', '/** Nobody is told of it. */', ['nobody', 'told']],
    ['a page', 'a.md', 'Retries go on by themselves.', ['go on', 'by themselves']],
    ['a label', 'a.tsx', '<p>Used lately</p>', ['lately']],
    ['a log message', 'a.ts', "log.warn('a hook could not be seen to')", ['seen to']],
    ['an identifier', 'a.ts', 'const wasTold = neighbours.map(hear_all);', ['told', 'neighbours', 'hear']],
    ['the name of a file', 'lib/let-by.ts', '', ['let by']],
  ])('finds an idiom planted in %s', (_, path, content, idioms) => {
    expect(findIdioms(path, content).map(({ idiom }) => idiom)).toEqual(idioms);
  });

  it('accepts terms of the field', () => {
    const text = 'newsletter, standard, understand, standby; S3 stands for it; header, told-you-so is one though';
    expect(findIdioms('a.ts', text).map(({ idiom }) => idiom)).toEqual(['told']);
    expect(IDIOMS.length).toBeGreaterThan(15);
  });
});
