import { cx } from './cx.ts';

export interface MonogramProps {
  /** What it stands for; its first letters are shown. */
  name: string;
  size?: 'sm' | 'lg' | undefined;
}

/** `stripe` → `S`, `google-mail` → `GM`, `GitHub` → `GH`. */
function letters(name: string): string {
  const words = name.split(/[\s_-]+/).filter(Boolean);
  const capitals = name.replace(/[^A-Z]/g, '');
  const picked =
    words.length > 1 ? words.map((word) => word.charAt(0)).join('') : capitals.length > 1 ? capitals : name.charAt(0);
  return picked.slice(0, 2).toUpperCase();
}

/** A grey tile with an app's letters, for apps without an icon of their own. The name stands beside it. */
export function Monogram({ name, size = 'sm' }: MonogramProps) {
  return (
    <span
      aria-hidden
      className={cx(
        'inline-grid flex-none place-items-center border border-line-2 bg-page font-strong tracking-[-0.02em] text-fg-2 select-none',
        size === 'lg' ? 'size-9 rounded-lg text-14' : 'size-[18px] rounded-sm text-[9px] leading-none',
      )}
    >
      {letters(name)}
    </span>
  );
}
