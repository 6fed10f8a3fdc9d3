import { expect, it } from 'vitest';
import { readParameters } from './parameters.ts';

const schema = {
  type: 'object',
  properties: {
    repository: { type: 'string', minLength: 1 },
    branch: { type: 'string', default: 'main' },
    events: { type: 'array', items: { enum: ['push', 'tag'] } },
    depth: { type: 'integer', minimum: 1, maximum: 5 },
  },
  required: ['repository'],
  additionalProperties: false,
};

it('fills in defaults and keeps the rest', () => {
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
])('%j is refused by name', (given, message) => {
  expect(() => readParameters(schema, given)).toThrow(message);
});
