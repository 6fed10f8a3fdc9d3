import { describe, expect, test } from 'vitest';
import { fieldErrorOf } from './server-errors.ts';

const fields = new Set(['name', 'parameters.cron_expression', 'headers', 'env.0.key']);

describe('the field of a server error', () => {
  test('a field of the form', () => {
    expect(fieldErrorOf('name: expected at least one character', fields)).toEqual({
      name: 'name',
      message: 'Expected at least one character',
    });
    expect(fieldErrorOf('parameters.cron_expression: it never fires', fields)?.name).toBe('parameters.cron_expression');
  });

  test('an index in brackets or with a dot', () => {
    expect(fieldErrorOf('env[0].key: expected a letter', fields)?.name).toBe('env.0.key');
    expect(fieldErrorOf('env.0.key: expected a letter', fields)?.name).toBe('env.0.key');
  });

  test('a path inside a field: the message starts with the rest of the path', () => {
    expect(fieldErrorOf('headers.x-a: this header is set by the service', fields)).toEqual({
      name: 'headers',
      message: 'X-a: this header is set by the service',
    });
  });

  test('an unknown field, or no field', () => {
    expect(fieldErrorOf('url: expected an address', fields)).toBeUndefined();
    expect(fieldErrorOf('An account needs at least one owner.', fields)).toBeUndefined();
    expect(fieldErrorOf('Expected JSON: unexpected end at 3', fields)).toBeUndefined();
  });
});
