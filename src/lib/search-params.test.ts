import { describe, expect, test } from 'vitest';
import { readState, writeState } from './search-params.ts';

const defaults = { status: 'all', q: '' };

describe('state in the address', () => {
  test('what the address leaves out is the default', () => {
    expect(readState(new URLSearchParams('q=in_1'), defaults)).toEqual({ status: 'all', q: 'in_1' });
  });

  test('a default is not written, and neither is undefined', () => {
    const params = new URLSearchParams('status=FAILED&q=x');
    expect(writeState(params, defaults, { status: 'all' }).toString()).toBe('q=x');
    expect(writeState(params, defaults, { q: undefined }).toString()).toBe('status=FAILED');
  });

  test('what belongs to someone else on the page stays', () => {
    expect(writeState(new URLSearchParams('tab=settings'), defaults, { q: 'a b' }).toString()).toBe(
      'tab=settings&q=a+b',
    );
  });

  test('reading what was written gives it back', () => {
    const written = writeState(new URLSearchParams(), defaults, { status: 'FAILED', q: '"a" & /b?/' });
    expect(readState(new URLSearchParams(written.toString()), defaults)).toEqual({
      status: 'FAILED',
      q: '"a" & /b?/',
    });
  });
});
