import { expect, it } from 'vitest';
import type { SearchOrder } from '../messages.ts';
import type { Answer } from '../result-collector.ts';
import { createAnswers } from './answers.ts';

const order = (query: string, limit = 25): SearchOrder => ({
  scope: { account_id: 'me', owner: 'ALL' },
  paths: [],
  runtime: undefined,
  limit,
  code: { mode: 'literal', query, caseSensitive: true },
  context: 0,
  history: false,
});
const answer = (text: string, isWhole = true): Answer => ({
  found: [
    {
      function_id: text.slice(0, 5),
      version: 1,
      place: 0,
      hit_count: 1,
      hits: JSON.stringify([{ path: 'index.ts', line: 1, text, before: [], after: [] }]),
    },
  ],
  truncated: !isWhole,
  isWhole,
});

it('knows an answer by all that was asked, until something changes', () => {
  const answers = createAnswers();
  answers.put(order('one'), answer('one'));
  expect(answers.get(order('one'))).toEqual(answer('one'));
  expect(answers.get(order('one', 26))).toBeUndefined();
  expect(answers.get({ ...order('one'), scope: { account_id: 'another', owner: 'ALL' } })).toBeUndefined();
  answers.clear();
  expect(answers.get(order('one'))).toBeUndefined();
});

it('forgets one that time ended, so that the next search may find more', () => {
  const answers = createAnswers();
  answers.put(order('one'), answer('one', false));
  expect(answers.get(order('one'))).toBeUndefined();
});

it('has a size limit, and evicts the least recently used first', () => {
  const answers = createAnswers(4000);
  const text = 'x'.repeat(1000);
  answers.put(order('one'), answer(text));
  answers.put(order('two'), answer(text));
  answers.get(order('one'));
  answers.put(order('three'), answer(text));
  expect(['one', 'two', 'three'].map((query) => answers.get(order(query)) !== undefined)).toEqual([true, false, true]);
  for (let n = 0; n < 20; n++) answers.put(order('three'), answer(text));
  expect(answers.get(order('one'))).toBeDefined();
  answers.put(order('four'), answer('x'.repeat(5000)));
  expect(answers.get(order('four'))).toBeUndefined();
});
