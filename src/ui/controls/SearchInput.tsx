import { Search, X } from 'lucide-react';
import { type ComponentProps, type ReactNode, useRef } from 'react';
import { useHotkey } from '../../hooks/use-hotkey.ts';
import { cx } from '../cx.ts';
import { KeyCap } from '../KeyCap.tsx';

export interface SearchInputProps extends Omit<ComponentProps<'input'>, 'size' | 'value' | 'onChange' | 'type'> {
  label: string;
  value: string;
  /** `atMs` is the time of the key press, which may be long before a busy page handles it. */
  onChange: (value: string, atMs: number) => void;
  /** `lg` for the main search of a page. */
  size?: 'sm' | 'lg' | undefined;
  mono?: boolean | undefined;
  /** At the end of the field: how the query is interpreted, switches. */
  children?: ReactNode;
}

/** A search field. `/` focuses it, Esc clears it, a second Esc removes the focus. */
export function SearchInput({
  label,
  value,
  onChange,
  size = 'sm',
  mono = false,
  children,
  className,
  ...rest
}: SearchInputProps) {
  const input = useRef<HTMLInputElement>(null);
  useHotkey('/', () => {
    input.current?.focus();
    input.current?.select();
  });
  return (
    <span
      className={cx(
        'inline-flex min-w-0 items-center gap-2 rounded border border-line-field bg-page px-2 focus-within:border-accent focus-within:outline-1 focus-within:-outline-offset-1 focus-within:outline-accent',
        size === 'lg' ? 'h-ctl-lg w-full text-14' : 'h-ctl-sm w-56 text-12',
        className,
      )}
    >
      <Search size={size === 'lg' ? 16 : 14} className="flex-none text-fg-3" aria-hidden />
      <input
        ref={input}
        autoComplete="off"
        spellCheck={false}
        {...rest}
        type="text"
        aria-label={label}
        placeholder={rest.placeholder ?? label}
        value={value}
        onChange={(event) => onChange(event.target.value, event.timeStamp)}
        onKeyDown={(event) => {
          rest.onKeyDown?.(event);
          if (event.key !== 'Escape' || event.defaultPrevented) return;
          event.preventDefault();
          if (value) onChange('', event.timeStamp);
          else event.currentTarget.blur();
        }}
        className={cx(
          'h-full min-w-0 flex-1 bg-transparent outline-none',
          mono && 'font-mono text-13 tracking-[-0.01em] [font-variant-ligatures:none]',
        )}
      />
      {value ? (
        <button
          type="button"
          aria-label={`Clear ${label.toLowerCase()}`}
          onClick={(event) => {
            onChange('', event.timeStamp);
            input.current?.focus();
          }}
          className="-mr-1 grid h-full max-h-6 min-w-6 flex-none place-items-center rounded-sm text-fg-3 hover:bg-hover hover:text-fg"
        >
          <X size={12} strokeWidth={2} aria-hidden />
        </button>
      ) : null}
      {children}
      {value || size === 'lg' ? null : (
        <span className="-mr-1 pointer-coarse:hidden" aria-hidden>
          <KeyCap>/</KeyCap>
        </span>
      )}
    </span>
  );
}
