import { describe, expect, it } from 'vitest';
import { type EventFilter, filterProblem, matchesFilter } from './event-filter.ts';
import { objectIn } from './text/exact-json.ts';

const payload = {
  action: 'opened',
  amount: 42,
  draft: false,
  empty: null,
  'dotted.key': 1,
  issue: { user: { login: 'bot-7' }, labels: [{ name: 'bug', size: 2 }, { name: 'ui' }] },
  tags: ['a', 'b'],
  matrix: [
    [1, 2],
    [3, 4],
  ],
};

describe('a filter matches', () => {
  it.each<[EventFilter]>([
    [{}],
    [{ action: 'opened' }],
    [{ amount: 42, draft: false, empty: null }],
    [{ 'dotted.key': 1 }],
    [{ issue: { user: { login: 'bot-7' } } }],
    [{ 'issue.user.login': { $startsWith: 'bot-', $endsWith: '7' } }],
    [{ issue: { labels: { name: 'bug', size: 2 } } }],
    [{ 'issue.labels.name': 'ui' }],
    [{ 'issue.labels.1.name': 'ui' }],
    [{ tags: 'b' }],
    [{ tags: ['b', 'a'] }],
    [{ tags: { $contains: 'a' } }],
    [{ tags: { $eq: ['a', 'b'] } }],
    [{ action: { $contains: 'pen' } }],
    [{ amount: { $gt: 41, $gte: 42, $lt: 43, $lte: 42, $ne: 1 } }],
    [{ action: { $in: ['closed', 'opened'] } }],
    [{ action: { $nin: ['closed'] } }],
    [{ missing: { $exists: false } }],
    [{ missing: { $ne: 1 } }],
    [{ $or: [{ action: 'closed' }, { amount: 42 }] }],
    [{ $and: [{ action: 'opened' }, { amount: { $gt: 1 } }], draft: false }],
    [{ $not: { action: 'closed' } }],
    [{ amount: { $not: { $gt: 100 } } }],
    [{ action: { $not: 'closed' } }],
    [{ matrix: { $contains: [1, 2] } }],
    [{ issue: { user: { $eq: { login: 'bot-7' } } } }],
  ])('%j', (filter) => {
    expect(filterProblem(filter)).toBeNull();
    expect(matchesFilter(filter, payload)).toBe(true);
  });
});

describe('a filter doesn’t match', () => {
  it.each<[EventFilter]>([
    [{ action: 'Opened' }],
    [{ amount: '42' }],
    [{ amount: { $gt: '1' } }],
    [{ missing: null }],
    [{ missing: 1 }],
    [{ empty: { $exists: false } }],
    [{ issue: { labels: { name: 'ui', size: 2 } } }],
    [{ 'issue.labels.2.name': 'ui' }],
    [{ tags: ['a', 'c'] }],
    [{ action: { $startsWith: 'x' } }],
    [{ action: { $in: [] } }],
    [{ $or: [{ action: 'closed' }] }],
    [{ $not: {} }],
    [{ toString: { $exists: true } }],
    [{ 'issue.__proto__': { $exists: true } }],
  ])('%j', (filter) => {
    expect(filterProblem(filter)).toBeNull();
    expect(matchesFilter(filter, payload)).toBe(false);
  });
});

it.each([
  ['{"id":12345678901234567890}', true],
  ['{"id":12345678901234567891}', false],
  ['{"id":12345678901234567000}', false],
  ['{"id":{"$ne":12345678901234567891}}', true],
  ['{"id":{"$in":[1,12345678901234567890]}}', true],
  ['{"id":{"$gt":12345678901234567889,"$lt":12345678901234567891}}', true],
  ['{"id":{"$gte":12345678901234567891}}', false],
  ['{"id":{"$lte":5}}', false],
  ['{"id":{"a":1}}', false],
  ['{"list":{"$contains":1e400}}', true],
  ['{"list":{"$eq":[1e400,{"n":0.1000000000000000000001}]}}', true],
])('numbers beyond double precision are compared exactly: %s', (filter, matches) => {
  const payload = objectIn('{"id":12345678901234567890,"list":[1e400,{"n":0.1000000000000000000001}]}');
  expect(filterProblem(objectIn(filter))).toBeNull();
  expect(matchesFilter(objectIn(filter) ?? {}, payload)).toBe(matches);
});

describe('an invalid filter is rejected', () => {
  const deep = JSON.parse(`${'{"a":'.repeat(30)}1${'}'.repeat(30)}`) as EventFilter;
  it.each<[string, unknown]>([
    ['filter: expected a JSON object', []],
    ['filter: expected a JSON object', null],
    ['filter.$where: expected one of', { $where: '1' }],
    ['filter.a.$toString: expected one of', { a: { $toString: 1 } }],
    ['filter.a.$gt: expected a number or a string', { a: { $gt: null } }],
    ['filter.a.$in: expected an array', { a: { $in: 'x' } }],
    ['filter.$or: expected an array of filters', { $or: [] }],
    ['filter.$or: expected an array of filters', { $or: ['a'] }],
    ['filter.$or.1.a.$exists: expected true or false', { $or: [{}, { a: { $exists: 1 } }] }],
    ['filter.a.$startsWith: expected a string', { a: { $startsWith: 1 } }],
    [': expected at most 20 levels', deep],
    [': expected at most 500 conditions', { a: Array.from({ length: 600 }, () => 1) }],
  ])('with "%s"', (problem, filter) => {
    expect(filterProblem(filter)).toContain(problem);
  });
});
