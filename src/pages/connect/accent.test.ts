import { expect, it } from 'vitest';
import { accentColours, contrastOf, PAGES } from './accent.ts';

it('has enough contrast for any colour, in both themes', () => {
  const steps = ['00', '33', '66', '99', 'cc', 'ff'];
  const colours = steps.flatMap((r) => steps.flatMap((g) => steps.map((b) => `#${r}${g}${b}`)));
  for (const page of Object.values(PAGES)) {
    for (const colour of colours) {
      const { text, solid, hover, on } = accentColours(colour, page);
      expect(contrastOf(text, page), `text ${colour} on ${page}`).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf(solid, page), `button ${colour} on ${page}`).toBeGreaterThanOrEqual(3);
      expect(contrastOf(on, solid), `label on ${colour}`).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf(on, hover), `label on ${colour} with the pointer`).toBeGreaterThanOrEqual(4.5);
    }
  }
});

it('keeps a colour that has it', () => {
  expect(accentColours('#1f5bd0', PAGES.light)).toMatchObject({ text: '#1f5bd0', solid: '#1f5bd0', on: '#ffffff' });
  expect(contrastOf('#000000', '#ffffff')).toBe(21);
});
