import { expect, it } from 'vitest';
import { toFailure } from './error-body.ts';

const coded = (code: string, cause?: Error) => Object.assign(new Error('no', { cause }), { code });

it.each([
  ['a full disk', coded('ENOSPC')],
  ['a used up quota, reported by another error', new Error('the code could not be kept', { cause: coded('EDQUOT') })],
])('%s is a 503 that says so, and when to come again', (_, error) => {
  const { status, message, headers } = toFailure(error);
  expect([status, message]).toEqual([503, 'The service’s disk is full; try again later.']);
  expect(headers).toEqual({ 'Retry-After': '30' });
});

it.each([
  ['57014', 'a canceled statement'],
  ['55P03', 'a lock that is not available'],
  ['40P01', 'a deadlock'],
  ['57P01', 'a server that shuts down'],
  ['53100', 'a full disk'],
  ['25006', 'a read-only server'],
])('SQLSTATE %s, %s, is a 503 with Retry-After', (code) => {
  expect(toFailure(coded(code))).toMatchObject({ status: 503, headers: { 'Retry-After': '2' } });
});

it('another error is a 500 without details', () => {
  expect(toFailure(coded('EIO')).status).toBe(500);
  expect(toFailure(coded('EIO')).message).not.toContain('EIO');
});
