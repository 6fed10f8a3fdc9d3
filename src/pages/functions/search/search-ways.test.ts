import { expect, test } from 'vitest';
import type { SearchState } from './search-state.ts';
import { waysFrom } from './search-ways.ts';

const state = (asked: string, more: Partial<SearchState> = {}): SearchState => ({
  q: asked,
  asked,
  owner: 'SELF',
  visibility: undefined,
  case: 'auto',
  context: 1,
  history: false,
  limit: 25,
  sort: 'relevance',
  by: 'function',
  folded: true,
  ...more,
});
const said = (asked: string, more?: Partial<SearchState>) =>
  waysFrom(state(asked, more)).map(({ words, code }) => (code ? `${words} ${code}` : words));
const EVERYBODY = 'In public functions of every account';

test.each<[string, Partial<SearchState>, string[]]>([
  ['order sync', {}, ['Search the code for "order sync"', EVERYBODY]],
  ['"a"', { history: true }, ['In names and descriptions, a', EVERYBODY]],
  ['"Order"', {}, ['Ignoring case', 'In names and descriptions, Order', 'In all versions', EVERYBODY]],
  [
    '"Order"',
    { case: 'no', owner: 'ALL' },
    ['In names and descriptions, Order', 'In all versions', 'In functions of this account'],
  ],
  ['path:lib/ runtime:node /a.b/', {}, ['Without path:lib/', 'Without runtime:node', 'In all versions', EVERYBODY]],
  [
    '/order/',
    { visibility: 'PUBLIC' },
    ['With any visibility', 'As plain text, "order"', 'In all versions', EVERYBODY],
  ],
  [
    '"fetch(.*retry"',
    {},
    [
      'As an expression, /fetch(.*retry/',
      'With anything between the words, /fetch.*retry/',
      'In names and descriptions, fetch retry',
      'In all versions',
      EVERYBODY,
    ],
  ],
  ['path:nowhere/', {}, [EVERYBODY]],
  ['"{}"', {}, ['In all versions', EVERYBODY]],
])('where %s finds nothing: %o', (asked, more, ways) => expect(said(asked, more)).toEqual(ways));

test('alternatives keep the filters for another mode, and drop one filter at a time', () => {
  const asked = waysFrom(state('path:lib/ runtime:node "order sync"')).map((way) => way.state.asked);
  expect(asked).toEqual([
    'runtime:node "order sync"',
    'path:lib/ "order sync"',
    'path:lib/ runtime:node /order.*sync/',
    'path:lib/ runtime:node order sync',
    'path:lib/ runtime:node "order sync"',
    'path:lib/ runtime:node "order sync"',
  ]);
});
