import type { Config } from 'tailwindcss';

/**
 * The names of the design tokens. Their values, light and dark, are in src/index.css; nothing else in the console
 * names a raw colour. Loaded from src/index.css with @config.
 */
const v = (name: string) => `var(--${name})`;
const status = (name: string) => ({
  fg: v(`${name}-fg`),
  bg: v(`${name}-bg`),
  line: v(`${name}-line`),
  solid: v(`${name}-solid`),
});
const text = (size: number): [string, string] => [v(`text-${size}`), v(`line-${size}`)];

export default {
  darkMode: ['selector', '[data-theme="dark"]'],
  theme: {
    colors: {
      transparent: 'transparent',
      current: 'currentColor',
      // surfaces
      frame: v('bg-frame'),
      page: v('bg'),
      raised: v('bg-raised'),
      sunken: v('bg-sunken'),
      hover: v('bg-hover'),
      press: v('bg-press'),
      selected: v('bg-selected'),
      scrim: v('bg-scrim'),
      // inks
      fg: { DEFAULT: v('fg'), 2: v('fg-2'), 3: v('fg-3'), off: v('fg-off') },
      // lines
      line: { DEFAULT: v('line'), 2: v('line-2'), field: v('line-field') },
      // the one accent
      accent: {
        DEFAULT: v('accent'),
        solid: v('accent-solid'),
        'solid-hover': v('accent-solid-hover'),
        on: v('accent-on'),
        soft: v('accent-soft'),
        line: v('accent-line'),
      },
      // status
      ok: status('ok'),
      bad: status('bad'),
      warn: status('warn'),
      mute: status('mute'),
      // code
      code: {
        key: v('code-key'),
        str: v('code-str'),
        num: v('code-num'),
        kw: v('code-kw'),
        fn: v('code-fn'),
        com: v('code-com'),
      },
      mark: { bg: v('mark-bg'), fg: v('mark-fg') },
      add: { bg: v('add-bg'), strong: v('add-strong') },
      del: { bg: v('del-bg'), strong: v('del-strong') },
      hatch: v('gap-hatch'),
      // charts
      chart: { grid: v('chart-grid'), 1: v('chart-1'), 2: v('chart-2'), 3: v('chart-3') },
    },
    fontFamily: { sans: v('font-sans'), mono: v('font-mono') },
    fontSize: {
      11: text(11),
      12: text(12),
      13: text(13),
      14: text(14),
      18: text(18),
      24: text(24),
    },
    fontWeight: { normal: '400', medium: '500', strong: '600' },
    borderRadius: {
      none: '0',
      sm: v('r-sm'),
      DEFAULT: v('r'),
      lg: v('r-lg'),
      full: v('r-full'),
    },
    boxShadow: {}, // the few shadows are in src/index.css
    transitionDuration: { fast: v('t-fast'), DEFAULT: v('t'), slow: v('t-slow') },
    transitionTimingFunction: { DEFAULT: v('ease') },
    animation: {
      appear: `ui-fade-in ${v('t-fast')} ${v('ease')}`,
      rise: `ui-rise ${v('t')} ${v('ease')}`,
      'slide-in': `ui-slide-in ${v('t')} ${v('ease')}`,
    },
    extend: {
      letterSpacing: { tight: v('track-tight'), caps: v('track-caps') },
      spacing: {
        row: v('row'),
        'row-tall': v('row-tall'),
        'row-head': v('row-head'),
        'ctl-sm': v('ctl-sm'),
        ctl: v('ctl'),
        'ctl-lg': v('ctl-lg'),
        bar: v('bar'),
        side: v('side'),
        panel: v('panel'),
        'panel-wide': v('panel-wide'),
      },
    },
  },
} satisfies Config;
