import { expect, it } from 'vitest';
import { isMask, mask } from './masking.ts';

it('shows the prefix and four characters of a long secret, and nothing of a short one', () => {
  expect(mask('whsec_0123456789abcdef', 'whsec_')).toBe('whsec_••••••••cdef');
  expect(mask('Bearer abcdefghij')).toBe('••••••••ghij');
  expect(mask('short')).toBe('••••••••');
  expect(isMask(mask('x'))).toBe(true);
  expect(isMask('Bearer abc')).toBe(false);
});
