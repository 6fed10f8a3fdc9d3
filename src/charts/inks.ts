/** Colours for a canvas: it knows no tokens, so their values are read where something is drawn. */

/** The value of a design token, by its name without the dashes: `ok-solid`. */
export function tokenValue(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** Red, green and blue of `#rrggbb` or `#rgb`, which is how a packed stylesheet writes what it can. */
function channels(hex: string): readonly number[] {
  const digits = hex.length === 4 ? hex.replace(/[0-9a-f]/gi, '$&$&') : hex;
  return [1, 3, 5].map((start) => Number.parseInt(digits.slice(start, start + 2), 16));
}

/** `share` of one colour over another. */
export function mixed(over: string, under: string, share: number): string {
  const [top, ground] = [channels(over), channels(under)];
  const mix = top.map((value, index) => Math.round(value * share + (ground[index] ?? 0) * (1 - share)));
  return `#${mix.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

export interface Ink {
  /** A token: `ok-solid`. */
  readonly token: string;
  /** How much of it covers the page; what is well is pale. */
  readonly share?: number | undefined;
}

export function inkValue({ token, share = 1 }: Ink): string {
  return share === 1 ? tokenValue(token) : mixed(tokenValue(token), tokenValue('bg'), share);
}

/** The same for an element's style. */
export function inkCss({ token, share = 1 }: Ink): string {
  return share === 1 ? `var(--${token})` : `color-mix(in srgb, var(--${token}) ${share * 100}%, var(--bg))`;
}

/** Calls back when the theme changes: what is drawn has the old colours. */
export function onThemeChange(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}
