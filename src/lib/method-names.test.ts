import { expect, it } from 'vitest';
import { AUTH_METHODS } from '../../contract/states.ts';
import { methodName } from './method-names.ts';

it('every method has a name, and unknown text in a URL stays as it is', () => {
  expect(AUTH_METHODS.map(methodName)).toEqual(['API key', 'Basic', 'JWT', 'OAuth 1', 'OAuth 2', 'MCP']);
  expect(methodName('constructor')).toBe('constructor');
});
