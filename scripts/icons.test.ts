import { expect, it } from 'vitest';
import { strayIcons } from './icons.ts';

it('the icons in public/icons are those the catalogue names (node scripts/icons.ts --write)', () => {
  expect(strayIcons()).toEqual([]);
});
