import { useMemo } from 'react';

/** Narrower than this, a row has two lines and no columns. */
const PHONE_PX = 560;
/** Narrower than this, optional columns are hidden: a panel is open beside the list. */
const FOLD_PX = 840;

export interface Layout {
  readonly phone: boolean;
  readonly folded: boolean;
  readonly rowHeight: number;
  readonly headHeight: number;
}

/** How rows are laid out in this much room. */
export function useLayout(width: number, density: 'row' | 'tall'): Layout {
  return useMemo(() => {
    const coarse = matchMedia('(pointer: coarse)').matches;
    const phone = width < PHONE_PX;
    // the heights of index.css: --row, --row-tall, --row-head
    const rowHeight = phone ? 56 : density === 'tall' ? 44 : coarse ? 40 : 32;
    return { phone, folded: width < FOLD_PX, rowHeight, headHeight: phone ? 0 : 28 };
  }, [width, density]);
}
