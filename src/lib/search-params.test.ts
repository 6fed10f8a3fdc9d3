import { describe, expect, test } from 'vitest';
import { readState, writeState } from './search-params.ts';

const defaults = { status: 'all', q: '' };

describe('state in the URL', () => {
  test('an omitted parameter has its default', () => {
    expect(readState(new URLSearchParams('q=in_1'), defaults)).toEqual({ status: 'all', q: 'in_1' });
  });

  test('a default is not written, and neither is undefined', () => {
    const params = new URLSearchParams('status=FAILED&q=x');
    expect(writeState(params, defaults, { status: 'all' }).toString()).toBe('q=x');
    expect(writeState(params, defaults, { q: undefined }).toString()).toBe('status=FAILED');
  });

  test('other parameters are preserved', () => {
    expect(writeState(new URLSearchParams('tab=settings'), defaults, { q: 'a b' }).toString()).toBe(
      'tab=settings&q=a+b',
    );
  });

  test('a written state is read back', () => {
    const written = writeState(new URLSearchParams(), defaults, { status: 'FAILED', q: '"a" & /b?/' });
    expect(readState(new URLSearchParams(written.toString()), defaults)).toEqual({
      status: 'FAILED',
      q: '"a" & /b?/',
    });
  });
});
