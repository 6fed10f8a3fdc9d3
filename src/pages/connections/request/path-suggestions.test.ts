import { expect, it } from 'vitest';
import { type AppPath, suggestionsFor, typedPath } from './path-suggestions.ts';

const path = (method: AppPath['method'], at: string, summary: string | null = null): AppPath => ({
  method,
  path: at,
  operation_id: null,
  summary,
});
const PATHS = [
  path('GET', '/bills', 'List bills'),
  path('POST', '/bills', 'Send a bill'),
  path('DELETE', '/notes/{id}'),
];

it('finds paths by their text and summary, each once', () => {
  expect(suggestionsFor(PATHS, '/')).toHaveLength(2);
  expect(suggestionsFor(PATHS, 'send')).toEqual([{ path: '/bills', label: 'POST Send a bill' }]);
  expect(suggestionsFor(PATHS, '/bil')).toEqual([{ path: '/bills', label: 'GET List bills, POST Send a bill' }]);
  expect(suggestionsFor(PATHS, 'none')).toEqual([]);
});

it('shows at most fifty', () => {
  expect(
    suggestionsFor(
      Array.from({ length: 80 }, (_, i) => path('GET', `/a/${i}`)),
      '/a',
    ),
  ).toHaveLength(50);
});

it('takes the method of a path that lacks the current one', () => {
  expect(typedPath(PATHS, '/notes/{id}', 'GET')).toEqual({ path: '/notes/{id}', method: 'DELETE' });
  expect(typedPath(PATHS, '/bills', 'POST')).toEqual({ path: '/bills' });
  expect(typedPath(PATHS, '/other', 'GET')).toEqual({ path: '/other' });
});
