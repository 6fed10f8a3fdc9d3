import { expect, test } from 'vitest';
import { type EventFilter, filterProblem } from '../../../../../contract/event-filter.ts';
import { objectIn } from '../../../../../contract/text/exact-json.ts';
import { type Condition, conditionsOf, filterOf } from './filter-rows.ts';

const row = (path: string, operator: Condition['operator'], value = ''): Condition => ({ path, operator, value });

test('rows convert to a filter and back', () => {
  const filters: EventFilter[] = [
    { action: 'opened' },
    { amount: { $gte: 10, $lt: 100 }, paid: true, 'customer.vat': null },
    { id: '42', note: ' padded', empty: '""', word: { $ne: '' } },
    { state: { $in: ['open', 3, 'a, b', '7'] }, kind: { $nin: [true] } },
    { name: { $startsWith: '10' }, file: { $endsWith: '.md' }, tags: { $contains: 'bug' } },
    { there: { $exists: true }, gone: { $exists: false } },
    { a: 1, $and: [{ a: { $ne: 2 } }, { a: { $ne: 3 } }] },
  ];
  for (const filter of filters) {
    const rows = conditionsOf(filter);
    expect(rows, JSON.stringify(filter)).toBeDefined();
    expect(filterOf(rows ?? [])).toEqual(filter);
    expect(filterProblem(filterOf(rows ?? []))).toBeNull();
  }
  expect(conditionsOf(null)).toEqual([]);
});

test('input is a number, a word or a quoted text; incomplete rows have no condition', () => {
  expect(filterOf([row('a', '$eq', '5'), row('b', '$eq', '"5"'), row('c', '$eq', ' open ')])).toEqual({
    a: 5,
    b: '5',
    c: 'open',
  });
  expect(filterOf([row('a', '$in', 'x, "y, z", 3,, ')])).toEqual({ a: { $in: ['x', 'y, z', 3] } });
  expect(filterOf([row(' a ', 'there')])).toEqual({ a: { $exists: true } });
  expect(filterOf([row('', '$eq', '5'), row('a', '$gte', ' ')])).toBeNull();
});

test('a number that a double cannot represent is unchanged', () => {
  const id = '12345678901234567890';
  const rows = [
    row('id', '$eq', id),
    row('id', '$lt', '1e400'),
    row('in', '$in', `1, ${id}`),
    row('s', '$eq', `"${id}"`),
  ];
  const text = `{"id":${id},"in":{"$in":[1,${id}]},"s":"${id}","$and":[{"id":{"$lt":1e400}}]}`;
  expect(JSON.stringify(filterOf(rows))).toBe(text);
  expect(conditionsOf(objectIn(text) ?? null)).toEqual([rows[0], rows[2], rows[3], rows[1]]);
});

test('filters that rows cannot express stay JSON', () => {
  for (const filter of [
    { $or: [{ a: 1 }, { b: 2 }] },
    { a: { $not: 1 } },
    { issue: { labels: { name: 'bug' } } },
    { a: [1] },
    { a: { $eq: {} } },
    { $and: [{ a: 1 }, { $or: [{ b: 1 }] }] },
  ])
    expect(conditionsOf(filter), JSON.stringify(filter)).toBeUndefined();
});
