import { expect, test } from 'vitest';
import { findSources, sourceGroups } from './find-sources.ts';

const source = (app: string, name: string, category: 'built-in' | 'developer', ...types: string[]) => ({
  app,
  name,
  category,
  event_types: types.map((event_type) => ({ event_type })),
});
const SOURCES = [
  source('gitlab', 'GitLab', 'developer', 'push', 'issue'),
  source('rss', 'RSS and Atom', 'built-in', 'feed.item'),
  source('github', 'GitHub', 'developer', 'push', 'pull_request'),
  source('schedule', 'Schedule', 'built-in', 'schedule.elapsed'),
];

test('sources are found by name, else by event type, which is then returned', () => {
  const found = (text: string) => findSources(SOURCES, text).map((each) => [each.source.app, each.eventType]);
  expect(found('GIT')).toEqual([
    ['github', undefined],
    ['gitlab', undefined],
  ]);
  expect(found(' pull ')).toEqual([['github', 'pull_request']]);
  expect(found('nothing')).toEqual([]);
});

test('schedules come first, then other built-in sources, then connected apps', () => {
  const groups = sourceGroups(SOURCES, new Set(['gitlab']));
  expect(groups.map(({ name, sources }) => [name, ...sources.map(({ app }) => app)])).toEqual([
    ['Built in', 'schedule', 'rss'],
    ['Connected apps', 'gitlab'],
    ['Apps', 'github'],
  ]);
  expect(sourceGroups(SOURCES, new Set()).map(({ name }) => name)).toEqual(['Built in', 'Apps']);
});
