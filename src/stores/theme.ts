import { preference } from './preference.ts';

export type Theme = 'light' | 'dark' | 'system';

/** The chosen theme. public/theme.js applies it before the first paint under the same key. */
export const theme = preference<Theme>('sluice.theme', ['light', 'dark', 'system'], 'system');

/** What the choice comes to right now. */
export function shownTheme(): 'light' | 'dark' {
  const chosen = theme.get();
  if (chosen !== 'system') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

function apply() {
  document.documentElement.dataset.theme = shownTheme();
}

/** Keeps the page in step with the choice and with the system. Called once, by the page's entry. */
export function followTheme(): void {
  apply();
  theme.subscribe(apply);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply);
}
