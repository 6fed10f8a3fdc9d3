import { expect, it } from 'vitest';
import { accepts } from './accepted.ts';

it.each([
  ['gzip', true],
  ['br;q=0.5, GZIP ; q=0.001', true],
  ['br, gzip;q=0', false],
  ['gzip;q=0.000', false],
  ['*;q=0.1', true],
  ['*, gzip;q=0', false],
  ['*;q=0', false],
  ['x-gzip', false],
  ['', false],
  [undefined, false],
])('%s takes gzip: %s', (accepted, takes) => expect(accepts(accepted, 'gzip', true)).toBe(takes));

it('accepts a type only by its name, unless `*` applies', () => {
  expect(accepts('*/*, *', 'text/event-stream')).toBe(false);
  expect(accepts('text/html, text/event-stream;charset=utf-8', 'text/event-stream')).toBe(true);
});
