/** Colours for a canvas, which cannot use design tokens: their values are resolved when drawing. */

/** The value of a design token, by its name without dashes: `ok-solid`. */
export function tokenValue(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** Red, green and blue of `#rrggbb` or `#rgb`, the short form of a minified stylesheet. */
function channels(hex: string): readonly number[] {
  const digits = hex.length === 4 ? hex.replace(/[0-9a-f]/gi, '$&$&') : hex;
  return [1, 3, 5].map((start) => Number.parseInt(digits.slice(start, start + 2), 16));
}

/** Blends one colour over another with opacity `share`. */
export function mixed(over: string, under: string, share: number): string {
  const [top, ground] = [channels(over), channels(under)];
  const mix = top.map((value, index) => Math.round(value * share + (ground[index] ?? 0) * (1 - share)));
  return `#${mix.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

export interface Ink {
  /** The design token: `ok-solid`. */
  readonly token: string;
  /** The opacity; successes are pale. */
  readonly share?: number | undefined;
}

export function inkValue({ token, share = 1 }: Ink): string {
  return share === 1 ? tokenValue(token) : mixed(tokenValue(token), tokenValue('bg'), share);
}

/** The colour as a CSS value. */
export function inkCss({ token, share = 1 }: Ink): string {
  return share === 1 ? `var(--${token})` : `color-mix(in srgb, var(--${token}) ${share * 100}%, var(--bg))`;
}

/** Calls back when the theme changes, to redraw. */
export function onThemeChange(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}
