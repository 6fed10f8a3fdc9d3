import { cx } from './cx.ts';

export interface MonogramProps {
  /** The name; its initials are shown. */
  name: string;
  /** The URL of a monochrome icon, shown instead of the initials. */
  picture?: string | undefined;
  size?: 'sm' | 'md' | 'lg' | undefined;
}

/** `stripe` → `S`, `google-mail` → `GM`, `GitHub` → `GH`. */
function letters(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const capitals = name.replace(/[^A-Z]/g, '');
  const picked =
    words.length > 1 ? words.map((word) => word.charAt(0)).join('') : capitals.length > 1 ? capitals : name.charAt(0);
  return picked.slice(0, 2).toUpperCase();
}

const TILE = {
  sm: 'size-[18px] rounded-sm text-[9px] leading-none',
  md: 'size-7 rounded text-11',
  lg: 'size-9 rounded-lg text-14',
};
const PICTURE = { sm: 'size-3', md: 'size-4', lg: 'size-5' };

/** A grey tile with the icon or the initials of an app. The name is shown beside it. */
export function Monogram({ name, picture, size = 'sm' }: MonogramProps) {
  return (
    <span
      aria-hidden
      className={cx(
        'inline-grid flex-none place-items-center border border-line-2 bg-page font-strong tracking-[-0.02em] text-fg-2 select-none',
        TILE[size],
      )}
    >
      {picture === undefined ? (
        letters(name)
      ) : (
        <span className={cx('ui-picture', PICTURE[size])} style={{ maskImage: `url(${picture})` }} />
      )}
    </span>
  );
}
