import { expect, it } from 'vitest';
import { inkCss, mixed } from './inks.ts';

it('blends one colour over another', () => {
  expect(mixed('#000000', '#ffffff', 0.5)).toBe('#808080');
  expect(mixed('#2f9a60', '#fff', 1)).toBe('#2f9a60');
  expect(mixed('#f00', '#0000ff', 0)).toBe('#0000ff');
});

it('becomes a CSS value', () => {
  expect(inkCss({ token: 'bad-solid' })).toBe('var(--bad-solid)');
  expect(inkCss({ token: 'ok-solid', share: 0.5 })).toBe('color-mix(in srgb, var(--ok-solid) 50%, var(--bg))');
});
