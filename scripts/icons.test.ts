import { expect, it } from 'vitest';
import { outdatedIcons } from './icons.ts';

it('public/icons has exactly the icons of the catalogue (node scripts/icons.ts --write)', () => {
  expect(outdatedIcons()).toEqual([]);
});
