import { describe, expect, it } from 'vitest';
import { hashToken, newApiKey, newToken, prefixOf } from './tokens.ts';

describe('an API key', () => {
  it('is slc_ and 43 letters and digits, different each time', () => {
    const keys = new Set(Array.from({ length: 200 }, newApiKey));
    expect(keys.size).toBe(200);
    for (const key of keys) expect(key).toMatch(/^slc_[0-9A-Za-z]{43}$/);
  });

  it('shows its first 12 characters, and less of a short one', () => {
    const key = newApiKey();
    expect(prefixOf(key)).toBe(key.slice(0, 12));
    expect(prefixOf('abcdefghijklmnopqrst')).toBe('abcdef');
  });
});

describe('a token', () => {
  it('has 256 bits and is URL-safe', () => {
    expect(newToken()).toMatch(/^[\w-]{43}$/);
    expect(newToken()).not.toBe(newToken());
  });

  it('is stored as its SHA-256', () => {
    expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
