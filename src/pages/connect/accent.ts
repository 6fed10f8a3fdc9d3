/**
 * The account's colour in the connect window. Text on it and links in it keep the contrast of 4.5 : 1 (WCAG 1.4.3), the
 * button that of 3 : 1 against the page (1.4.11), in both themes: a colour that is too near to the page is darkened or
 * lightened as far as needed.
 */
import { shownTheme } from '../../stores/theme.ts';

/** The backgrounds of the window with the least contrast (src/index.css): the frame in the light theme. */
export const PAGES = { light: '#f5f6f7', dark: '#121618' } as const;

type Rgb = readonly [number, number, number];
const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];

export interface AccentColours {
  /** Links and focus rings. */
  readonly text: string;
  /** The button, its hover state, and the text on it. */
  readonly solid: string;
  readonly hover: string;
  readonly on: string;
}

/** The colours for an accent (`#rrggbb`) on a page of this colour. */
export function accentColours(accent: string, page: string): AccentColours {
  const [own, behind] = [rgbOf(accent), rgbOf(page)];
  const away = contrast(behind, WHITE) > contrast(behind, BLACK) ? WHITE : BLACK;
  const solid = apart(own, behind, away, 3);
  const on = contrast(solid, WHITE) >= contrast(solid, BLACK) ? WHITE : BLACK;
  // away from the text on it, so that the contrast only grows
  const hover = mix(solid, on === WHITE ? BLACK : WHITE, 0.12);
  return { text: hexOf(apart(own, behind, away, 4.5)), solid: hexOf(solid), hover: hexOf(hover), on: hexOf(on) };
}

/** Applies the accent to the page, and again after a change of the theme. */
export function applyAccent(accent: string | null): void {
  if (accent === null) return;
  const { style } = document.documentElement;
  const apply = () => {
    const { text, solid, hover, on } = accentColours(accent, PAGES[shownTheme()]);
    style.setProperty('--accent', text);
    style.setProperty('--accent-solid', solid);
    style.setProperty('--accent-solid-hover', hover);
    style.setProperty('--accent-on', on);
  };
  apply();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply);
}

/** The contrast ratio of two colours (`#rrggbb`), 1 to 21 (WCAG 2.2). */
export const contrastOf = (one: string, other: string): number => contrast(rgbOf(one), rgbOf(other));

function apart(colour: Rgb, from: Rgb, towards: Rgb, ratio: number): Rgb {
  let moved = colour;
  for (let share = 0; share <= 1 && contrast(moved, from) < ratio; share += 0.02) moved = mix(colour, towards, share);
  return contrast(moved, from) < ratio ? towards : moved;
}

function contrast(one: Rgb, other: Rgb): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: Rgb): number {
  const [r = 0, g = 0, b = 0] = colour.map((byte) => {
    const part = byte / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const mix = (one: Rgb, other: Rgb, share: number): Rgb => [
  Math.round(one[0] + (other[0] - one[0]) * share),
  Math.round(one[1] + (other[1] - one[1]) * share),
  Math.round(one[2] + (other[2] - one[2]) * share),
];
const part = (hex: string, at: number) => Number.parseInt(hex.slice(at, at + 2), 16);
const rgbOf = (hex: string): Rgb => [part(hex, 1), part(hex, 3), part(hex, 5)];
const hexOf = (colour: Rgb): string => `#${colour.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
