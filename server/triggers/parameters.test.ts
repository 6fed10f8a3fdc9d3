import { expect, it } from 'vitest';
import { parseExactly } from '../../contract/text/exact-json.ts';
import { readParameters } from './parameters.ts';

const long = parseExactly('[4.00000000000000000001, 12345678901234567890]') as unknown[];
const schema = {
  type: 'object',
  properties: {
    repository: { type: 'string', minLength: 1 },
    branch: { type: 'string', default: 'main' },
    events: { type: 'array', items: { enum: ['push', 'tag'] } },
    depth: { type: 'integer', minimum: 1, maximum: 5 },
    any: { type: 'array' },
  },
  required: ['repository'],
  additionalProperties: false,
};

it('fills in defaults and returns the rest unchanged', () => {
  expect(readParameters(schema, { repository: 'a/b', events: ['tag'] })).toEqual({
    repository: 'a/b',
    branch: 'main',
    events: ['tag'],
  });
});

it.each([
  [{}, 'parameters.repository: expected string, and it is required'],
  [{ repository: 7 }, 'parameters.repository: expected string, received number'],
  [{ repository: '' }, 'parameters.repository: '],
  [{ repository: 'a', color: 1, size: 2 }, 'parameters.color: unknown parameter; parameters.size: unknown parameter'],
  [{ repository: 'a', events: ['push', 'fork'] }, 'parameters.events.1: expected one of "push"|"tag"'],
  [{ repository: 'a', depth: 1.5 }, 'parameters.depth: expected int'],
  [{ repository: 'a', depth: 9 }, 'parameters.depth: '],
  [{ repository: 'a', depth: long[0] }, 'parameters.depth: expected a number within double precision'],
  [{ repository: 'a', depth: long[1] }, 'parameters.depth: '],
  [{ repository: 'a', any: [{ b: long[1] }] }, 'parameters.any.0.b: expected a number within double precision'],
  [{ repository: 'a', depth: 2, more: long[1] }, 'parameters.more: unknown parameter'],
])('%j is rejected with the parameter', (given, message) => {
  expect(() => readParameters(schema, given)).toThrow(message);
});
