import { expect, test } from 'vitest';
import { filterProblem, matchesFilter } from '../../../../../contract/event-filter.ts';
import { objectIn } from '../../../../../contract/text/exact-json.ts';
import { examplesFor, payloadLeaves, readFilter, writeFilter } from './filter-text.ts';

test('an empty field matches every event', () => {
  expect(readFilter(' \n')).toEqual({ ok: true, filter: null });
  expect(writeFilter(null)).toBe('');
});

test('an error is reported with its position', () => {
  const said = (text: string) => {
    const read = readFilter(text);
    return read.ok ? '' : read.message;
  };
  expect(said('{"a":')).toMatch(/^Invalid JSON: /);
  expect(said('[]')).toBe('Expected a JSON object');
  expect(said('{"a":{"$gte":[]}}')).toBe('a.$gte: expected a number or a string');
  expect(said('{"$bad":1}')).toMatch(/^\$bad: expected one of /);
});

test('a number that a double cannot represent is unchanged, and suggested with its exact value', () => {
  const text = '{\n  "id": 12345678901234567890\n}';
  const read = readFilter(text);
  expect(read.ok && writeFilter(read.filter)).toBe(text);
  expect(readFilter('12345678901234567890')).toEqual({ ok: false, message: 'Expected a JSON object' });
  expect(payloadLeaves(objectIn(text)).map(({ path, value }) => [path, String(value)])).toEqual([
    ['id', '12345678901234567890'],
  ]);
});

test('every example filter matches the payload it was built from', () => {
  const payload = { 'odd.key': 1, action: 'opened', issue: { number: 42, labels: [{ name: 'bug' }] }, $x: 2 };
  const examples = examplesFor(payload);
  expect(examples.length).toBe(6);
  for (const { filter } of examples) {
    expect(filterProblem(filter)).toBeNull();
    expect(matchesFilter(filter, payload)).toBe(true);
  }
  expect(examplesFor({})).toEqual([]);
});
