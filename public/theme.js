// Runs before the first paint: the theme must be known before anything is drawn. Same key as src/stores/theme.ts.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('sluice.theme');
  } catch {
    // storage may be forbidden; the system's choice is good enough
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
