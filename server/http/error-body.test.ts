import { expect, it } from 'vitest';
import { toFailure } from './error-body.ts';

const coded = (code: string, cause?: Error) => Object.assign(new Error('no', { cause }), { code });

it.each([
  ['a full disk', coded('ENOSPC')],
  ['a used up quota, told by another error', new Error('the code could not be kept', { cause: coded('EDQUOT') })],
])('%s is a 503 that says so, and when to come again', (_, error) => {
  const { status, message, headers } = toFailure(error);
  expect([status, message]).toEqual([503, 'There is no room left on the service’s disk; try again later.']);
  expect(headers).toEqual({ 'Retry-After': '30' });
});

it('another error is a 500 that tells nothing', () => {
  expect(toFailure(coded('EIO')).status).toBe(500);
  expect(toFailure(coded('EIO')).message).not.toContain('EIO');
});
