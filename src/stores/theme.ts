import { preference } from './preference.ts';

export type Theme = 'light' | 'dark' | 'system';

/** The chosen theme. public/theme.js applies it before the first paint under the same key. */
export const theme = preference<Theme>('sluice.theme', ['light', 'dark', 'system'], 'system');

/** The theme in effect. */
export function shownTheme(): 'light' | 'dark' {
  const chosen = theme.get();
  if (chosen !== 'system') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

function apply() {
  document.documentElement.dataset.theme = shownTheme();
}

/** Applies the theme now and whenever the preference or the system setting changes. Called once at startup. */
export function followTheme(): void {
  apply();
  theme.subscribe(apply);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply);
}
