import { cx } from '../cx.ts';

export type InputSize = 'sm' | 'md' | 'lg';

const SIZE: Record<InputSize, string> = {
  sm: 'h-ctl-sm rounded-[5px] text-12',
  md: 'h-ctl rounded text-13',
  lg: 'h-ctl-lg rounded text-14',
};

/** The border of text controls: contrast 3:1, accent when focused, red when invalid. */
export const EDGE =
  'border border-line-field bg-page text-fg transition-colors duration-fast hover:border-fg-3 focus-visible:border-accent focus-visible:outline-1 focus-visible:-outline-offset-1 focus-visible:outline-accent aria-invalid:border-bad-solid aria-invalid:focus-visible:outline-bad-solid disabled:border-line disabled:bg-sunken disabled:text-fg-off';

/** All classes except the padding, which depends on the content. 16 px on touch: iOS zooms into smaller text. */
export function inputClass(size: InputSize, mono: boolean): string {
  return cx(
    'w-full min-w-0 pointer-coarse:text-[16px]',
    EDGE,
    SIZE[size],
    mono && 'font-mono tracking-[-0.01em] [font-variant-ligatures:none]',
  );
}
