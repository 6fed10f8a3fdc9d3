import { cx } from '../cx.ts';

/** `primary`: one per view. `danger`: red outline. `danger-solid`: only in the confirm dialog. */
export type ButtonVariant = 'primary' | 'default' | 'ghost' | 'danger' | 'danger-solid';
/** `sm`: rows, panels, filter bars. `md`: pages. `lg`: dialogs on a phone, the connect window. */
export type ButtonSize = 'sm' | 'md' | 'lg';

const VARIANT: Record<ButtonVariant, string> = {
  primary:
    'border-accent-solid bg-accent-solid text-accent-on shadow-btn hover:border-accent-solid-hover hover:bg-accent-solid-hover',
  default:
    'border-line-2 bg-page text-fg shadow-btn hover:bg-hover active:bg-press aria-expanded:bg-press aria-pressed:bg-press [&_svg]:text-fg-3',
  ghost:
    'border-transparent text-fg-2 hover:bg-hover hover:text-fg active:bg-press aria-expanded:bg-press aria-pressed:bg-press aria-pressed:text-fg',
  danger: 'border-line-2 bg-page text-bad-fg shadow-btn hover:border-bad-line hover:bg-bad-bg',
  'danger-solid': 'border-bad-fg bg-bad-fg text-page shadow-btn hover:opacity-90',
};

const OFF: Record<ButtonVariant, string> = {
  primary: 'border-line bg-sunken text-fg-off',
  default: 'border-line bg-sunken text-fg-off',
  ghost: 'border-transparent text-fg-off',
  danger: 'border-line bg-sunken text-fg-off',
  'danger-solid': 'border-line bg-sunken text-fg-off',
};

const SIZE: Record<ButtonSize, string> = {
  sm: 'h-ctl-sm gap-1 rounded-[5px] px-2 text-12',
  md: 'h-ctl gap-1.5 rounded px-2.5 text-13',
  lg: 'h-ctl-lg gap-2 rounded px-3.5 text-13',
};

const SQUARE: Record<ButtonSize, string> = {
  sm: 'size-ctl-sm rounded-[5px]',
  md: 'size-ctl rounded',
  lg: 'size-ctl-lg rounded',
};

/** The classes of buttons and of links that look like buttons. */
export function buttonClass(
  variant: ButtonVariant,
  size: ButtonSize,
  shape: { off?: boolean; square?: boolean } = {},
): string {
  return cx(
    'inline-flex flex-none items-center justify-center border font-medium whitespace-nowrap no-underline transition-colors duration-fast select-none',
    shape.off ? OFF[variant] : VARIANT[variant],
    shape.off && 'cursor-not-allowed',
    shape.square ? SQUARE[size] : SIZE[size],
  );
}
